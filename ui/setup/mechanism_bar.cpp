#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <QGridLayout>
#include <QLabel>

#include "ui/setup/setup_panel.h"
#include "ui/state/controls.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

using mechanism::Mechanism;

namespace {

/// A parameter on one line: label, slider and typed field; below it why typed text is refused.
class ParameterRow final : public QWidget {
public:
    struct Spec {
        std::optional<double> mechanism::Parameters::*member = nullptr;
        QString id{};  ///< "lambda" gives lambdaSlider, lambdaField
        QString symbol{};
        QString name{};
        QString tooltip{};
        ValueScale scale{};
        double highest = 0.0;  ///< that may be typed; the slider may end before it
        QString unit{};        ///< spoken after the value; may be empty
    };

    ParameterRow(AnalysisState& state, const Spec& spec, QWidget* parent)
        : QWidget(parent),
          m_symbol(spec.symbol),
          m_tooltip(spec.tooltip),
          m_label(new QLabel(spec.symbol, this)),
          m_slider(new ValueSlider(this)),
          m_field(
              new NumberField({spec.scale.low, spec.highest, false, false, spec.symbol}, this)) {
        m_slider->setObjectName(spec.id + QStringLiteral("Slider"));
        m_field->setObjectName(spec.id + QStringLiteral("Field"));
        for (QWidget* part : parts()) {
            part->setAccessibleName(spec.name);
            part->setAccessibleDescription(m_tooltip);
            part->setToolTip(m_tooltip);
        }
        m_label->setBuddy(m_field);
        constexpr int kSevenDigits = 68;
        keepFieldWidth(m_field, kSevenDigits);
        m_slider->setScale(spec.scale);
        m_slider->setSpokenValue([unit = spec.unit](double value) {
            return QStringLiteral("%1 %2").arg(shortest(value), unit).trimmed();
        });
        constexpr int kNarrowestSlider = 48;
        constexpr int kWidestSlider = 112;
        m_slider->setMinimumWidth(kNarrowestSlider);
        m_slider->setMaximumWidth(kWidestSlider);
        QLabel* hint = hintLabel({}, this);
        hint->setObjectName(spec.id + QStringLiteral("HintLabel"));
        hint->setWordWrap(true);
        hint->hide();
        auto* grid = new QGridLayout(this);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(kRowSpacing);
        grid->setVerticalSpacing(0);
        grid->addWidget(m_label, 0, 0);
        grid->addWidget(m_slider, 0, 1);
        grid->addWidget(m_field, 0, 2);
        grid->setColumnStretch(1, 1);
        grid->addWidget(hint, 1, 0, 1, -1);

        const auto set = [&state, member = spec.member](double value) {
            mechanism::Parameters given;
            given.*member = value;
            state.edit(&AnalysisSettings::setParameters, given);
        };
        connect(m_slider, &ValueSlider::valueChanged, this, set);
        connect(m_field, &NumberField::valueEdited, this, set);
        connect(m_field, &NumberField::stepRequested, m_slider, &ValueSlider::step);
        connect(m_field, &NumberField::problemChanged, this, [this, hint](const QString& problem) {
            showProblem(*hint, problem);
            m_field->setAccessibleDescription(problem.isEmpty() ? m_tooltip : problem);
        });
        const auto value = [member = spec.member](const AnalysisSettings& settings) {
            return *(settings.mechanism.parameters.*member);
        };
        const auto show = [this, &state, value] {
            m_slider->setValue(value(state.settings()));
            m_field->setValue(value(state.settings()));
        };
        state.onChange(value, this, show);
        show();
    }

    void setRange(double low, double high) {
        ValueScale scale = m_slider->scale();
        scale.low = low;
        scale.high = high;
        m_slider->setScale(scale);
        m_field->setLimits({low, high, false, false, m_symbol});
    }
    void setScale(const ValueScale& scale) { m_slider->setScale(scale); }
    void remark(const QString& text, bool isInUse) {
        for (QWidget* part : parts()) {
            part->setEnabled(isInUse);
            part->setToolTip(text.isEmpty() ? m_tooltip : m_tooltip + u'\n' + text);
        }
    }

private:
    [[nodiscard]] std::array<QWidget*, 3> parts() const { return {m_slider, m_field, m_label}; }

