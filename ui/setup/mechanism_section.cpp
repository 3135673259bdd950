#include "ui/setup/mechanism_section.h"

#include <limits>

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "ui/common/analysis_state.h"
#include "ui/common/layout.h"
#include "ui/common/parameter_control.h"
#include "ui/common/qt_convert.h"
#include "ui/common/wheel_guard.h"

namespace epsilens::ui {

namespace {

constexpr double kSliderSpan =
    1000.0;  ///< the slider reaches from default / span to default × span
constexpr int kEpsilonDigits = 4;

ParameterSpec epsilonSpec(const AnalysisState& state) {
    const double suggested = state.epsilonScale().suggested;
    ParameterSpec spec;
    spec.id = QStringLiteral("epsilon");
    spec.label = MechanismSection::tr("Privacy &ε");
    spec.accessibleName = MechanismSection::tr("Epsilon");
    spec.tooltip = MechanismSection::tr(
        "Privacy parameter, per unit of distance. Smaller is more private: more words change.");
    spec.unit = MechanismSection::tr("per unit of distance");
    spec.lowWord = MechanismSection::tr("more private");
    spec.highWord = MechanismSection::tr("more useful");
    spec.scale = {ValueScale::Kind::logarithmic, suggested / kSliderSpan, suggested * kSliderSpan,
                  0.0, kEpsilonDigits};
    spec.typed = {0.0, std::numeric_limits<double>::max(), true, false, QStringLiteral("ε")};
    spec.value = state.epsilon();
    return spec;
}

ParameterSpec lambdaSpec(const AnalysisState& state) {
    ParameterSpec spec;
    spec.id = QStringLiteral("lambda");
    spec.label = MechanismSection::tr("Noise shape &λ");
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
      m_mechanism(new QComboBox(this)),
      m_reason(hintLabel({}, this)),
      m_epsilon(new ParameterControl(epsilonSpec(state), this)),
      m_lambda(new ParameterControl(lambdaSpec(state), this)),
      m_odds(new QLabel(this)) {
    buildMechanismList();
    m_reason->setObjectName(QStringLiteral("mechanismReasonLabel"));
    m_reason->setWordWrap(true);
    m_reason->hide();
    m_odds->setObjectName(QStringLiteral("oddsLabel"));
    m_odds->setTextFormat(Qt::RichText);
    m_odds->setWordWrap(true);
    m_odds->setAccessibleName(tr("Meaning of epsilon"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(headingLabel(tr("Mechanism"), this));
    layout->addWidget(m_mechanism);
    layout->addWidget(m_reason);
    layout->addSpacing(2);
    layout->addWidget(m_epsilon);
    layout->addWidget(m_odds);
    layout->addSpacing(2);
    layout->addWidget(m_lambda);
    connectState();
    followEmbedding();
    followEpsilonScale();
}

void MechanismSection::buildMechanismList() {
    m_mechanism->setObjectName(QStringLiteral("mechanismComboBox"));
    m_mechanism->setAccessibleName(tr("Mechanism"));
    m_mechanism->setToolTip(tr("How a word is replaced: what noise is added to its vector."));
    m_mechanism->setAccessibleDescription(m_mechanism->toolTip());
    m_mechanism->addItem(tr("Multivariate Laplace"), static_cast<int>(mechanism::Kind::laplace));
    m_mechanism->addItem(tr("Regularized Mahalanobis"),
                         static_cast<int>(mechanism::Kind::mahalanobis));
    guardWheel(m_mechanism);
}

void MechanismSection::connectState() {
    connect(m_mechanism, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_state.setMechanism(static_cast<mechanism::Kind>(m_mechanism->itemData(index).toInt()));
    });
    connect(m_epsilon, &ParameterControl::valueChanged, &m_state, &AnalysisState::setEpsilon);
    connect(m_lambda, &ParameterControl::valueChanged, &m_state, &AnalysisState::setLambda);
    connect(&m_state, &AnalysisState::epsilonChanged, this, [this](double epsilon) {
        m_epsilon->setValue(epsilon);
        showOdds();
    });
    connect(&m_state, &AnalysisState::lambdaChanged, this, [this](double lambda) {
        m_lambda->setValue(lambda);
        chooseExample();
    });
    connect(&m_state, &AnalysisState::epsilonScaleChanged, this,
            &MechanismSection::followEpsilonScale);
    connect(&m_state, &AnalysisState::mechanismChanged, this, &MechanismSection::followMechanism);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MechanismSection::followEmbedding);
}

void MechanismSection::followEmbedding() {
    const auto basis = m_state.basis();
    m_largestLambda = basis ? mechanism::largestUsableLambda(*basis) : 1.0;
    QString refusal;
    if (basis) {
        const auto noise =
            mechanism::EllipticalNoise::create(basis, std::min(m_state.lambda(), m_largestLambda));
        refusal = noise ? QString() : toQString(noise.error().message);
    }
    auto* model = qobject_cast<QStandardItemModel*>(m_mechanism->model());
    QStandardItem* item =
        model->item(m_mechanism->findData(static_cast<int>(mechanism::Kind::mahalanobis)));
    item->setEnabled(refusal.isEmpty());
    item->setToolTip(refusal);
    m_reason->setText(tr("Regularized Mahalanobis cannot run: %1").arg(refusal));
    m_reason->setVisible(!refusal.isEmpty());
    if (!refusal.isEmpty()) {
        m_state.setMechanism(mechanism::Kind::laplace);
    }
    m_lambda->setTypedLimits(0.0, m_largestLambda);
    m_lambda->setSliderRange(0.0, m_largestLambda);
    if (m_state.lambda() > m_largestLambda) {
        m_state.setLambda(m_largestLambda);
    }
    followMechanism();
}

void MechanismSection::followEpsilonScale() {
    const EpsilonScale& scale = m_state.epsilonScale();
    m_epsilon->setSliderRange(scale.suggested / kSliderSpan, scale.suggested * kSliderSpan);
    m_epsilon->setShadedRange(scale.low, scale.high);
}

void MechanismSection::followMechanism() {
    const bool laplace = m_state.mechanism() == mechanism::Kind::laplace;
    {
        const QSignalBlocker blocker(m_mechanism);
        m_mechanism->setCurrentIndex(m_mechanism->findData(static_cast<int>(m_state.mechanism())));
    }
    m_lambda->setUnavailable(laplace ? tr("Multivariate Laplace has the same noise in all "
                                          "directions, as λ = 0.")
                                     : QString());
    m_lambda->setNote(
        !laplace && m_largestLambda < 1.0
            ? tr("λ = 1 is impossible: the covariance is singular. Largest usable λ: %1.")
                  .arg(shortest(m_largestLambda))
            : QString());
    chooseExample();
}

void MechanismSection::chooseExample() {
    const auto& embedding = m_state.embedding();
    m_example = embedding ? exampleWords(embedding->vocabulary()) : std::nullopt;
    if (m_example) {
        const auto noise =
            mechanism::EllipticalNoise::create(m_state.basis(), m_state.effectiveLambda());
        if (noise) {
            m_exampleDistance = guaranteeDistance(*embedding, *noise, *m_example);
        } else {
            m_example.reset();
        }
    }
    showOdds();
}

void MechanismSection::showOdds() {
    m_odds->setVisible(m_example.has_value());
    if (!m_example) {
        return;
    }
    const auto& vocabulary = m_state.embedding()->vocabulary();
    const QString sentence =
        oddsSentence(m_state.epsilon(), m_exampleDistance, vocabulary.word(m_example->first),
                     vocabulary.word(m_example->second));
    m_odds->setText(sentence);
}

void MechanismSection::focusEpsilon() {
    m_epsilon->focusField();
}

void MechanismSection::focusLambda() {
    m_lambda->focusField();
}

}  // namespace epsilens::ui
