#pragma once

#include <optional>

#include <QWidget>

class QFrame;
class QLabel;
class QToolButton;

namespace epsilens::ui {

class AnalysisState;

/// The whole setting on one line: embedding, mechanism, epsilon, draws, seed, limits, and what is
/// pinned, with a button that unpins it.
class SummaryStrip : public QWidget {
    Q_OBJECT

public:
    explicit SummaryStrip(AnalysisState& state, QWidget* parent = nullptr);

    /// How many of the limits set are met at the settings; nothing is shown for no limits.
    ///
    /// met  nothing while it is not known
    void showLimits(std::optional<int> met, int total);

private:
    QFrame* addLine();
    QLabel* addPart(const QString& objectName);
    void addPin();
    void showPin();
    void refresh();

    AnalysisState& m_state;
    QLabel* m_embedding;
    QLabel* m_mechanism;
    QLabel* m_epsilon;
    QLabel* m_draws;
    QLabel* m_seed;
    QFrame* m_limitsLine;
    QLabel* m_limits;
    QFrame* m_pinLine;
    QLabel* m_pin;
    QToolButton* m_unpin;
    QString m_spokenLimits;
};

}  // namespace epsilens::ui
