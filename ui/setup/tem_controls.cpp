#include "ui/setup/tem_controls.h"

#include <cmath>
#include <utility>

#include <QVBoxLayout>

#include "ui/setup/choice_list.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

// Epsilon moves many times a second; the count follows when it rests.
constexpr int kEpsilonRestMs = 120;

}  // namespace

TemControls::TemControls(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_mode(new ChoiceList<GammaMode>("gammaModeComboBox", tr("How gamma is chosen"),
                                       tr("Words farther than γ share one weight. γ follows from "
                                          "an error probability β, or is given."),
                                       this)),
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
    layout->addWidget(m_within);
    connectState();
    showState();
}

void TemControls::connectState() {
    connect(&m_rest, &QTimer::timeout, this, &TemControls::startJob);
    connect(m_mode, &QComboBox::currentIndexChanged, this, &TemControls::takeMode);
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
    requestFacts();
}

void TemControls::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    requestFacts();
}

void TemControls::requestFacts() {
    // A radius that is given needs the largest distance for its slider, which stands elsewhere.
    if (m_state.mechanism().hasRadius() &&
        (isVisible() || m_state.settings().mechanism.gammaGiven)) {
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
