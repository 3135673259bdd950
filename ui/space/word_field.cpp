#include "ui/space/word_field.h"

#include <utility>

#include <QCompleter>
#include <QStringListModel>

namespace epsilens::ui {

namespace {
constexpr int kLongestWord = 200;
}

WordField::WordField(Completions completions, QWidget* parent)
    : QLineEdit(parent),
      m_completions(std::move(completions)),
      m_words(new QStringListModel(this)),
      m_completer(new QCompleter(m_words, this)) {
    setMaxLength(kLongestWord);
    setClearButtonEnabled(true);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    setCompleter(m_completer);
    connect(this, &QLineEdit::textEdited, this,
            [this](const QString& text) { m_words->setStringList(m_completions(text)); });
    connect(this, &QLineEdit::returnPressed, this, [this] { Q_EMIT wordEntered(text()); });
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &WordField::wordEntered);
}

}  // namespace epsilens::ui
