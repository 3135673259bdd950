#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace epsilens::ui {

class CurvesModel;

/// The controls of a calibration: grid, words, draws, what it costs, run, progress, cancel.
class GridEditor : public QWidget {
    Q_OBJECT

public:
    explicit GridEditor(CurvesModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* firstControl() const;

private:
    void buildFields();
    void buildRunRow();
    void takeEpsilons();
    void takeLambdas();
    void takeWords();
    void showGrid();
    void showWords();
    void showCost();
    void showRunning();
    void setProblem(const QString& problem);

    CurvesModel& m_model;
    QLineEdit* m_epsilons;
    QLineEdit* m_lambdas;
    QComboBox* m_wordKind;
    QSpinBox* m_words;
    QSpinBox* m_draws;
    QPushButton* m_run;
    QPushButton* m_cancel;
    QLabel* m_cost;
    QProgressBar* m_progress;
    QLabel* m_problem;
};

}  // namespace epsilens::ui
