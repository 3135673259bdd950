#pragma once

#include <QWidget>

class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {

class CurvesModel;

/// The grid of a calibration, run, progress. Words, draws and seed are settings of the whole
/// program and have their controls elsewhere.
class GridEditor : public QWidget {
    Q_OBJECT

public:
    explicit GridEditor(CurvesModel& model, QWidget* parent = nullptr);

    [[nodiscard]] QWidget* firstControl() const;

Q_SIGNALS:
    void runRequested();

private:
    [[nodiscard]] QLayout* fieldRow();
    void takeEpsilons();
    void takeParameters();
    void showGrid();
    void showRunning();
    void showProblem();

    CurvesModel& m_model;
    QLineEdit* m_epsilons;
    QLineEdit* m_parameters;
    QLabel* m_parameterLabel = nullptr;
    QPushButton* m_run;
    QLabel* m_progress;
    QLabel* m_problem;
    QString m_epsilonProblem;
    QString m_parameterProblem;
};

}  // namespace epsilens::ui
