#include "ui/setup/run_section.h"

#include <algorithm>
#include <array>
#include <limits>

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/base/numbers.h"
#include "core/document/session.h"
#include "ui/setup/word_choice.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/parameter_control.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

constexpr double kFewestDraws = 10.0;
constexpr double kMostDraws = 10'000.0;
using document::kPercentileBands;

ParameterSpec drawsSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("draws");
    spec.label = RunSection::tr("&Draws per word R");
    spec.accessibleName = RunSection::tr("Draws per word");
    spec.tooltip = RunSection::tr("Repetitions per word.");
    spec.lowWord = RunSection::tr("faster");
    spec.highWord = RunSection::tr("more exact");
    spec.scale = {ValueScale::Kind::logarithmic, kFewestDraws, kMostDraws, 0.0, 0};
    spec.typed = {kFewestDraws, kMostDraws, false, true, RunSection::tr("R")};
    spec.value = state.draws();
    return spec;
}

QLabel* rowLabel(const QString& text, QWidget* buddy, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setBuddy(buddy);
    label->setMinimumWidth(kLabelWidth);
    return label;
}

void describe(QWidget* widget, const QString& name, const QString& tooltip) {
    widget->setAccessibleName(name);
    widget->setToolTip(tooltip);
    widget->setAccessibleDescription(tooltip);
}

}  // namespace

RunSection::RunSection(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                       QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_draws(new ParameterControl(drawsSpec(state), this)),
      m_seed(new QLineEdit(this)),
      m_band(new QComboBox(this)),
      m_hint(hintLabel({}, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(headingLabel(tr("Statistics"), this));
    layout->addWidget(m_draws);
    layout->addWidget(new WordChoice(state, results, jobs, this));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(kRowSpacing);
    grid->setColumnStretch(1, 1);
    buildSeedRow(*grid, 0);
    buildBandRow(*grid, 1);
    layout->addLayout(grid);
    layout->addWidget(m_hint);
    m_hint->setObjectName(QStringLiteral("statisticsHintLabel"));
    m_hint->setWordWrap(true);
    m_hint->hide();
    connectState();
}

void RunSection::buildSeedRow(QGridLayout& grid, int row) {
    m_seed->setObjectName(QStringLiteral("seedField"));
    m_seed->setMaxLength(20);
    m_seed->setAlignment(Qt::AlignRight);
    describe(m_seed, tr("Seed"), tr("Same seed, same numbers. Not used for text to be released."));
    auto* fresh = new QPushButton(tr("New"), this);
    fresh->setObjectName(QStringLiteral("newSeedButton"));
    keepFieldWidth(fresh);
    describe(fresh, tr("New seed"), tr("Choose another seed at random."));
    connect(fresh, &QPushButton::clicked, this, [this] {
        m_state.edit(&AnalysisSettings::seed,
                     QRandomGenerator::system()->bounded(1U, 1'000'000'000U));
    });
    connect(m_seed, &QLineEdit::editingFinished, this, &RunSection::applySeedText);
    grid.addWidget(rowLabel(tr("&Seed"), m_seed, this), row, 0);
    grid.addWidget(m_seed, row, 1);
    grid.addWidget(fresh, row, 2);
}

void RunSection::buildBandRow(QGridLayout& grid, int row) {
    m_band->setObjectName(QStringLiteral("bandComboBox"));
    describe(m_band, tr("Percentile band"),
             tr("The percentiles of the words between which the curves are shaded."));
    for (const auto& [low, high] : kPercentileBands) {
        m_band->addItem(tr("%1–%2%").arg(low).arg(high));
    }
    m_band->setCurrentIndex(1);
    guardWheel(m_band);
    grid.addWidget(rowLabel(tr("&Band"), m_band, this), row, 0);
    grid.addWidget(m_band, row, 1);
}

void RunSection::connectState() {
    connect(m_draws, &ParameterControl::valueChanged, &m_state, [this](double draws) {
        m_state.edit(&AnalysisSettings::draws, static_cast<int>(draws));
    });
    connect(m_band, &QComboBox::currentIndexChanged, this, &RunSection::takeBand);
    m_state.onChange(&AnalysisSettings::draws, this,
                     [this] { m_draws->setValue(m_state.draws()); });
    const auto showSeed = [this] {
        m_seed->setText(QString::number(m_state.seed()));
        m_seedProblem.clear();
        showHint();
    };
    m_state.onChange(&AnalysisSettings::seed, this, showSeed);
    m_state.onChange(&AnalysisSettings::band, this, [this] {
        const std::array band{m_state.band().low, m_state.band().high};
        const auto* found = std::find(kPercentileBands.begin(), kPercentileBands.end(), band);
        m_band->setCurrentIndex(found == kPercentileBands.end()
                                    ? -1
                                    : static_cast<int>(found - kPercentileBands.begin()));
    });
    showSeed();
}

/// No index stands for a band that is none of the list.
void RunSection::takeBand(int index) {
    if (index >= 0) {
        const auto& [low, high] = kPercentileBands[static_cast<std::size_t>(index)];
        m_state.edit(&AnalysisSettings::band, {low, high});
    }
}

void RunSection::applySeedText() {
    const auto seed =
        parseInteger(toStd(m_seed->text()), "seed", 0, std::numeric_limits<std::int64_t>::max());
    m_seedProblem = seed ? QString() : toQString(seed.error().message);
    if (seed) {
        m_state.edit(&AnalysisSettings::seed, static_cast<std::uint64_t>(*seed));
    }
    showHint();
}

void RunSection::showHint() {
    setFieldProblem(*m_seed, m_seedProblem);
    m_hint->setText(m_seedProblem.isEmpty() ? QString() : tr("⚠ %1").arg(m_seedProblem));
    m_hint->setVisible(!m_seedProblem.isEmpty());
}

}  // namespace epsilens::ui
