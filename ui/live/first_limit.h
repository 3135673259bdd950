#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QWidget>

#include "core/calibration/limits.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {
class AnalysisState;
}

namespace epsilens::ui::live {

/// A word of the text and the share of the draws that keep it.
struct KeptWord {
    QString typed{};
    double share = 0.0;
};

/// The usual first limit as a sentence to fill in: how often a word may be kept, for how many of
/// the words. An empty blank sets nothing; a number makes the limit,
/// and an emptied field takes it away. Other limits are left to the editor of all of them.
class FirstLimit : public QWidget {
    Q_OBJECT

public:
    /// state  must outlive this widget
    explicit FirstLimit(AnalysisState& state, QWidget* parent = nullptr);

    /// Says which words of the text are kept more often than the limit has it: the limit is about
    /// the vocabulary, and lets some of it be.
    void judge(std::vector<KeptWord> words);

Q_SIGNALS:
    /// The analyst wants to see, or add, other limits.
    void othersRequested();

private:
    void arrange();
    /// The limit that the sentence says; null where there is none.
    [[nodiscard]] const calibration::Limit* own() const;
    void showLimit();
    void showExceptions();
    void showProblem(const QString& problem);
    void takeTyped();
    /// kept  nothing takes the limit away
    void take(std::optional<double> kept);

    AnalysisState& m_state;
    QLineEdit* m_kept;
    QComboBox* m_words;
    QPushButton* m_others;
    QLabel* m_problem;
    QLabel* m_exceptions;
    std::vector<KeptWord> m_text;
};

}  // namespace epsilens::ui::live
