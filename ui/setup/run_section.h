#pragma once

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace epsilens::ui {

class AnalysisState;
class JobBoard;
class ParameterControl;
class SessionResults;

/// What statistics are taken over: draws, words, seed, and the percentile band shown.
class RunSection : public QWidget {
    Q_OBJECT

public:
    /// state, results  must outlive this widget
    RunSection(AnalysisState& state, SessionResults& results, JobBoard& jobs,
               QWidget* parent = nullptr);

private:
    void buildSeedRow(QGridLayout& grid, int row);
    void buildBandRow(QGridLayout& grid, int row);
    void connectState();
    void takeBand(int index);
    void applySeedText();
    void showHint();

    AnalysisState& m_state;
    ParameterControl* m_draws;
    QLineEdit* m_seed;
    QComboBox* m_band;
    QLabel* m_hint;
    QString m_seedProblem;
};

}  // namespace epsilens::ui
