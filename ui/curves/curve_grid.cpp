#include "ui/curves/curve_grid.h"

#include <algorithm>
#include <utility>

#include <QStringList>

#include "core/base/numbers.h"
#include "core/calibration/options.h"
#include "ui/plot/plot_widget.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using calibration::CurveParameter;

constexpr double kGuessedSpread = 3.0;

struct ListKind {
    const char* name;
    Spacing spacing;  ///< of a range
    // More cells than anybody reads, and few enough that curves stay tellable apart.
    std::size_t most;
    const char* allowed;
    bool (*isAllowed)(double);
};

constexpr std::array kKinds{
    ListKind{"ε", Spacing::logarithmic, 100, "above 0", [](double value) { return value > 0.0; }},
    ListKind{"λ", Spacing::linear, 21, "from 0 to 1",
             [](double value) { return value >= 0.0 && value <= 1.0; }},
    ListKind{"β", Spacing::logarithmic, 21, "above 0 and below 1",
             [](double value) { return value > 0.0 && value < 1.0; }},
    ListKind{"γ", Spacing::linear, 21, "0 or more", [](double value) { return value >= 0.0; }}};

Result<std::vector<double>> parse(const ListKind& kind, const QString& text) {
    const QString name = QString::fromUtf8(kind.name);
    auto values = parseList(toStd(text), kind.name, kind.spacing);
    if (!values) {
        return values;
    }
    const auto refused = std::find_if_not(values->begin(), values->end(), kind.isAllowed);
    if (refused != values->end()) {
        return fail(ErrorCode::invalidArgument,
                    toStd(CurveGrid::tr("%1: %2 is not %3")
                              .arg(name, shortest(*refused), CurveGrid::tr(kind.allowed))) +
                        decimalCommaHint(toStd(text)));
    }
    std::sort(values->begin(), values->end());
    values->erase(std::unique(values->begin(), values->end()), values->end());
    if (values->size() > kind.most) {
        return fail(ErrorCode::invalidArgument,
                    toStd(CurveGrid::tr("%1: %2 values; a grid has at most %3")
                              .arg(name)
                              .arg(values->size())
                              .arg(kind.most)));
    }
    return values;
}

}  // namespace

CurveGrid::CurveGrid(AnalysisState& state, QObject* parent) : QObject(parent), m_state(state) {
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        expectScale();
        m_scaleIsDue = true;
        applyDefaults(epsilons);
    });
    connect(&m_state, &AnalysisState::changed, this, &CurveGrid::updateForSettings);
    expectScale();
    applyDefaults();
}

void CurveGrid::updateForSettings(const AnalysisSettings& before, const AnalysisSettings& now) {
    const mechanism::Mechanism was = before.currentMechanism();
    const mechanism::Mechanism is = now.currentMechanism();
    const bool isOtherUnit = !is.sharesUnitWith(was);
    m_scaleIsDue = m_scaleIsDue || !is.isKindOf(was);
    // The default grid stays when lambda or another parameter moves the scale: results stay valid.
    const bool isScaleTaken =
        isOtherUnit || (m_scaleIsDue && now.epsilonScale != before.epsilonScale);
    if (isScaleTaken) {
        expectScale();
    }
    if (is != was || isScaleTaken || now.largestDistance != before.largestDistance ||
        now.grid != before.grid) {
        // Undo puts back what was typed with its mechanism.
        applyDefaults(isOtherUnit && now.grid == before.grid ? epsilons : listEnd);
    }
}

void CurveGrid::expectScale() {
    m_scale = m_state.epsilonScale();
    m_scaleIsDue = !m_scale.low;
}

bool CurveGrid::isLambdaOneImpossible() const {
    const auto basis = m_state.basis();
    return basis && mechanism::largestUsableLambda(*basis) < 1.0;
}

std::vector<double> CurveGrid::defaultOf(List list) const {
    std::vector<double> values;
    if (list == epsilons) {
        const engine::EpsilonRange range{
            m_scale.suggested, m_scale.low.value_or(m_scale.suggested / kGuessedSpread),
            m_scale.high.value_or(m_scale.suggested * kGuessedSpread), 0};
        values = m_state.searchSpace()
                     ? calibration::defaultEpsilons(*m_state.searchSpace(),
                                                    m_state.calibrationOptions(), range)
                     : calibration::defaultEpsilonGrid(range.low, range.high);
    } else if (list == lambdas) {
        values = calibration::defaultLambdaGrid();
        if (isLambdaOneImpossible()) {
            values.pop_back();
        }
    } else if (list == betas) {
        values = calibration::defaultBetaGrid();
    } else if (const auto& largest = m_state.settings().largestDistance) {
        for (const double share : {0.25, 0.5, 0.75, 1.0}) {
            values.push_back(significant(share * *largest, 2).toDouble());
        }
    } else {
        values = {*m_state.parameters().gamma};
    }
    return values;
}

void CurveGrid::applyDefaults(List forced) {
    GridValues values = m_state.grid();
    GridValues defaults;
    for (const List list : {epsilons, lambdas, betas, gammas}) {
        const Values member = kValues[list];
        defaults.*member = defaultOf(list);
        if (list == forced || values.*member == m_defaults.*member) {
            values.*member = defaults.*member;
        }
    }
    m_defaults = std::move(defaults);
    m_state.edit(&AnalysisSettings::grid, std::move(values));
    Q_EMIT textChanged();
}

CurveParameter CurveGrid::parameter() const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const CurveParameter parameter = calibration::parameterOf(mechanism);
    return parameter == CurveParameter::lambda && !mechanism.hasLambda() ? CurveParameter::none
                                                                         : parameter;
}

QString CurveGrid::note() const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    if (mechanism.hasRadius() && mechanism.hasLambda()) {
        return tr("λ stays at %1, the value set").arg(shortest(mechanism.lambda()));
    }
    return mechanism.hasLambda() && m_state.grid().lambdas == m_defaults.lambdas &&
                   isLambdaOneImpossible()
               ? tr("λ = 1 is left out: the covariance of this vocabulary is singular")
               : QString();
}

QString CurveGrid::setText(List list, const QString& text) {
    if (text.trimmed().isEmpty()) {
        if (list == epsilons) {
            expectScale();
        }
        applyDefaults(list);
        return {};
    }
    if (text.trimmed() == textOf(list)) {
        return {};
    }
    auto values = parse(kKinds[list], text);
    if (!values) {
        return toQString(values.error().message);
    }
    m_state.edit(
        [&](AnalysisSettings& settings) { settings.grid.*kValues[list] = std::move(*values); });
    return {};
}

QString CurveGrid::textOf(List list) const {
    QStringList texts;
    for (const double value : m_state.grid().*kValues[list]) {
        texts.append(brief(value));
    }
    return texts.join(QStringLiteral("; "));
}

QString CurveGrid::setParameterText(const QString& text) {
    const CurveParameter asked = parameter();
    return asked == CurveParameter::none ? QString() : setText(static_cast<List>(asked), text);
}

QString CurveGrid::parameterText() const {
    const CurveParameter asked = parameter();
    return asked == CurveParameter::none ? QString() : textOf(static_cast<List>(asked));
}

}  // namespace epsilens::ui
