#include "ui/setup/mechanism_section.h"

#include <algorithm>
#include <array>

#include <QLabel>
#include <QVBoxLayout>

#include "ui/setup/choice_list.h"
#include "ui/setup/hyperbolic_controls.h"
#include "ui/setup/tem_controls.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/parameter_control.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::array kMetrics{metric::Metric::euclidean, metric::Metric::mahalanobis,
                              metric::Metric::angular, metric::Metric::poincare};

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
    spec.label = MechanismSection::tr("Shape &λ");
    spec.accessibleName = MechanismSection::tr("Lambda");
    spec.tooltip = MechanismSection::tr(
        "0: the same noise in all directions. 1: noise follows the "
        "shape of the vocabulary.");
    spec.lowWord = MechanismSection::tr("same in all directions");
    spec.highWord = MechanismSection::tr("follows the vocabulary");
    spec.scale = {ValueScale::Kind::linear, 0.0, 1.0, 0.01, 0};
    spec.typed = {0.0, 1.0, false, false, QStringLiteral("λ")};
    spec.value = state.lambda();
    return spec;
}

}  // namespace

MechanismSection::MechanismSection(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_mechanism(new ChoiceList<int>(
          "mechanismComboBox", tr("Mechanism"),
          tr("How a word is replaced: by noise added to its vector, or by words drawn with "
             "probabilities that fall with their distance (TEM, exponential)."),
          this)),
      m_reason(hintLabel({}, this)),
      m_metricRow(new QWidget(this)),
      m_metric(new ChoiceList<metric::Metric>("metricComboBox", tr("Metric"),
                                              tr("The distance the guarantee is stated in."),
                                              m_metricRow)),
      m_hyperbolic(new HyperbolicControls(state, this)),
      m_lambda(new ParameterControl(lambdaSpec(state), this)),
      m_tem(new TemControls(state, this)) {
    fillLists();
    m_reason->setObjectName(QStringLiteral("mechanismReasonLabel"));
    m_reason->setWordWrap(true);
    m_reason->hide();
    arrange();
    connectState();
    followEmbedding();
}

void MechanismSection::fillLists() {
    for (const mechanism::Mechanism& mechanism : mechanism::Mechanism::all()) {
        m_mechanism->add(placeOf(mechanism), mechanismTitle(mechanism));
    }
    for (const metric::Metric metric : kMetrics) {
        m_metric->add(metric, metricTitle(metric));
    }
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
    layout->addWidget(m_mechanism);
    layout->addWidget(m_reason);
    layout->addWidget(m_metricRow);
    layout->addWidget(m_hyperbolic);
    layout->addSpacing(2);
    layout->addWidget(m_lambda);
    layout->addWidget(m_tem);
}

void MechanismSection::connectState() {
    connect(m_mechanism, &QComboBox::currentIndexChanged, this, [this] {
        m_state.edit(&AnalysisSettings::choose,
                     mechanism::Mechanism::all()[static_cast<std::size_t>(m_mechanism->value())]);
    });
    connect(m_metric, &QComboBox::currentIndexChanged, this, [this] {
        m_state.edit(&AnalysisSettings::setParameters, {.metric = m_metric->value()});
    });
    connect(m_lambda, &ParameterControl::valueChanged, &m_state, [this](double lambda) {
        m_state.edit(&AnalysisSettings::setParameters, {.lambda = lambda});
    });
    m_state.onChange(&AnalysisSettings::mechanism, this, &MechanismSection::followChoice);
    m_state.onChange(&AnalysisSettings::lambda, this,
                     [this] { m_lambda->setValue(m_state.lambda()); });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MechanismSection::followEmbedding);
}

void MechanismSection::followEmbedding() {
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

void MechanismSection::showRefusals() {
    const auto refused = [this](metric::Metric metric) {
        const auto& embedding = m_state.embedding();
        const auto refusal = embedding ? metricRefusal(embedding, metric) : std::nullopt;
        return refusal ? refusalText(*refusal) : QString();
    };
    QStringList reasons;
    for (const mechanism::Mechanism& mechanism : mechanism::Mechanism::all()) {
        const QString refusal = refused(mechanism.metric());
        m_mechanism->setRefusal(placeOf(mechanism), refusal);
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
    m_mechanism->show(placeOf(mechanism));
    m_metric->show(*m_state.parameters().metric);
    m_metricRow->setVisible(parameters.metric.has_value());
    m_tem->setVisible(mechanism.hasRadius());
    m_hyperbolic->setVisible(parameters.law || parameters.placement);
    showLambda();
}

void MechanismSection::showLambda() {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const bool laplace = isElliptical(mechanism) && !mechanism.hasLambda();
    m_lambda->setVisible(laplace || mechanism.hasLambda());
    m_lambda->setUnavailable(laplace ? tr("Multivariate Laplace has the same noise in all "
                                          "directions, as λ = 0.")
                                     : QString());
    m_lambda->setNote(
        !laplace && m_largestLambda < 1.0
            ? tr("λ = 1 is impossible: the covariance is singular. Largest usable λ: %1.")
                  .arg(shortest(m_largestLambda))
            : QString());
}

void MechanismSection::focusLambda() {
    m_lambda->focusField();
}

}  // namespace epsilens::ui
