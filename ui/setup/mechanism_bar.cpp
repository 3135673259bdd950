#include "ui/setup/mechanism_bar.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QHBoxLayout>

#include "ui/setup/choice_list.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/parameter_control.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kLeastBeta = 1e-6;
constexpr double kLargestBeta = 0.5;
// Fewer would hide steps of the arrow keys.
constexpr int kBetaDigits = 3;
constexpr int kSliderSteps = 1000;
constexpr int kListCharacters = 12;

/// Place of a mechanism in the list, whatever its parameters.
int placeOf(const mechanism::Mechanism& mechanism) {
    const auto all = mechanism::Mechanism::all();
    return static_cast<int>(
        std::find_if(all.begin(), all.end(),
                     [&](const mechanism::Mechanism& kind) { return kind.isKindOf(mechanism); }) -
        all.begin());
}

ParameterSpec lambdaSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("lambda");
    spec.label = MechanismBar::tr("λ");
    spec.accessibleName = MechanismBar::tr("Lambda");
    spec.tooltip = MechanismBar::tr(
        "0: the same noise in all directions. 1: noise follows the "
        "shape of the vocabulary. Ctrl+Shift+L goes here.");
    spec.scale = {ValueScale::Kind::linear, 0.0, 1.0, 0.01, 0};
    spec.typed = {0.0, 1.0, false, false, QStringLiteral("λ")};
    spec.value = state.lambda();
    spec.inLine = true;
    return spec;
}

ParameterSpec betaSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("beta");
    spec.label = MechanismBar::tr("β");
    spec.accessibleName = MechanismBar::tr("Beta");
    spec.tooltip = MechanismBar::tr(
        "Outputs lie within γ with probability at least 1 − β; γ follows from it at every ε.");
    spec.scale = {ValueScale::Kind::logarithmic, kLeastBeta, kLargestBeta, 0.0, kBetaDigits};
    spec.typed = {kLeastBeta, kLargestBeta, false, false, QStringLiteral("β")};
    spec.value = *state.parameters().beta;
    spec.inLine = true;
    return spec;
}

ParameterSpec gammaSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("gamma");
    spec.label = MechanismBar::tr("γ");
    spec.accessibleName = MechanismBar::tr("Gamma");
    spec.tooltip = MechanismBar::tr(
        "Words farther than γ share one weight: at 0 all words share it, at the largest distance "
        "none do.");
    spec.unit = MechanismBar::tr("units of distance");
    spec.scale = {ValueScale::Kind::linear, 0.0, 1.0, 0.001, 0};
    spec.typed = {0.0, std::numeric_limits<double>::max(), false, false, QStringLiteral("γ")};
    spec.value = *state.parameters().gamma;
    spec.inLine = true;
    return spec;
}

/// A step of 1, 2 or 5 times a power of ten, at least a thousandth of the range.
double stepOf(double range) {
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
          this)),
      m_lambda(new ParameterControl(lambdaSpec(state), this)),
      m_beta(new ParameterControl(betaSpec(state), this)),
      m_gamma(new ParameterControl(gammaSpec(state), this)) {
    for (const mechanism::Mechanism& mechanism : mechanism::Mechanism::all()) {
        m_mechanism->add(placeOf(mechanism), mechanismTitle(mechanism));
    }
    arrange();
    connectState();
    followEmbedding();
}

void MechanismBar::arrange() {
    // As wide as its longest name where there is room, and cut where there is not.
    m_mechanism->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    followFont(m_mechanism, [this](const QFontMetrics& metrics) {
        m_mechanism->setMinimumWidth(metrics.averageCharWidth() * kListCharacters);
    });
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelMargin);
    layout->addWidget(m_mechanism);
    for (ParameterControl* control : {m_lambda, m_beta, m_gamma}) {
        layout->addWidget(control);
    }
}

void MechanismBar::connectState() {
    connect(m_mechanism, &QComboBox::currentIndexChanged, this, [this] {
        m_state.edit(&AnalysisSettings::choose,
                     mechanism::Mechanism::all()[static_cast<std::size_t>(m_mechanism->value())]);
    });
    connect(m_lambda, &ParameterControl::valueChanged, &m_state, [this](double lambda) {
        m_state.edit(&AnalysisSettings::setParameters, {.lambda = lambda});
    });
    connect(m_beta, &ParameterControl::valueChanged, &m_state, [this](double beta) {
        m_state.edit(&AnalysisSettings::setParameters, {.beta = beta});
    });
    connect(m_gamma, &ParameterControl::valueChanged, &m_state, [this](double gamma) {
        m_state.edit(&AnalysisSettings::setParameters, {.gamma = gamma});
    });
    m_state.onChange(&AnalysisSettings::mechanism, this, &MechanismBar::followChoice);
    m_state.onChange(&AnalysisSettings::largestDistance, this, [this] {
        if (const auto largest = m_state.settings().largestDistance; largest && *largest > 0.0) {
            m_gamma->setScale({ValueScale::Kind::linear, 0.0, *largest, stepOf(*largest), 0});
        }
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MechanismBar::followEmbedding);
}

void MechanismBar::followEmbedding() {
    setEnabled(m_state.embedding() != nullptr);
    const auto basis = m_state.basis();
    m_largestLambda = basis ? mechanism::largestUsableLambda(*basis) : 1.0;
    showRefusals();
    m_lambda->setTypedLimits(0.0, m_largestLambda);
    m_lambda->setSliderRange(0.0, m_largestLambda);
    if (m_state.lambda() > m_largestLambda) {
        m_state.edit(&AnalysisSettings::setParameters, {.lambda = m_largestLambda});
    }
    followChoice();
}

void MechanismBar::showRefusals() {
    for (const mechanism::Mechanism& mechanism : mechanism::Mechanism::all()) {
        m_mechanism->setRefusal(placeOf(mechanism),
                                metricRefusal(m_state.embedding(), mechanism.metric()));
    }
}

void MechanismBar::followChoice() {
    const MechanismSettings& settings = m_state.settings().mechanism;
    const mechanism::Mechanism mechanism = m_state.mechanism();
    m_mechanism->show(placeOf(mechanism));
    m_beta->setVisible(mechanism.hasRadius() && !settings.gammaGiven);
    m_gamma->setVisible(mechanism.hasRadius() && settings.gammaGiven);
    m_lambda->setValue(m_state.lambda());
    m_beta->setValue(*settings.parameters.beta);
    m_gamma->setValue(*settings.parameters.gamma);
    showLambda();
}

void MechanismBar::showLambda() {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const bool laplace = isElliptical(mechanism) && !mechanism.hasLambda();
    m_lambda->setVisible(laplace || mechanism.hasLambda());
    m_lambda->setUnavailable(
        laplace ? tr("Multivariate Laplace has the same noise in all directions, as at λ = 0.")
                : QString());
    m_lambda->setNote(
        !laplace && m_largestLambda < 1.0
            ? tr("λ = 1 is impossible: the covariance is singular. Largest usable λ: %1.")
                  .arg(shortest(m_largestLambda))
            : QString());
}

void MechanismBar::focusLambda() {
    m_lambda->focusField();
}

}  // namespace epsilens::ui
