#include "ui/curves/grid_editor.h"

#include <cmath>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/common/layout.h"
#include "ui/common/wheel_guard.h"
#include "ui/curves/curves_model.h"

namespace epsilens::ui {

namespace {

using Kind = calibration::WordSelection::Kind;

constexpr int kFewestWords = 10;
constexpr int kFewestDraws = 10;
constexpr int kMostDraws = 10'000;
constexpr int kMostWords = 10'000'000;

template <typename Control>
Control* named(Control* control, const char* objectName, const QString& name,
               const QString& description) {
    control->setObjectName(QLatin1String(objectName));
    control->setAccessibleName(name);
    control->setAccessibleDescription(description);
    control->setToolTip(description);
    return control;
}

void addLabelled(QHBoxLayout& row, const QString& text, QWidget* control, int stretch) {
    auto* label = new QLabel(text, control->parentWidget());
    label->setBuddy(control);
    row.addWidget(label);
    row.addWidget(control, stretch);
}

QSpinBox* spinBox(int low, int high, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(low, high);
    box->setLocale(QLocale::c());
    box->setKeyboardTracking(false);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    guardWheel(box);
    return box;
}

}  // namespace

GridEditor::GridEditor(CurvesModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_epsilons(named(new QLineEdit(this), "epsilonGridLineEdit", tr("Epsilons of the grid"),
                       tr("A list such as 1; 5; 10 or a range such as 1..40 x9 (log-spaced). "
                          "Empty: the default, from the estimated range of critical ε."))),
      m_lambdas(named(new QLineEdit(this), "lambdaGridLineEdit", tr("Lambdas of the grid"),
                      tr("A list such as 0; 0.5; 1 or a range such as 0..1 x5. Empty: 0, 0.25, "
                         "0.5, 0.75, 1."))),
      m_wordKind(named(new QComboBox(this), "wordKindComboBox", tr("Words of the run"),
                       tr("Words the statistics are taken over; outputs always come from the "
                          "whole vocabulary."))),
      m_words(named(spinBox(kFewestWords, kMostWords, this), "wordCountSpinBox",
                    tr("Number of random words"),
                    tr("Random words, drawn with the seed without replacement."))),
      m_draws(named(spinBox(kFewestDraws, kMostDraws, this), "drawsSpinBox", tr("Draws per word"),
                    tr("R: repetitions per word."))),
      m_run(named(new QPushButton(tr("&Run"), this), "runPushButton", tr("Run the calibration"),
                  tr("Calibrates over the grid (F5)."))),
      m_cancel(named(new QPushButton(tr("Cancel"), this), "cancelPushButton",
                     tr("Cancel the calibration"), tr("Stops; finished words are kept (Esc)."))),
      m_cost(hintLabel({}, this)),
      m_progress(new QProgressBar(this)),
      m_problem(hintLabel({}, this)) {
    m_cost->setObjectName(QStringLiteral("costLabel"));
    m_problem->setObjectName(QStringLiteral("gridProblemLabel"));
    m_problem->hide();
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kRowSpacing);
    buildFields();
    rows->addWidget(m_problem);
    buildRunRow();

    connect(&m_model, &CurvesModel::gridTextChanged, this, &GridEditor::showGrid);
    connect(&m_model, &CurvesModel::costChanged, this, &GridEditor::showCost);
    connect(&m_model, &CurvesModel::runningChanged, this, &GridEditor::showRunning);
    connect(&m_model, &CurvesModel::progressChanged, this, &GridEditor::showRunning);
    AnalysisState& state = m_model.state();
    connect(&state, &AnalysisState::wordsChanged, this, &GridEditor::showWords);
    connect(&state, &AnalysisState::embeddingChanged, this, &GridEditor::showWords);
    connect(&state, &AnalysisState::mechanismChanged, this, &GridEditor::showGrid);
    connect(&state, &AnalysisState::drawsChanged, m_draws, &QSpinBox::setValue);
    showGrid();
    showWords();
    m_draws->setValue(state.draws());
    showCost();
    showRunning();
}

QWidget* GridEditor::firstControl() const {
    return m_epsilons;
}

void GridEditor::buildFields() {
    m_wordKind->addItem(tr("random"), static_cast<int>(Kind::random));
    m_wordKind->addItem(tr("all"), static_cast<int>(Kind::all));
    guardWheel(m_wordKind);
    m_epsilons->setMinimumWidth(110);
    m_lambdas->setMinimumWidth(90);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    addLabelled(*row, QStringLiteral("&ε"), m_epsilons, 3);
    addLabelled(*row, QStringLiteral("&λ"), m_lambdas, 2);
    addLabelled(*row, tr("&words"), m_wordKind, 0);
    row->addWidget(m_words);
    addLabelled(*row, tr("&draws"), m_draws, 0);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);