    QString m_symbol;
    QString m_tooltip;
    QLabel* m_label;
    ValueSlider* m_slider;
    NumberField* m_field;
};

constexpr double kLeastBeta = 1e-6;
constexpr double kLargestBeta = 0.5;
// Fewer would hide steps of the arrow keys.
constexpr int kBetaDigits = 3;
constexpr int kListCharacters = 10;

int placeOf(const Mechanism& mechanism) {
    const auto all = Mechanism::all();
    return static_cast<int>(
        std::ranges::find_if(all, [&](const Mechanism& kind) { return kind.isKindOf(mechanism); }) -
        all.begin());
}

ChoiceList<int>::Entries mechanismEntries() {
    ChoiceList<int>::Entries entries;
    for (const Mechanism& mechanism : Mechanism::all()) {
        entries.emplace_back(placeOf(mechanism), mechanismTitle(mechanism));
    }
    return entries;
}

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

class MechanismBar final : public QWidget {
public:
    explicit MechanismBar(AnalysisState& state, QWidget* parent)
        : QWidget(parent),
          m_state(state),
          m_mechanism(new ChoiceList<int>(
              "mechanismComboBox", tr("Mechanism"),
              tr("How a word is replaced: by noise added to its vector, or by words drawn with "
                 "probabilities that fall with their distance (TEM, exponential)."),
              mechanismEntries(), this)),
          m_lambda(new ParameterRow(state,
                                    {&mechanism::Parameters::lambda,
                                     QStringLiteral("lambda"),
                                     tr("λ"),
                                     tr("Lambda"),
                                     tr("0: the same noise in all directions. 1: noise follows the "
                                        "shape of the vocabulary. Ctrl+Shift+L goes here."),
                                     {ValueScale::Kind::linear, 0.0, 1.0, 0.01, 0},
                                     1.0},
                                    this)),
          m_beta(new ParameterRow(
              state,
              {&mechanism::Parameters::beta,
               QStringLiteral("beta"),
               tr("β"),
               tr("Beta"),
               tr("β: the share of outputs that may lie farther away than γ, beyond which all "
                  "words share one weight. γ follows from β at every ε."),
               {ValueScale::Kind::logarithmic, kLeastBeta, kLargestBeta, 0.0, kBetaDigits},
               kLargestBeta},
              this)),
          m_gamma(new ParameterRow(
              state,
              {&mechanism::Parameters::gamma,
               QStringLiteral("gamma"),
               tr("γ"),
               tr("Gamma"),
               tr("Words farther than γ share one weight: at 0 all words share it, at the largest "
                  "distance none do."),
               {ValueScale::Kind::linear, 0.0, 1.0, 0.001, 0},
               std::numeric_limits<double>::max(),
               tr("units of distance")},
              this)) {
        // As wide as its longest name where there is room, and cut where there is not.
        m_mechanism->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        followFont(m_mechanism, [this](const QFontMetrics& metrics) {
            m_mechanism->setMinimumWidth(metrics.averageCharWidth() * kListCharacters);
        });
        QHBoxLayout* row = rowOf({m_mechanism, m_lambda, m_beta, m_gamma}, kPanelMargin);
        for (int part = 0; part < row->count(); ++part) {
            row->setStretch(part, part);  // the name of the mechanism gives way last
        }
        setLayout(row);
        bindTo(
            m_state, *m_mechanism,
            [](const AnalysisSettings& settings) { return placeOf(settings.currentMechanism()); },
            [](AnalysisSettings& settings, int place) {
                settings.chooseMechanism(Mechanism::all()[static_cast<std::size_t>(place)]);
            });
        m_state.onChange(&AnalysisSettings::mechanism, this, &MechanismBar::followChoice);
        m_state.onChange(&AnalysisSettings::largestDistance, this, [this] {
            if (const auto largest = m_state.settings().largestDistance;
                largest && *largest > 0.0) {
                m_gamma->setScale({ValueScale::Kind::linear, 0.0, *largest, stepOf(*largest), 0});
            }
        });
        connect(&m_state, &AnalysisState::embeddingChanged, this, &MechanismBar::followEmbedding);
        followEmbedding();
    }

private:
    void followEmbedding() {
        const auto& embedding = m_state.embedding();
        setEnabled(embedding != nullptr);
        const auto basis = m_state.basis();
        m_largestLambda = basis ? mechanism::largestUsableLambda(*basis) : 1.0;
        for (const Mechanism& mechanism : Mechanism::all()) {
            m_mechanism->setRefusal(placeOf(mechanism),
                                    metricRefusal(embedding, mechanism.metric()));
        }
        m_lambda->setRange(0.0, m_largestLambda);
        if (m_state.lambda() > m_largestLambda) {
            m_state.edit(&AnalysisSettings::setParameters, {.lambda = m_largestLambda});
        }
        followChoice();
    }
    void followChoice() {
        const Mechanism mechanism = m_state.mechanism();
        const bool isGammaGiven = m_state.settings().mechanism.gammaGiven;
        m_mechanism->setToolTip(m_mechanism->accessibleDescription() + QLatin1Char('\n') +
                                mechanismHelp(mechanism));
        const bool isLaplace = isElliptical(mechanism) && !mechanism.hasLambda();
        m_beta->setVisible(mechanism.hasRadius() && !isGammaGiven);
        m_gamma->setVisible(mechanism.hasRadius() && isGammaGiven);
        m_lambda->setVisible(isLaplace || mechanism.hasLambda());
        m_lambda->remark(
            isLaplace
                ? tr("Multivariate Laplace has the same noise in all directions, as at λ = 0.")
            : m_largestLambda < 1.0
                ? tr("λ = 1 is impossible: the covariance is singular. Largest usable λ: %1.")
                      .arg(shortest(m_largestLambda))
                : QString(),
            !isLaplace);
    }

    AnalysisState& m_state;
    ChoiceList<int>* m_mechanism;  ///< of places in Mechanism::all()
    ParameterRow* m_lambda;
    ParameterRow* m_beta;
    ParameterRow* m_gamma;
    double m_largestLambda = 1.0;
};

}  // namespace

QWidget* mechanismBar(AnalysisState& state, QWidget* parent) {
    return new MechanismBar(state, parent);
}

}  // namespace epsilens::ui
