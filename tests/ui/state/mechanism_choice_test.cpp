#include "ui/state/mechanism_choice.h"

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/value_scale.h"

using namespace epsilens;
using namespace epsilens::ui;
using mechanism::Kind;

class MechanismChoiceTest : public QObject {
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
        state.setMechanism(Kind::tem);
        QCOMPARE(choices.count(), 2);
        QCOMPARE(state.choice().beta, 0.01);
        QCOMPARE(state.choice().lambda, 0.0);
        state.setLambda(0.75);
        QCOMPARE(choices.count(), 2);  // angular distances have no lambda
        state.setGamma(3.0);
        QCOMPARE(choices.count(), 2);  // gamma follows from beta
        state.setGammaGiven(true);
        QCOMPARE(*state.choice().gamma, 3.0);
        state.setBeta(0.1);
        QCOMPARE(choices.count(), 3);
    }

    void theNearestSettingOfTemIsThatOfItsRadius() {
        MechanismChoice choice;
        choice.kind = Kind::tem;
        choice.beta = 0.02;
        calibration::Cell near;
        near.gamma = 3.0;
        near.beta = 0.01;
        calibration::Cell far = near;
        far.beta = 0.0001;
        QVERIFY(parameterDistance(near, choice) < parameterDistance(far, choice));
        choice.gamma = 5.0;
        far.gamma = 4.5;
        QVERIFY(parameterDistance(far, choice) < parameterDistance(near, choice));
        far.gamma = 5.0;
        QCOMPARE(parameterDistance(far, choice), 0.0);
    }

    /// Riemannian noise exists above m - 1 only; the default is m - 1 + 10.
    void epsilonStaysWhereTheNoiseExists() {
        AnalysisState state;
        state.setEmbedding(test::toyBall(40, 5), nullptr);
        state.setEpsilon(2.0);
        state.setMechanism(Kind::hyperbolic);
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
        state.setMechanism(Kind::tem);
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
        state.setMechanism(Kind::hyperbolic);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.mechanism() == Kind::mahalanobis);
        state.setEmbedding(test::toyBall(40, 5), nullptr);
        state.setMechanism(Kind::tem);
        state.setMetric(metric::Metric::poincare);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.metric() == metric::Metric::euclidean);
        QVERIFY(state.mechanism() == Kind::tem);
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
        QCOMPARE(mechanismRefusal(prepared, Kind::hyperbolic),
                 QStringLiteral("35 rows have norm ≥ 1"));
        QVERIFY(metricRefusal(prepared, metric::Metric::euclidean).isEmpty());
        QVERIFY(mechanismRefusal(prepared, Kind::tem).isEmpty());
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

EPSILENS_UI_TEST(MechanismChoiceTest)
#include "mechanism_choice_test.moc"
