#include "ui/setup/mechanism_section.h"

#include <array>

#include <QLabel>
#include <QVBoxLayout>

#include "ui/setup/choice_list.h"
#include "ui/setup/hyperbolic_controls.h"
#include "ui/setup/tem_controls.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"

namespace epsilens::ui {

namespace {

constexpr std::array kMetrics{metric::Metric::euclidean, metric::Metric::mahalanobis,
                              metric::Metric::angular, metric::Metric::poincare};

}  // namespace

MechanismSection::MechanismSection(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_reason(hintLabel({}, this)),
      m_metricRow(new QWidget(this)),
      m_metric(new ChoiceList<metric::Metric>("metricComboBox", tr("Metric"),
                                              tr("The distance the guarantee is stated in."),
                                              m_metricRow)),
      m_hyperbolic(new HyperbolicControls(state, this)),
      m_tem(new TemControls(state, this)) {
    for (const metric::Metric metric : kMetrics) {
        m_metric->add(metric, metricTitle(metric));
    }
    m_reason->setObjectName(QStringLiteral("mechanismReasonLabel"));
    m_reason->setWordWrap(true);
    m_reason->hide();
    arrange();
    connectState();
    followEmbedding();
}

void MechanismSection::arrange() {
    auto* metricGrid = new QGridLayout(m_metricRow);
    metricGrid->setContentsMargins(0, 0, 0, 0);
    metricGrid->setHorizontalSpacing(8);
    addLabelledRow(*metricGrid, tr("Me&tric"), m_metric);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(headingLabel(tr("Mechanism"), this));
    layout->addWidget(m_metricRow);
    layout->addWidget(m_hyperbolic);
    layout->addWidget(m_tem);
    layout->addWidget(m_reason);
}

void MechanismSection::connectState() {
    connect(m_metric, &QComboBox::currentIndexChanged, this, [this] {
        m_state.edit(&AnalysisSettings::setParameters, {.metric = m_metric->value()});
    });
    m_state.onChange(&AnalysisSettings::mechanism, this, &MechanismSection::followChoice);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MechanismSection::followEmbedding);
}

void MechanismSection::followEmbedding() {
    showRefusals();
    followChoice();
}

void MechanismSection::showRefusals() {
    const auto refused = [this](metric::Metric metric) {
        return metricRefusal(m_state.embedding(), metric);
    };
    QStringList reasons;
    for (const mechanism::Mechanism& mechanism : mechanism::Mechanism::all()) {
        const QString refusal = refused(mechanism.metric());
        if (!refusal.isEmpty()) {
            reasons.append(tr("%1 cannot run: %2.").arg(mechanismTitle(mechanism), refusal));
        }
    }
    for (const metric::Metric metric : kMetrics) {
        m_metric->setRefusal(metric, refused(metric));
    }
    m_reason->setText(reasons.join(QLatin1Char('\n')));
    m_reason->setVisible(!reasons.isEmpty());
}

void MechanismSection::followChoice() {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const mechanism::Parameters parameters = mechanism.parameters();
    const bool isHyperbolic = parameters.law.has_value();
    m_metric->show(*m_state.parameters().metric);
    m_metricRow->setVisible(parameters.metric.has_value());
    m_tem->setVisible(mechanism.hasRadius());
    m_hyperbolic->setVisible(isHyperbolic);
    setVisible(parameters.metric || mechanism.hasRadius() || isHyperbolic ||
               !m_reason->text().isEmpty());
}

}  // namespace epsilens::ui
