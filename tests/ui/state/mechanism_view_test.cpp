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
        const QSignalSpy choices(&state, &AnalysisState::choiceChanged);
        state.setBeta(0.01);
        state.setLaw(mechanism::RadialLaw::eq7);
        state.setMetric(metric::Metric::angular);
        QCOMPARE(choices.count(), 0);  // Mahalanobis has none of these
        state.setLambda(0.25);
        QCOMPARE(choices.count(), 1);
        state.chooseMechanism(mechanism::Tem());
        QCOMPARE(choices.count(), 2);
        QCOMPARE(*state.mechanism().parameters().beta, 0.01);
        QCOMPARE(state.mechanism().lambda(), 0.0);
        state.setLambda(0.75);
        QCOMPARE(choices.count(), 2);  // angular distances have no lambda
        state.setGamma(3.0);
        QCOMPARE(choices.count(), 2);  // gamma follows from beta
        state.setGammaGiven(true);
        QCOMPARE(*state.mechanism().parameters().gamma, 3.0);
        state.setBeta(0.1);
        QCOMPARE(choices.count(), 3);
    }

    /// What the others have is there when they are chosen again; λ is shared.
    void parametersAreRememberedFromOneMechanismToTheOther() {
        AnalysisState state;
        const QSignalSpy lambdas(&state, &AnalysisState::lambdaChanged);
        state.setMechanism(mechanism::Tem{metric::Metric::mahalanobis, 0.25, 3.0});
        QCOMPARE(lambdas.count(), 1);
        QVERIFY(state.isGammaGiven());
        state.chooseMechanism(mechanism::Hyperbolic());
        state.setLaw(mechanism::RadialLaw::eq7);
        state.chooseMechanism(mechanism::Mahalanobis());
        QCOMPARE(state.mechanism().lambda(), 0.25);
        state.chooseMechanism(mechanism::Tem());
        QVERIFY(state.mechanism() == mechanism::Tem({metric::Metric::mahalanobis, 0.25, 3.0}));
        state.chooseMechanism(mechanism::Hyperbolic());
        QVERIFY(state.mechanism() == mechanism::Hyperbolic{mechanism::RadialLaw::eq7});
        state.setMechanism(mechanism::Mahalanobis{0.75});
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
        QCOMPARE(shortTitle(mechanism::Hyperbolic{mechanism::RadialLaw::eq7,
                                                  mechanism::Placement::additive}),
                 QStringLiteral("hyperbolic eq7, additive"));
        QCOMPARE(shortTitle(mechanism::Hyperbolic()),
                 QStringLiteral("hyperbolic riemannian, Möbius"));
    }

    void theNearestSettingOfTemIsThatOfItsRadius() {
        mechanism::Tem tem{.beta = 0.02};
        calibration::Cell near;
        near.gamma = 3.0;
        near.beta = 0.01;
        calibration::Cell far = near;
        far.beta = 0.0001;
        QVERIFY(parameterDistance(near, tem) < parameterDistance(far, tem));
        tem.gamma = 5.0;
        far.gamma = 4.5;
        QVERIFY(parameterDistance(far, tem) < parameterDistance(near, tem));
        far.gamma = 5.0;
        QCOMPARE(parameterDistance(far, tem), 0.0);
    }

    /// Riemannian noise exists above m - 1 only; the default is m - 1 + 10.
    void epsilonStaysWhereTheNoiseExists() {
        AnalysisState state;
        state.setEmbedding(test::toyBall(40, 5), nullptr);
        state.setEpsilon(2.0);
        state.chooseMechanism(mechanism::Hyperbolic());
        QCOMPARE(state.epsilonBound(), 4.0);
        QCOMPARE(state.epsilon(), 14.0);
        QCOMPARE(state.epsilonScale().suggested, 14.0);
        state.setEpsilon(4.0);
        QCOMPARE(state.epsilon(), 14.0);
        state.setEpsilon(4.5);
        QCOMPARE(state.epsilon(), 4.5);
        state.setLaw(mechanism::RadialLaw::eq7);
        QCOMPARE(state.epsilonBound(), 0.0);
        state.setEpsilon(0.5);
        QCOMPARE(state.epsilon(), 0.5);
    }

    /// Radii are compared at one epsilon, which must not move along with its default.
    void epsilonStaysWhileTheRadiusIsExplored() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.chooseMechanism(mechanism::Tem());
        state.setEpsilonRange(3.0, 1.0, 9.0);
        QCOMPARE(state.epsilon(), 3.0);
        state.setBeta(0.1);
        state.setEpsilonRange(4.0, 1.0, 9.0);
        QCOMPARE(state.epsilon(), 3.0);
        state.setMetric(metric::Metric::angular);  // another unit
        state.setEpsilonRange(5.0, 1.0, 9.0);
        QCOMPARE(state.epsilon(), 5.0);
    }

    void whatCannotRunOnNewDataGivesWay() {
        AnalysisState state;
        state.setEmbedding(test::toyBall(40, 5), nullptr);
        state.chooseMechanism(mechanism::Hyperbolic());
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.mechanism().as<mechanism::Mahalanobis>());
        state.setEmbedding(test::toyBall(40, 5), nullptr);
        state.chooseMechanism(mechanism::Tem());
        state.setMetric(metric::Metric::poincare);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.metric() == metric::Metric::euclidean);
        QVERIFY(state.mechanism().as<mechanism::Tem>());
    }

    void refusalsCountTheRows() {
        auto embedding = test::toyEmbedding(40, 3)->embedding;
        embedding.vectors.row(3).setZero();
        embedding.vectors.row(4).setZero();
        embedding.vectors.topRows(3) *= 1e-3F;
        embedding.vectors.bottomRows(35) *= 1e3F;
        const auto prepared = embedding::prepareEmbedding(std::move(embedding)).value();
        QVERIFY(metricRefusal(prepared, metric::Metric::angular)
                    .startsWith(QStringLiteral("2 rows are zero")));
        QCOMPARE(metricRefusal(prepared, metric::Metric::poincare),
                 QStringLiteral("35 rows have norm ≥ 1"));
        QVERIFY(metricRefusal(prepared, metric::Metric::euclidean).isEmpty());
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
