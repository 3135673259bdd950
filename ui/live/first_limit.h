#pragma once

#include <optional>

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {
class AnalysisState;
}

namespace epsilens::ui::live {

/// The usual first limit as a sentence to fill in: how often a word may be kept, for how many of
/// the words. Its blanks show in grey what is usual, which sets nothing; a number makes the limit,
/// and an emptied field takes it away. Other limits are left to the editor of all of them.
class FirstLimit : public QWidget {
    Q_OBJECT

public:
    /// state  must outlive this widget
    explicit FirstLimit(AnalysisState& state, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The analyst wants to see, or add, other limits.
    void othersRequested();

private:
    void arrange();
    void showLimit();
    void showProblem(const QString& problem);
    void takeTyped();
    void takeWords();
    void take(std::optional<double> kept);

    AnalysisState& m_state;
    QLineEdit* m_kept;
    QComboBox* m_words;
    QPushButton* m_others;
    QLabel* m_problem;
};

}  // namespace epsilens::ui::live
