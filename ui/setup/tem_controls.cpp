#include "ui/setup/tem_controls.h"

#include <cmath>
#include <limits>
#include <utility>

#include <QVBoxLayout>

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
// Epsilon moves many times a second; the count follows when it rests.
constexpr int kEpsilonRestMs = 120;

ParameterSpec betaSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("beta");
    spec.label = TemControls::tr("Error probability &β");
    spec.accessibleName = TemControls::tr("Beta");
    spec.tooltip = TemControls::tr(
        "Outputs lie within γ with probability at least 1 − β; γ follows from it at every ε.");
    spec.lowWord = TemControls::tr("wider γ");
    spec.highWord = TemControls::tr("narrower γ");
    spec.scale = {ValueScale::Kind::logarithmic, kLeastBeta, kLargestBeta, 0.0, kBetaDigits};
    spec.typed = {kLeastBeta, kLargestBeta, false, false, QStringLiteral("β")};
    spec.value = *state.parameters().beta;
    return spec;
}

ParameterSpec gammaSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("gamma");
    spec.label = TemControls::tr("Radius &γ");
    spec.accessibleName = TemControls::tr("Gamma");
    spec.tooltip = TemControls::tr("Words farther than γ share one weight.");
    spec.unit = TemControls::tr("units of distance");
    spec.lowWord = TemControls::tr("all words alike");
    spec.highWord = TemControls::tr("the largest distance");
    spec.scale = {ValueScale::Kind::linear, 0.0, 1.0, 0.001, 0};
    spec.typed = {0.0, std::numeric_limits<double>::max(), false, false, QStringLiteral("γ")};
    spec.value = *state.parameters().gamma;
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

TemControls::TemControls(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_mode(new ChoiceList<GammaMode>("gammaModeComboBox", tr("How gamma is chosen"),
                                       tr("Words farther than γ share one weight. γ follows from "
                                          "an error probability β, or is given."),
                                       this)),
      m_beta(new ParameterControl(betaSpec(state), this)),
      m_gamma(new ParameterControl(gammaSpec(state), this)),
      m_within(hintLabel({}, this)),
      m_rest(kEpsilonRestMs),
      m_job(tr("Measuring distances"),
            [this](const Result<RadiusFacts>& facts) { takeFacts(facts); }) {
    m_mode->add(GammaMode::fromBeta, tr("from β"));
    m_mode->add(GammaMode::given, tr("given"));
    m_within->setObjectName(QStringLiteral("withinGammaLabel"));
    m_within->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    addLabelledRow(*grid, tr("γ"), m_mode);
    layout->addLayout(grid);
    layout->addWidget(m_beta);
    layout->addWidget(m_gamma);
    layout->addWidget(m_within);
    connectState();
    showState();
}

void TemControls::connectState() {
    connect(&m_rest, &QTimer::timeout, this, &TemControls::startJob);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &TemControls::takeMode);
    connect(m_beta, &ParameterControl::valueChanged, &m_state, [this](double beta) {
        m_state.edit(&AnalysisSettings::setParameters, {.beta = beta});
    });
    connect(m_gamma, &ParameterControl::valueChanged, &m_state, [this](double gamma) {
        m_state.edit(&AnalysisSettings::setParameters, {.gamma = gamma});
    });
    m_state.onChange(&AnalysisSettings::mechanism, this, &TemControls::showState);
    m_state.onChange(&AnalysisSettings::epsilon, this, &TemControls::requestFacts);
    connect(&m_state, &AnalysisState::embeddingDropped, this, [this] {
        m_job.drop();
        m_facts.reset();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &TemControls::requestFacts);
}

std::optional<double> TemControls::gammaNow() const {
    return m_state.embedding() ? gammaAt(m_state.embedding(), m_state.setting()) : std::nullopt;
}

void TemControls::takeMode() {
    MechanismSettings mechanism = m_state.settings().mechanism;
    const bool wasGiven = std::exchange(mechanism.gammaGiven, m_mode->value() == GammaMode::given);
    if (mechanism.gammaGiven && !wasGiven) {
        // The radius in use stays, so that nothing jumps.
        if (const auto now = gammaNow()) {
            mechanism.parameters.gamma = significant(*now, 3).toDouble();
        }
    }
    m_state.edit(&AnalysisSettings::mechanism, mechanism);
}

void TemControls::showState() {
    const MechanismSettings& mechanism = m_state.settings().mechanism;
    m_mode->show(mechanism.gammaGiven ? GammaMode::given : GammaMode::fromBeta);
    m_beta->setVisible(!mechanism.gammaGiven);
    m_gamma->setVisible(mechanism.gammaGiven);
    m_beta->setValue(*mechanism.parameters.beta);
    m_gamma->setValue(*mechanism.parameters.gamma);
    requestFacts();
}

void TemControls::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    requestFacts();
}

void TemControls::requestFacts() {
    if (m_state.mechanism().hasRadius() && isVisible()) {
        m_rest.start();
    }
    showWithin();
}

void TemControls::startJob() {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    if (!m_state.embedding() || !mechanism.hasRadius()) {
        return;
    }
    RadiusRequest request{m_state.embedding(), mechanism.metric(), mechanism.lambda(),
                          gammaNow(),          m_state.seed(),     m_state.metricSpaces()};
    m_job.start([request = std::move(request)](const JobContext& job) {
        return findRadiusFacts(request, job);
    });
}

void TemControls::takeFacts(const Result<RadiusFacts>& facts) {
    if (!facts) {
        return;
    }
    m_facts = *facts;
    if (facts->largestDistance > 0.0) {
        m_gamma->setScale({ValueScale::Kind::linear, 0.0, facts->largestDistance,
                           stepOf(facts->largestDistance), 0});
        m_state.edit(&AnalysisSettings::largestDistance, facts->largestDistance);
    }
    showWithin();
}

void TemControls::showWithin() {
    const auto gamma = gammaNow();
    QString text;
    if (gamma && !m_state.settings().mechanism.gammaGiven) {
        text = tr("γ = %1 at this ε. ").arg(significant(*gamma, 3));
    }
    if (gamma && m_facts && m_facts->medianWithin && m_facts->gamma == gamma) {
        text += tr("Within γ: %1 of %2 words (median)")
                    .arg(counted(std::llround(*m_facts->medianWithin)),
                         counted(m_state.embedding()->wordCount()));
    } else if (gamma) {
        text += tr("Within γ: …");
    }
    m_within->setText(text);
    m_within->setVisible(!text.isEmpty());
}

}  // namespace epsilens::ui
