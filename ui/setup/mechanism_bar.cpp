#include "ui/setup/mechanism_bar.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/state/bound_control.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using mechanism::Mechanism;

constexpr double kLeastBeta = 1e-6;
constexpr double kLargestBeta = 0.5;
// Fewer would hide steps of the arrow keys.
constexpr int kBetaDigits = 3;
constexpr int kListCharacters = 12;

/// Place of a mechanism in the list, whatever its parameters.
int placeOf(const Mechanism& mechanism) {
    const auto all = Mechanism::all();
    return static_cast<int>(
        std::find_if(all.begin(), all.end(),
                     [&](const Mechanism& kind) { return kind.isKindOf(mechanism); }) -
        all.begin());
}

ChoiceList<int>::Entries mechanismEntries() {
    ChoiceList<int>::Entries entries;
    for (const Mechanism& mechanism : Mechanism::all()) {
        entries.emplace_back(placeOf(mechanism), mechanismTitle(mechanism));
    }
    return entries;
}

/// A step of 1, 2 or 5 times a power of ten, at least a thousandth of the range.
double stepOf(double range) {
    constexpr int kSliderSteps = 1000;
    const double least = range / kSliderSteps;
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * decade >= least) {
            return factor * decade;
        }
    }
    return 10.0 * decade;
}

}  // namespace

MechanismBar::MechanismBar(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_mechanism(new ChoiceList<int>(
          "mechanismComboBox", tr("Mechanism"),
          tr("How a word is replaced: by noise added to its vector, or by words drawn with "
             "probabilities that fall with their distance (TEM, exponential)."),
          mechanismEntries(), this)),
      m_lambda(parameter(&mechanism::Parameters::lambda, "lambda", tr("λ"), tr("Lambda"),
                         tr("0: the same noise in all directions. 1: noise follows the shape of "
                            "the vocabulary. Ctrl+Shift+L goes here."),
                         {ValueScale::Kind::linear, 0.0, 1.0, 0.01, 0}, 1.0)),
      m_beta(parameter(
          &mechanism::Parameters::beta, "beta", tr("β"), tr("Beta"),
          tr("Outputs lie within γ with probability at least 1 − β; γ follows from it at every ε."),
          {ValueScale::Kind::logarithmic, kLeastBeta, kLargestBeta, 0.0, kBetaDigits},
          kLargestBeta)),
      m_gamma(parameter(&mechanism::Parameters::gamma, "gamma", tr("γ"), tr("Gamma"),
                        tr("Words farther than γ share one weight: at 0 all words share it, at the "
                           "largest distance none do."),
                        {ValueScale::Kind::linear, 0.0, 1.0, 0.001, 0},
                        std::numeric_limits<double>::max(), tr("units of distance"))) {
    // As wide as its longest name where there is room, and cut where there is not.
    m_mechanism->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    followFont(m_mechanism, [this](const QFontMetrics& metrics) {
        m_mechanism->setMinimumWidth(metrics.averageCharWidth() * kListCharacters);
    });
    QHBoxLayout* row = rowOf({m_mechanism, m_lambda, m_beta, m_gamma}, kPanelMargin);
    row->setStretch(0, 0);
    setLayout(row);
    bindTo(
        m_state, *m_mechanism,
        [](const AnalysisSettings& settings) { return placeOf(settings.chosen()); },
        [](AnalysisSettings& settings, int place) {
            settings.choose(Mechanism::all()[static_cast<std::size_t>(place)]);
        });
    m_state.onChange(&AnalysisSettings::mechanism, this, &MechanismBar::followChoice);
    m_state.onChange(&AnalysisSettings::largestDistance, this, [this] {
        if (const auto largest = m_state.settings().largestDistance; largest && *largest > 0.0) {
            m_gamma->setScale({ValueScale::Kind::linear, 0.0, *largest, stepOf(*largest), 0});
        }
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MechanismBar::followEmbedding);
    followEmbedding();
}

ParameterControl* MechanismBar::parameter(Member member, const char* id, const QString& symbol,
                                          const QString& name, const QString& tooltip,
                                          const ValueScale& scale, double highest,
                                          const QString& unit) {
    ParameterSpec spec;
    spec.id = QLatin1String(id);
    spec.label = symbol;
    spec.accessibleName = name;
    spec.tooltip = tooltip;
    spec.unit = unit;
    spec.scale = scale;
    spec.typed = {scale.low, highest, false, false, symbol};
    auto* control = new ParameterControl(spec, this);
    bindTo(
        m_state, *control,
        [member](const AnalysisSettings& settings) {
            return *(settings.mechanism.parameters.*member);
        },
        [member](AnalysisSettings& settings, double value) {
            mechanism::Parameters given;
            given.*member = value;
            settings.setParameters(given);
        });
    return control;
}

void MechanismBar::followEmbedding() {
    const auto& embedding = m_state.embedding();
    setEnabled(embedding != nullptr);
    const auto basis = m_state.basis();
    m_largestLambda = basis ? mechanism::largestUsableLambda(*basis) : 1.0;
    for (const Mechanism& mechanism : Mechanism::all()) {
        m_mechanism->setRefusal(placeOf(mechanism), metricRefusal(embedding, mechanism.metric()));
    }
    m_lambda->setTypedLimits(0.0, m_largestLambda);
    m_lambda->setSliderRange(0.0, m_largestLambda);
    if (m_state.lambda() > m_largestLambda) {
        m_state.edit(&AnalysisSettings::setParameters, {.lambda = m_largestLambda});
    }
    followChoice();
}

void MechanismBar::followChoice() {
    const Mechanism mechanism = m_state.mechanism();
    const bool isGammaGiven = m_state.settings().mechanism.gammaGiven;
    const bool isLaplace = isElliptical(mechanism) && !mechanism.hasLambda();
    m_beta->setVisible(mechanism.hasRadius() && !isGammaGiven);
    m_gamma->setVisible(mechanism.hasRadius() && isGammaGiven);
    m_lambda->setVisible(isLaplace || mechanism.hasLambda());
    m_lambda->setUnavailable(
        isLaplace ? tr("Multivariate Laplace has the same noise in all directions, as at λ = 0.")
                  : QString());
    m_lambda->setNote(
        !isLaplace && m_largestLambda < 1.0
            ? tr("λ = 1 is impossible: the covariance is singular. Largest usable λ: %1.")
                  .arg(shortest(m_largestLambda))
            : QString());
}

void MechanismBar::focusLambda() {
    m_lambda->focusField();
}

}  // namespace epsilens::ui
