#pragma once

#include <functional>

#include <QLineEdit>
#include <QStringList>

class QCompleter;
class QStringListModel;

namespace epsilens::ui {

/// A text field for a word of the vocabulary that offers how it may go on. Looks up the few words
/// that fit each time something is typed, so that vocabularies of millions need no list.
class WordField : public QLineEdit {
    Q_OBJECT

public:
    using Completions = std::function<QStringList(const QString& prefix)>;

    explicit WordField(Completions completions, QWidget* parent = nullptr);

Q_SIGNALS:
    /// A word was chosen from the offer or typed and confirmed with Return.
    void wordEntered(const QString& word);

private:
    Completions m_completions;
    QStringListModel* m_words;
    QCompleter* m_completer;
};

}  // namespace epsilens::ui
