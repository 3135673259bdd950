#pragma once

#include <QToolButton>

class QMenu;

namespace epsilens::ui {

class GuaranteeModel;

/// "paris ↔ london": the two words that the promise is told of, with a menu of others: the words
/// of the sentence, the word selected last with those nearest to it, the two of before, and any
/// that are typed.
class PairButton : public QToolButton {
    Q_OBJECT

public:
    /// longestWord  characters of a word that are shown, >= 2
    /// model        outlives the button
    PairButton(const char* objectName, qsizetype longestWord, GuaranteeModel& model,
               QWidget* parent = nullptr);

private:
    void refresh();
    void fill();
    void askForWords();

    [[nodiscard]] QString title(const QString& first, const QString& second) const;

    GuaranteeModel& m_model;
    qsizetype m_longestWord;
    QMenu* m_menu;
};

}  // namespace epsilens::ui
