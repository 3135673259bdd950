#include "ui/curves/curve_grid.h"

#include <utility>

#include "core/calibration/epsilon_defaults.h"
#include "ui/curves/grid_text.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

// Range around the suggested epsilon while the critical values are not known.
constexpr double kGuessedSpread = 3.0;

}  // namespace

CurveGrid::CurveGrid(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_defaultEpsilons(state.gridEpsilons().empty()),
      m_defaultLambdas(state.gridLambdas() == defaultLambdas()),
      m_choice(state.mechanism()) {
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        m_defaultEpsilons = true;
        expectScale();
        m_scaleIsDue = true;
        followDefaults();
    });
    connect(&m_state, &AnalysisState::choiceChanged, this, &CurveGrid::followChoice);
    connect(&m_state, &AnalysisState::epsilonScaleChanged, this, &CurveGrid::followScale);
    connect(&m_state, &AnalysisState::largestDistanceChanged, this, &CurveGrid::followDefaults);
    connect(&m_state, &AnalysisState::gridChanged, this, &CurveGrid::followGrid);
    expectScale();
    followDefaults();
}

void CurveGrid::followChoice() {
    const mechanism::Mechanism before = std::exchange(m_choice, m_state.mechanism());
    if (!m_choice.sharesUnitWith(before)) {
        m_defaultEpsilons = true;
        expectScale();
    } else if (!m_choice.isKindOf(before)) {
        m_scaleIsDue = true;
    }
    followDefaults();
}

void CurveGrid::expectScale() {
    m_scale = m_state.epsilonScale();
    m_scaleIsDue = !m_scale.low;
}

void CurveGrid::followScale() {
    if (m_scaleIsDue) {
        expectScale();
        followDefaults();
    }
}

std::vector<double> CurveGrid::defaultEpsilons() const {
    const engine::EpsilonRange range{m_scale.suggested,
                                     m_scale.low.value_or(m_scale.suggested / kGuessedSpread),
                                     m_scale.high.value_or(m_scale.suggested * kGuessedSpread), 0};
    return m_state.searchSpace() ? calibration::defaultEpsilons(*m_state.searchSpace(),
                                                                m_state.calibrationOptions(), range)
                                 : calibration::defaultEpsilonGrid(range.low, range.high);
}

bool CurveGrid::isLambdaOneImpossible() const {
    const auto basis = m_state.basis();
    return basis && mechanism::largestUsableLambda(*basis) < 1.0;
}

std::vector<double> CurveGrid::defaultLambdas() const {
    std::vector<double> lambdas = calibration::defaultLambdaGrid();
    if (isLambdaOneImpossible()) {
        lambdas.pop_back();
    }
    return lambdas;
}

void CurveGrid::followDefaultGammas() {
    const auto largest = m_state.largestDistance();
    if (!largest) {
        m_state.setGridGammas({m_state.gamma()});
        return;
    }
    std::vector<double> gammas;
    for (const double share : {0.25, 0.5, 0.75, 1.0}) {
        gammas.push_back(significant(share * *largest, 2).toDouble());
    }
    m_state.setGridGammas(std::move(gammas));
}

void CurveGrid::followDefaults() {
    m_isOwnChange = true;
    if (m_defaultEpsilons) {
        m_state.setGridEpsilons(defaultEpsilons());
    }
    if (m_defaultLambdas) {
        m_state.setGridLambdas(defaultLambdas());
    }
    if (m_defaultGammas) {
        followDefaultGammas();
    }
    m_isOwnChange = false;
    Q_EMIT textChanged();
}

CurveParameter CurveGrid::parameter() const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const CurveParameter parameter = parameterOf(mechanism);
    return parameter == CurveParameter::lambda && !mechanism.hasLambda() ? CurveParameter::none
                                                                         : parameter;
}

QString CurveGrid::note() const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    if (mechanism.hasRadius() && mechanism.hasLambda()) {
        return tr("λ stays at %1, the value set").arg(shortest(mechanism.lambda()));
    }
    return mechanism.hasLambda() && m_defaultLambdas && isLambdaOneImpossible()
               ? tr("λ = 1 is left out: the covariance of this vocabulary is singular")
               : QString();
}

void CurveGrid::followGrid() {
    if (m_isOwnChange) {
        return;
    }
    // Undo puts defaults back, which are to be followed again.
    m_defaultEpsilons = m_state.gridEpsilons() == defaultEpsilons();
    m_defaultLambdas = m_state.gridLambdas() == defaultLambdas();
    m_defaultGammas = false;
    Q_EMIT textChanged();
}

QString CurveGrid::setEpsilonText(const QString& text) {
    if (text.trimmed().isEmpty()) {
        m_defaultEpsilons = true;
        expectScale();
        followDefaults();
        return {};
    }
    if (text.trimmed() == epsilonText()) {
        return {};
    }
    auto values = parseEpsilonGrid(text);
    if (!values) {
        return toQString(values.error().message);
    }
    m_isOwnChange = true;
    m_defaultEpsilons = false;
    m_state.setGridEpsilons(std::move(*values));
    m_isOwnChange = false;
    Q_EMIT textChanged();
    return {};
}

void CurveGrid::takeDefaultParameter() {
    switch (parameter()) {
        case CurveParameter::lambda:
            m_defaultLambdas = true;
            break;
        case CurveParameter::gamma:
            m_defaultGammas = true;
            break;
        case CurveParameter::beta:
            m_state.setGridBetas(calibration::defaultBetaGrid());
            break;
        case CurveParameter::none:
            break;
    }
    followDefaults();
}

QString CurveGrid::setParameterText(const QString& text) {
    if (text.trimmed().isEmpty()) {
        takeDefaultParameter();
        return {};
    }
    const CurveParameter asked = parameter();
    if (text.trimmed() == parameterText() || asked == CurveParameter::none) {
        return {};
    }
    auto values = asked == CurveParameter::lambda ? parseLambdaGrid(text)
                  : asked == CurveParameter::beta ? parseBetaGrid(text)
                                                  : parseGammaGrid(text);
    if (!values) {
        return toQString(values.error().message);
    }
    m_isOwnChange = true;
    if (asked == CurveParameter::lambda) {
        m_defaultLambdas = false;
        m_state.setGridLambdas(std::move(*values));
    } else if (asked == CurveParameter::beta) {
        m_state.setGridBetas(std::move(*values));
    } else {
        m_defaultGammas = false;
        m_state.setGridGammas(std::move(*values));
    }
    m_isOwnChange = false;
    Q_EMIT textChanged();
    return {};
}

QString CurveGrid::epsilonText() const {
    return gridText(m_state.gridEpsilons());
}

QString CurveGrid::parameterText() const {
    switch (parameter()) {
        case CurveParameter::lambda:
            return gridText(m_state.gridLambdas());
        case CurveParameter::beta:
            return gridText(m_state.gridBetas());
        case CurveParameter::gamma:
            return gridText(m_state.gridGammas());
        case CurveParameter::none:
            break;
    }
    return {};
}

}  // namespace epsilens::ui
