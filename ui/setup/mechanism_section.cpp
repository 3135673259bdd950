#include "ui/setup/mechanism_section.h"

#include <algorithm>
#include <array>
#include <limits>

#include <QLabel>
#include <QVBoxLayout>

#include "ui/setup/choice_list.h"
#include "ui/setup/guarantee_model.h"
#include "ui/setup/hyperbolic_controls.h"
#include "ui/setup/tem_controls.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/parameter_control.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kSliderSpan =
    1000.0;  ///< the slider reaches from default / span to default × span
constexpr int kEpsilonDigits = 4;
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

/// The default / span to the default × span, both counted from the bound that epsilon must exceed.
ValueScale epsilonScale(double suggested, double bound) {
    const double above = suggested - bound;
    return {ValueScale::Kind::logarithmic,
            bound + above / kSliderSpan,
            bound + above * kSliderSpan,
            0.0,
            kEpsilonDigits,
            bound};
}

QString epsilonTooltip(double bound) {
    return bound > 0.0 ? MechanismSection::tr("This noise exists only above m−1.")
                       : MechanismSection::tr(
                             "Privacy parameter, per unit of distance. Smaller is more "
                             "private: more words change.");
}

ParameterSpec epsilonSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("epsilon");
    spec.label = MechanismSection::tr("Privacy &ε");
    spec.accessibleName = MechanismSection::tr("Epsilon");
    spec.tooltip = epsilonTooltip(state.epsilonBound());
    spec.unit = MechanismSection::tr("per unit of distance");
    spec.lowWord = MechanismSection::tr("more private");
    spec.highWord = MechanismSection::tr("more useful");
    spec.scale = epsilonScale(state.epsilonScale().suggested, 0.0);
    spec.typed = {0.0, std::numeric_limits<double>::max(), true, false, QStringLiteral("ε")};
    spec.value = state.epsilon();
    return spec;
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

MechanismSection::MechanismSection(AnalysisState& state, const GuaranteeModel& guarantee,
                                   QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_guarantee(guarantee),
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
      m_epsilon(new ParameterControl(epsilonSpec(state), this)),
      m_odds(new QLabel(this)),
      m_lambda(new ParameterControl(lambdaSpec(state), this)),
      m_tem(new TemControls(state, this)) {
    fillLists();
    m_reason->setObjectName(QStringLiteral("mechanismReasonLabel"));
    m_reason->setWordWrap(true);
    m_reason->hide();
    m_odds->setObjectName(QStringLiteral("oddsLabel"));
    m_odds->setTextFormat(Qt::RichText);
    m_odds->setWordWrap(true);
    m_odds->setAccessibleName(tr("Meaning of epsilon"));
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
    layout->addWidget(m_epsilon);
    layout->addWidget(m_odds);
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
    connect(m_epsilon, &ParameterControl::valueChanged, &m_state,
            [this](double epsilon) { m_state.edit(&AnalysisSettings::chooseEpsilon, epsilon); });
    connect(m_lambda, &ParameterControl::valueChanged, &m_state, [this](double lambda) {
        m_state.edit(&AnalysisSettings::setParameters, {.lambda = lambda});
    });
    m_state.onChange(&AnalysisSettings::epsilonScale, this, &MechanismSection::followEpsilonScale);
    m_state.onChange(&AnalysisSettings::mechanism, this, &MechanismSection::followChoice);
    m_state.onChange(&AnalysisSettings::lambda, this,
                     [this] { m_lambda->setValue(m_state.lambda()); });
    m_state.onChange(&AnalysisSettings::epsilon, this, [this] {
        m_epsilon->setValue(m_state.epsilon());
        showEpsilonNote();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MechanismSection::followEmbedding);
    connect(&m_guarantee, &GuaranteeModel::changed, this, &MechanismSection::showOdds);
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

void MechanismSection::followEpsilonScale() {
    const EpsilonScale& scale = m_state.epsilonScale();
    const double bound = m_state.epsilonBound();
    m_epsilon->setScale(epsilonScale(scale.suggested, bound));
    m_epsilon->setTypedLimits(bound, std::numeric_limits<double>::max());
    m_epsilon->setTooltip(epsilonTooltip(bound));
    m_epsilon->setShadedRange(scale.low, scale.high);
    showEpsilonNote();
}

void MechanismSection::showEpsilonNote() {
    const EpsilonScale& scale = m_state.epsilonScale();
    const double bound = m_state.epsilonBound();
    QStringList notes;
    if (bound > 0.0) {
        notes << tr("This noise exists only above m − 1 = %1.").arg(shortest(bound));
    }
    // The range is that of draws placed by the Möbius sum which some epsilon keeps.
    const bool tellsOfAllDraws =
        scale.alwaysKept == 0.0 &&
        m_state.mechanism().parameters().placement != mechanism::Placement::additive;
    if (scale.low && m_state.epsilon() < *scale.low && tellsOfAllDraws) {
        notes << (m_state.mechanism().isExact()
                      ? tr("Below %1, as sampled, under 5% of the words stay in half of their "
                           "draws: little of a text is left.")
                      : tr("Below %1, as sampled, under 5% of the draws keep their word: little "
                           "of a text is left."))
                     .arg(significant(*scale.low, 2));
    }
    m_epsilon->setNote(notes.join(QLatin1Char(' ')));
}

void MechanismSection::followChoice() {
    followEpsilonScale();
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const mechanism::Parameters parameters = mechanism.parameters();
    m_mechanism->show(placeOf(mechanism));
    m_metric->show(*m_state.parameters().metric);
    m_metricRow->setVisible(parameters.metric.has_value());
    m_tem->setVisible(mechanism.hasRadius());
    m_hyperbolic->setVisible(parameters.law || parameters.placement);
    m_epsilon->setValue(m_state.epsilon());
    showLambda();
    showOdds();
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

void MechanismSection::showOdds() {
    const QString odds = m_guarantee.odds();
    m_odds->setText(odds);
    m_odds->setVisible(!odds.isEmpty());
}

void MechanismSection::focusEpsilon() {
    m_epsilon->focusField();
}

void MechanismSection::focusLambda() {
    // Not every mechanism has one to change.
    if (m_state.mechanism().hasLambda()) {
        m_lambda->focusField();
    } else {
        m_epsilon->focusField();
    }
}

}  // namespace epsilens::ui
