#pragma once

#include <QWidget>

class QLabel;

namespace epsilens::ui {

class AnalysisState;

/// The whole setting on one line: embedding, mechanism, epsilon, draws, seed.
class SummaryStrip : public QWidget {
    Q_OBJECT

public:
    explicit SummaryStrip(AnalysisState& state, QWidget* parent = nullptr);

private:
    QLabel* addPart(const QString& objectName);
    void refresh();

    AnalysisState& m_state;
    QLabel* m_embedding;
    QLabel* m_mechanism;
    QLabel* m_epsilon;
    QLabel* m_draws;
    QLabel* m_seed;
};

}  // namespace epsilens::ui
