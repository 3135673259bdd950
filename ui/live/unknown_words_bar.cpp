#include "ui/live/unknown_words_bar.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/live/live_model.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {
constexpr int kIconSize = 16;
constexpr int kLongestWord = 24;
constexpr int kButtonPadding = 24;
}  // namespace

UnknownWordsBar::UnknownWordsBar(const LiveModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_lines(new QVBoxLayout(this)) {
    setAccessibleName(tr("Unknown words"));
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(2);
    hide();
}

void UnknownWordsBar::refresh() {
    // Building buttons anew while one has the focus would throw the focus away.
    const QWidget* focused = focusWidget();
    const bool hadFocus = focused != nullptr && focused->hasFocus();
    clear();
    const auto& words = m_model.spellings().words();
    const std::size_t shown = std::min(words.size(), kUnknownLookedUp);
    for (std::size_t i = 0; i < shown && words[i].isLookedUp; ++i) {
        addLine(words[i]);
    }
    if (m_lines->count() > 0 && words.size() > shown) {
        addRest(static_cast<qint64>(words.size() - shown));
    }
    setVisible(m_lines->count() > 0);
    if (hadFocus) {
        if (auto* button = findChild<QPushButton*>()) {
            button->setFocus();
        }
    }
}

void UnknownWordsBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        refresh();
    }
}

void UnknownWordsBar::clear() {
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        // A button of the line may be the sender of the click that brought us here.
        item->widget()->hide();
        item->widget()->setParent(nullptr);
        item->widget()->deleteLater();
        delete item;
    }
}

void UnknownWordsBar::addRest(qint64 words) {
    auto* rest = hintLabel(words == 1 ? tr("and 1 more unknown word")
                                      : tr("and %1 more unknown words").arg(counted(words)),
                           this);
    rest->setObjectName(QStringLiteral("moreUnknownWordsLabel"));
    m_lines->addWidget(rest);
}

void UnknownWordsBar::addLine(const UnknownWord& word) {
    auto* line = new QWidget(this);
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* icon = new QLabel(line);
    icon->setPixmap(QIcon(QStringLiteral(":/icons/warning.svg")).pixmap(kIconSize, kIconSize));
    layout->addWidget(icon);
    const QString shown = word.typed.size() > kLongestWord
                              ? word.typed.left(kLongestWord - 1) + QStringLiteral("…")
                              : word.typed;
    QString sentence = tr("“%1” is unknown.").arg(shown);
    if (!word.spellings.empty()) {
        sentence += tr(" Did you mean");
    }
    auto* label = new QLabel(sentence, line);
    label->setObjectName(QStringLiteral("unknownWordLabel"));
    label->setTextFormat(Qt::PlainText);
    label->setToolTip(unknownWordNote(m_model.state().textPolicies().unknownWords));
    layout->addWidget(label);
    for (const QString& spelling : word.spellings) {
        // An ampersand in a word is no mnemonic.
        auto* button = new QPushButton(
            QString(spelling).replace(QLatin1Char('&'), QStringLiteral("&&")), line);
        button->setObjectName(QStringLiteral("spellingButton"));
        button->setFixedSize(button->fontMetrics().horizontalAdvance(spelling) + kButtonPadding,
                             std::max(kLeastTarget, button->fontMetrics().height() + 6));
        button->setAccessibleName(tr("Replace %1 by %2").arg(word.typed, spelling));
        button->setAccessibleDescription(tr("Puts this spelling into the sentence."));
        connect(button, &QPushButton::clicked, this, [this, typed = word.typed, spelling] {
            Q_EMIT replacementChosen(typed, spelling);
        });
        layout->addWidget(button);
    }
    layout->addStretch(1);
    m_lines->addWidget(line);
}

}  // namespace epsilens::ui::live