    connect(m_epsilons, &QLineEdit::editingFinished, this, &GridEditor::takeEpsilons);
    connect(m_lambdas, &QLineEdit::editingFinished, this, &GridEditor::takeLambdas);
    connect(m_wordKind, &QComboBox::activated, this, &GridEditor::takeWords);
    connect(m_words, &QSpinBox::valueChanged, this, &GridEditor::takeWords);
    connect(m_draws, &QSpinBox::valueChanged, &m_model.state(), &AnalysisState::setDraws);
}

void GridEditor::buildRunRow() {
    m_progress->setObjectName(QStringLiteral("curvesProgressBar"));
    m_progress->setAccessibleName(tr("Progress of the calibration"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(10);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    row->addWidget(m_run);
    row->addWidget(m_cancel);
    row->addWidget(m_progress, 1);
    row->addWidget(m_cost, 1);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_run, &QPushButton::clicked, &m_model, &CurvesModel::run);
    connect(m_cancel, &QPushButton::clicked, &m_model, &CurvesModel::cancel);
}

void GridEditor::takeEpsilons() {
    setProblem(m_model.setEpsilonText(m_epsilons->text()));
}

void GridEditor::takeLambdas() {
    setProblem(m_model.setLambdaText(m_lambdas->text()));
}

void GridEditor::takeWords() {
    calibration::WordSelection words = m_model.state().words();
    words.kind = static_cast<Kind>(m_wordKind->currentData().toInt());
    words.count = m_words->value();
    m_words->setVisible(words.kind == Kind::random);
    m_model.state().setWords(words);
}

void GridEditor::showGrid() {
    const bool hasLambda = m_model.state().mechanism() != mechanism::Kind::laplace;
    m_epsilons->setText(m_model.epsilonText());
    m_epsilons->setCursorPosition(0);
    m_lambdas->setEnabled(hasLambda);
    m_lambdas->setText(hasLambda ? m_model.lambdaText() : tr("none"));
    m_lambdas->setCursorPosition(0);
    setProblem({});
}

void GridEditor::setProblem(const QString& problem) {
    const QString text = problem.isEmpty() ? m_model.lambdaNote() : QStringLiteral("✗ ") + problem;
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
}

void GridEditor::showWords() {
    const calibration::WordSelection& words = m_model.state().words();
    const QSignalBlocker blockCount(m_words);
    const int listed = m_wordKind->findData(static_cast<int>(Kind::list));
    if (words.kind == Kind::list && listed < 0) {
        m_wordKind->addItem(tr("list"), static_cast<int>(Kind::list));
    } else if (words.kind != Kind::list && listed >= 0) {
        m_wordKind->removeItem(listed);
    }
    m_wordKind->setCurrentIndex(m_wordKind->findData(static_cast<int>(words.kind)));
    if (m_model.state().embedding()) {
        m_words->setMaximum(std::max(kFewestWords, m_model.state().embedding()->wordCount()));
    }
    m_words->setValue(static_cast<int>(words.count));
    m_words->setVisible(words.kind == Kind::random);
}

void GridEditor::showCost() {
    const QString obstacle = m_model.obstacle();
    m_run->setEnabled(obstacle.isEmpty());
    m_cost->setText(obstacle.isEmpty() ? m_model.costText() : obstacle);
    m_run->setAccessibleDescription(m_cost->text());
}

void GridEditor::showRunning() {
    const bool running = m_model.isRunning();
    m_run->setVisible(!running);
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
    for (QWidget* input :
         std::initializer_list<QWidget*>{m_epsilons, m_wordKind, m_words, m_draws}) {
        input->setEnabled(!running);
    }
    m_lambdas->setEnabled(!running && m_model.state().mechanism() != mechanism::Kind::laplace);
    if (running) {
        m_progress->setValue(static_cast<int>(std::lround(1000.0 * m_model.runner().fraction())));
        m_cost->setText(m_model.progressText());
    } else {
        showCost();
    }
}

}  // namespace epsilens::ui
