#include "ui/state/mechanism_view.h"

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/value_scale.h"

using namespace epsilens;
using namespace epsilens::ui;

class MechanismViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choicesDifferOnlyByWhatTheirKindHas() {
        AnalysisState state;
        int choices = 0;
        state.onChange(&AnalysisSettings::chosen, this, [&choices] { ++choices; });
        state.edit(&AnalysisSettings::setParameters, {.beta = 0.01});
        state.edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        state.edit(&AnalysisSettings::setParameters, {.metric = metric::Metric::angular});
        QCOMPARE(choices, 0);  // Mahalanobis has none of these
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.25});
        QCOMPARE(choices, 1);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QCOMPARE(choices, 2);
        QCOMPARE(*state.mechanism().parameters().beta, 0.01);
        QCOMPARE(state.mechanism().lambda(), 0.0);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.75});
        QCOMPARE(choices, 2);  // angular distances have no lambda
        state.edit(&AnalysisSettings::setParameters, {.gamma = 3.0});
        QCOMPARE(choices, 2);  // gamma follows from beta
        state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        QCOMPARE(*state.mechanism().parameters().gamma, 3.0);
        state.edit(&AnalysisSettings::setParameters, {.beta = 0.1});
        QCOMPARE(choices, 3);
    }

    /// What the others have is there when they are chosen again; λ is shared.
    void parametersAreRememberedFromOneMechanismToTheOther() {
        AnalysisState state;
        state.edit([&](AnalysisSettings& settings) {
            settings.mechanism.take(mechanism::Tem{metric::Metric::mahalanobis, 0.25, 3.0});
        });
        QCOMPARE(state.lambda(), 0.25);
        QVERIFY(state.settings().mechanism.gammaGiven);
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        state.edit(&AnalysisSettings::choose, mechanism::Mahalanobis());
        QCOMPARE(state.mechanism().lambda(), 0.25);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(state.mechanism() == mechanism::Tem({metric::Metric::mahalanobis, 0.25, 3.0}));
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QVERIFY(state.mechanism() == mechanism::Hyperbolic{mechanism::RadialLaw::eq7});
        state.edit([&](AnalysisSettings& settings) {
            settings.mechanism.take(mechanism::Mahalanobis{0.75});
        });
        QCOMPARE(state.lambda(), 0.75);
    }

    void titlesNameTheParametersThatCount() {
        QCOMPARE(shortTitle(mechanism::Laplace()), QStringLiteral("Laplace"));
        QCOMPARE(shortTitle(mechanism::Mahalanobis{0.5}), QStringLiteral("Mahalanobis λ 0.50"));
        mechanism::Tem tem;
        QCOMPARE(shortTitle(tem), QStringLiteral("TEM Euclidean β 0.001"));
        tem.distance = metric::Metric::mahalanobis;
        tem.gamma = 1.5;
        QCOMPARE(shortTitle(tem), QStringLiteral("TEM Mahalanobis λ 0.50 γ 1.50"));
        QCOMPARE(shortTitle(mechanism::Hyperbolic{mechanism::RadialLaw::eq7}),
                 QStringLiteral("hyperbolic eq7"));
        QCOMPARE(shortTitle(mechanism::Hyperbolic()), QStringLiteral("hyperbolic riemannian"));
    }

    /// Riemannian noise exists above m - 1 only; the default is m - 1 + 10.
    void epsilonStaysWhereTheNoiseExists() {
        AnalysisState state;
        state.setEmbedding(test::toyBall(40, 5), nullptr);
        state.edit(&AnalysisSettings::chooseEpsilon, 2.0);
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QCOMPARE(state.epsilonBound(), 4.0);
        QCOMPARE(state.epsilon(), 14.0);
        QCOMPARE(state.epsilonScale().suggested, 14.0);
        state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        QCOMPARE(state.epsilon(), 14.0);
        state.edit(&AnalysisSettings::chooseEpsilon, 4.5);
        QCOMPARE(state.epsilon(), 4.5);
        state.edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        QCOMPARE(state.epsilonBound(), 0.0);
        state.edit(&AnalysisSettings::chooseEpsilon, 0.5);
        QCOMPARE(state.epsilon(), 0.5);
    }

    /// Radii are compared at one epsilon, which must not move along with its default.
    void epsilonStaysWhileTheRadiusIsExplored() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::suggest, {3.0, 1.0, 9.0});
        QCOMPARE(state.epsilon(), 3.0);
        state.edit(&AnalysisSettings::setParameters, {.beta = 0.1});
        state.edit(&AnalysisSettings::suggest, {4.0, 1.0, 9.0});
        QCOMPARE(state.epsilon(), 3.0);
        state.edit(&AnalysisSettings::setParameters,
                   {.metric = metric::Metric::angular});  // another unit
        state.edit(&AnalysisSettings::suggest, {5.0, 1.0, 9.0});
        QCOMPARE(state.epsilon(), 5.0);
    }

    void refusalsCountTheRows() {
        auto embedding = test::toyEmbedding(40, 3)->embedding;
        embedding.vectors.row(3).setZero();
        embedding.vectors.row(4).setZero();
        embedding.vectors.topRows(3) *= 1e-3F;
        embedding.vectors.bottomRows(35) *= 1e3F;
        const auto prepared = embedding::prepareEmbedding(std::move(embedding)).value();
        QCOMPARE(refusalText(*metricRefusal(prepared, metric::Metric::angular)),
                 QStringLiteral("2 rows are zero and have no direction"));
        QCOMPARE(refusalText(*metricRefusal(prepared, metric::Metric::poincare)),
                 QStringLiteral("35 rows have norm ≥ 1"));
        QVERIFY(!metricRefusal(prepared, metric::Metric::euclidean));
    }

    /// A scale that begins at a bound: positions go by the logarithm of what lies above it.
    void scalesMayBeginAtABound() {
        const ValueScale scale{ValueScale::Kind::logarithmic, 9.01, 10'009.0, 0.0, 4, 9.0};
        QVERIFY(qAbs(scale.position(19.0) - 0.5) < 1e-12);  // 10 of 0.01 ... 10,000
        QVERIFY(qAbs(scale.at(0.5) - 19.0) < 1e-9);
        QCOMPARE(scale.position(9.0), 0.0);
        QCOMPARE(scale.rounded(9.0123456), 9.01235);
        QVERIFY(qAbs(scale.stepped(19.0, 100) - 109.0) < 1e-9);
        QCOMPARE(scale.stepped(9.02, -1000), 9.01);
    }
};

EPSILENS_UI_TEST(MechanismViewTest)
#include "mechanism_view_test.moc"
