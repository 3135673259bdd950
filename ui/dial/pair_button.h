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
    /// model  outlives the button
    explicit PairButton(GuaranteeModel& model, QWidget* parent = nullptr);

private:
    void refresh();
    void fill();
    void askForWords();
    GuaranteeModel& m_model;
    QMenu* m_menu;
};

}  // namespace epsilens::ui
