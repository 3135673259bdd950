#include "ui/curves/grid_editor.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/curves/curves_model.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {

QString parameterTip(CurveParameter parameter) {
    switch (parameter) {
        case CurveParameter::lambda:
            return GridEditor::tr(
                "A list such as 0; 0.5; 1 or a range such as 0..1 x5. Empty: 0, "
                "0.25, 0.5, 0.75, 1.");
        case CurveParameter::beta:
            return GridEditor::tr(
                "Error probabilities: a list such as 0.001; 0.1 or a range such "
                "as 1e-4..0.1 x4 (log-spaced). Empty: 0.001.");
        case CurveParameter::gamma:
            return GridEditor::tr(
                "Radii: a list such as 1; 2; 4 or a range such as 0..8 x5. "
                "Empty: quarters of the largest distance.");
        case CurveParameter::none:
            break;
    }
    return GridEditor::tr("This mechanism has one curve.");
}

/// What is being typed stays: it is taken when the field is left.
void showText(QLineEdit& field, const QString& text) {
    if (!field.hasFocus() || !field.isModified()) {
        field.setText(text);
        field.setCursorPosition(0);
    }
}

}  // namespace

GridEditor::GridEditor(CurvesModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_epsilons(described(new QLineEdit(this), "epsilonGridLineEdit", tr("Epsilons of the grid"),
                           tr("A list such as 1; 5; 10 or a range such as 1..40 x9 (log-spaced). "
                              "Empty: the default, from the estimated range of half-kept ε."))),
      m_parameters(described(new QLineEdit(this), "parameterGridLineEdit", tr("Curves of the grid"),
                             QString())),
      m_run(described(new QPushButton(tr("Measure"), this), "runPushButton", tr("Measure"),
                      tr("Measures over the grid (F5)."))),
      m_progress(hintLabel({}, this)),
      m_problem(hintLabel({}, this)) {
    m_progress->setObjectName(QStringLiteral("runProgressLabel"));
    m_progress->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("gridProblemLabel"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kRowSpacing / 2);
    rows->addLayout(fieldRow());
    rows->addWidget(m_problem);
    rows->addWidget(m_progress);

    connect(m_epsilons, &QLineEdit::editingFinished, this, &GridEditor::takeEpsilons);
    connect(m_parameters, &QLineEdit::editingFinished, this, &GridEditor::takeParameters);
    connect(m_run, &QPushButton::clicked, this, &GridEditor::runRequested);
    connect(&m_model.grid(), &CurveGrid::textChanged, this, &GridEditor::showGrid);
    connect(&m_model, &CurvesModel::stalenessChanged, this, &GridEditor::showRunning);
    connect(&m_model, &CurvesModel::runningChanged, this, &GridEditor::showRunning);
    connect(&m_model, &CurvesModel::progressChanged, this, &GridEditor::showRunning);
    m_model.state().onChange(&AnalysisSettings::chosen, this, &GridEditor::showGrid);
    showGrid();
    showRunning();
}

QWidget* GridEditor::firstControl() const {
    return m_epsilons;
}

QLayout* GridEditor::fieldRow() {
    constexpr int kNarrowestEpsilons = 140;
    constexpr int kNarrowestParameters = 90;
    m_epsilons->setMinimumWidth(kNarrowestEpsilons);
    m_parameters->setMinimumWidth(kNarrowestParameters);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    addLabelled(*row, tr("ε grid"), m_epsilons, 3);
    m_parameterLabel = addLabelled(*row, {}, m_parameters, 2);
    row->addWidget(m_run);
    return row;
}

void GridEditor::takeEpsilons() {
    m_epsilons->setModified(false);
    m_epsilonProblem = m_model.grid().setEpsilonText(m_epsilons->text());
    showProblem();
}

void GridEditor::takeParameters() {
    m_parameters->setModified(false);
    m_parameterProblem = m_model.grid().setParameterText(m_parameters->text());
    showProblem();
}

void GridEditor::showGrid() {
    const CurveParameter parameter = m_model.grid().parameter();
    const bool hasParameter = parameter != CurveParameter::none;
    showText(*m_epsilons, m_model.grid().epsilonText());
    m_parameterLabel->setText(
        tr("%1 grid").arg(parameterSymbol(hasParameter ? parameter : CurveParameter::lambda)));
    m_parameterLabel->setVisible(parameterOf(m_model.state().mechanism()) != CurveParameter::none);
    m_parameters->setVisible(!m_parameterLabel->isHidden());
    m_parameters->setEnabled(hasParameter && !m_model.isRunning());
    showText(*m_parameters, hasParameter ? m_model.grid().parameterText() : tr("none"));
    m_parameters->setToolTip(parameterTip(parameter));
    m_parameters->setAccessibleDescription(m_parameters->toolTip());
    m_epsilonProblem.clear();
    m_parameterProblem.clear();
    showProblem();
}

void GridEditor::showProblem() {
    setFieldProblem(*m_epsilons, m_epsilonProblem);
    setFieldProblem(*m_parameters, m_parameterProblem);
    const QString& problem = m_epsilonProblem.isEmpty() ? m_parameterProblem : m_epsilonProblem;
    const QString text = problem.isEmpty() ? m_model.grid().note() : QStringLiteral("✗ ") + problem;
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
}

void GridEditor::showRunning() {
    const bool running = m_model.isRunning();
    // Disabled, they would give the focus to whatever comes next, such as the dial.
    const bool hadFocus = m_run->hasFocus() || m_epsilons->hasFocus() || m_parameters->hasFocus();
    if (running && hadFocus) {
        setFocus();
    }
    m_run->setEnabled(!running);
    m_epsilons->setEnabled(!running);
    m_parameters->setEnabled(!running && m_model.grid().parameter() != CurveParameter::none);
    if (running) {
        m_progress->setText(m_model.progressText());
        return;
    }
    const QString obstacle = m_model.obstacle();
    m_run->setEnabled(obstacle.isEmpty());
    if (hasFocus()) {
        m_run->setFocus();
    }
    m_progress->setText(obstacle);
}

}  // namespace epsilens::ui
