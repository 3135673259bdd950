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
      m_defaultEpsilons(state.grid().epsilons.empty()),
      m_defaultLambdas(state.grid().lambdas == defaultLambdas()),
      m_known(state.grid()) {
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        m_defaultEpsilons = true;
        expectScale();
        m_scaleIsDue = true;
        followDefaults();
    });
    connect(&m_state, &AnalysisState::changed, this, &CurveGrid::follow);
    expectScale();
    followDefaults();
}

void CurveGrid::follow(const AnalysisSettings& before, const AnalysisSettings& now) {
    const mechanism::Mechanism was = before.chosen();
    const mechanism::Mechanism is = now.chosen();
    if (!is.sharesUnitWith(was)) {
        m_defaultEpsilons = true;
        expectScale();
    } else if (!is.isKindOf(was)) {
        m_scaleIsDue = true;
    }
    // The default grid stays when lambda or another parameter moves the scale: results stay valid.
    const bool isScaleTaken = m_scaleIsDue && now.epsilonScale != before.epsilonScale;
    if (isScaleTaken) {
        expectScale();
    }
    if (m_state.grid() != m_known) {
        // Undo puts defaults back, which are to be followed again.
        m_known = m_state.grid();
        m_defaultEpsilons = m_known.epsilons == defaultEpsilons();
        m_defaultLambdas = m_known.lambdas == defaultLambdas();
        m_defaultGammas = m_known.gammas == defaultGammas();
        Q_EMIT textChanged();
    }
    if (is != was || isScaleTaken || now.largestDistance != before.largestDistance) {
        followDefaults();
    }
}

void CurveGrid::expectScale() {
    m_scale = m_state.epsilonScale();
    m_scaleIsDue = !m_scale.low;
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

std::vector<double> CurveGrid::defaultGammas() const {
    const auto& largest = m_state.settings().largestDistance;
    if (!largest) {
        return {*m_state.parameters().gamma};
    }
    std::vector<double> gammas;
    for (const double share : {0.25, 0.5, 0.75, 1.0}) {
        gammas.push_back(significant(share * *largest, 2).toDouble());
    }
    return gammas;
}

void CurveGrid::followDefaults() {
    GridValues values = m_state.grid();
    if (m_defaultEpsilons) {
        values.epsilons = defaultEpsilons();
    }
    if (m_defaultLambdas) {
        values.lambdas = defaultLambdas();
    }
    if (m_defaultGammas) {
        values.gammas = defaultGammas();
    }
    set(std::move(values));
}

void CurveGrid::set(GridValues values) {
    m_known = values;
    m_state.edit(&AnalysisSettings::grid, std::move(values));
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
    m_defaultEpsilons = false;
    GridValues grid = m_state.grid();
    grid.epsilons = std::move(*values);
    set(std::move(grid));
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
            m_state.edit([](AnalysisSettings& settings) {
                settings.grid.betas = calibration::defaultBetaGrid();
            });
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
    GridValues grid = m_state.grid();
    if (asked == CurveParameter::lambda) {
        m_defaultLambdas = false;
        grid.lambdas = std::move(*values);
    } else if (asked == CurveParameter::beta) {
        grid.betas = std::move(*values);
    } else {
        m_defaultGammas = false;
        grid.gammas = std::move(*values);
    }
    set(std::move(grid));
    return {};
}

QString CurveGrid::epsilonText() const {
    return gridText(m_state.grid().epsilons);
}

QString CurveGrid::parameterText() const {
    switch (parameter()) {
        case CurveParameter::lambda:
            return gridText(m_state.grid().lambdas);
        case CurveParameter::beta:
            return gridText(m_state.grid().betas);
        case CurveParameter::gamma:
            return gridText(m_state.grid().gammas);
        case CurveParameter::none:
            break;
    }
    return {};
}

}  // namespace epsilens::ui
