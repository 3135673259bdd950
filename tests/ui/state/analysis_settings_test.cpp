#include "ui/state/analysis_settings.h"

#include <limits>
#include <utility>
#include <vector>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/mechanism_view.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

AnalysisSettings withMechanism(const mechanism::Mechanism& mechanism, double epsilon) {
    AnalysisSettings settings;
    settings.choose(mechanism);
    settings.chooseEpsilon(epsilon);
    return settings;
}

}  // namespace

class AnalysisSettingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesOutOfRangeStayAsTheyWere() {
        const AnalysisSettings before = withMechanism(mechanism::Tem(), 3.0);
        for (const mechanism::Parameters& refused :
             std::vector<mechanism::Parameters>{{.lambda = -0.1},
                                                {.lambda = 1.5},
                                                {.lambda = kNaN},
                                                {.gamma = -1.0},
                                                {.gamma = kNaN},
                                                {.gamma = kInfinity},
                                                {.beta = 0.0},
                                                {.beta = 1.0},
                                                {.beta = kNaN}}) {
            AnalysisSettings wanted = before;
            wanted.setParameters(refused);
            QVERIFY(accepted(before, wanted, nullptr) == before);
        }
        for (const double refused : {0.0, -1.0, kNaN, kInfinity}) {
            AnalysisSettings wanted = before;
            wanted.chooseEpsilon(refused);
            QVERIFY(accepted(before, wanted, nullptr) == before);
            wanted = before;
            wanted.suggest({refused, 1.0, 2.0});
            QVERIFY(accepted(before, wanted, nullptr) == before);
        }
        AnalysisSettings wanted = before;
        wanted.draws = 0;
        QVERIFY(accepted(before, wanted, nullptr) == before);
    }

    void valuesAtTheEndsOfRangesAreTaken() {
        const AnalysisSettings before;
        AnalysisSettings wanted = before;
        wanted.setParameters({.lambda = 1.0, .gamma = 0.0, .beta = 1e-300});
        wanted.chooseEpsilon(1e-300);
        wanted.draws = 1;
        QVERIFY(accepted(before, wanted, nullptr) == wanted);
    }

    /// A range that is none leaves the suggestion without one.
    void aScaleMayComeWithoutItsRange() {
        for (const auto& [low, high] : {std::pair{0.0, 5.0}, {5.0, 4.0}, {1.0, kInfinity}}) {
            AnalysisSettings wanted;
            wanted.suggest({7.0, low, high, 0.5});
            const EpsilonScale scale = accepted({}, wanted, nullptr).epsilonScale;
            QVERIFY((scale == EpsilonScale{7.0, std::nullopt, std::nullopt, 0.5}));
        }
    }

    /// m - 1 of vectors with 5 dimensions is 4.
    void riemannianNoiseHasABound() {
        const auto ball = test::toyBall(40, 5);
        AnalysisSettings wanted = withMechanism(mechanism::Hyperbolic(), 3.0);
        const AnalysisSettings moved = movedTo(ball, wanted, false);
        QCOMPARE(moved.epsilon, 14.0);
        QVERIFY(!moved.epsilonChosen);
        wanted = moved;
        wanted.chooseEpsilon(4.0);
        QVERIFY(accepted(moved, wanted, ball) == moved);
        wanted.chooseEpsilon(4.5);
        QCOMPARE(accepted(moved, wanted, ball).epsilon, 4.5);
        wanted.setParameters({.law = mechanism::RadialLaw::eq7});  // has none
        wanted.chooseEpsilon(0.5);
        QCOMPARE(accepted(moved, wanted, ball).epsilon, 0.5);
    }

    /// Epsilon has another unit in another metric, and follows what is found out about that.
    void anotherUnitForgetsWhatIsKnownOfEpsilon() {
        AnalysisSettings before = withMechanism(mechanism::Tem(), 3.0);
        before.epsilonScale = {7.0, 3.0, 20.0, 0.4};
        before.largestDistance = 5.0;
        AnalysisSettings wanted = before;
        wanted.setParameters({.metric = metric::Metric::angular});
        const AnalysisSettings now = accepted(before, wanted, nullptr);
        QVERIFY(!now.epsilonChosen && !now.largestDistance);
        QVERIFY((now.epsilonScale == EpsilonScale{7.0, std::nullopt, std::nullopt, 0.0}));
        QCOMPARE(now.epsilon, 3.0);  // until something is known
        // A change that says what epsilon is, as undo does, is taken as it is.
        const AnalysisSettings back = accepted(now, before, nullptr);
        QCOMPARE(back.epsilon, 3.0);
        QVERIFY(back.epsilonChosen && back.epsilonScale == before.epsilonScale);
    }

    /// At which they are compared, and which must not move along with its default.
    void exploringAParameterKeepsEpsilon() {
        AnalysisSettings wanted;
        wanted.setParameters({.lambda = 0.25});
        QVERIFY(accepted({}, wanted, nullptr).epsilonChosen);
        AnalysisSettings tem;
        tem.choose(mechanism::Tem());
        wanted = tem;
        wanted.setParameters({.beta = 0.1});
        QVERIFY(accepted(tem, wanted, nullptr).epsilonChosen);
        // Laplace noise has the unit of Mahalanobis noise, but is another mechanism.
        wanted = {};
        wanted.choose(mechanism::Laplace());
        QVERIFY(!accepted({}, wanted, nullptr).epsilonChosen);
    }

    void aMechanismThatCannotRunGivesWay() {
        const auto toy = test::toyEmbedding();  // outside the ball
        const AnalysisSettings moved =
            movedTo(toy, withMechanism(mechanism::Hyperbolic(), 30.0), false);
        QVERIFY(moved.chosen().as<mechanism::Mahalanobis>());
        AnalysisSettings tem = withMechanism(mechanism::Tem(), 3.0);
        tem.setParameters({.metric = metric::Metric::poincare});
        QVERIFY(movedTo(toy, tem, false).chosen() == mechanism::Tem());
    }

    void pinsTheMechanismAsItIsUsed() {
        AnalysisSettings settings = withMechanism(mechanism::Laplace(), 12.0);
        settings.pinPresent();
        // Laplace has no lambda, whatever is set for others.
        QCOMPARE(settings.pin->mechanism.lambda(), 0.0);
        QCOMPARE(pinTitle(*settings.pin), QStringLiteral("Laplace, ε 12.0"));
        settings.choose(mechanism::Mahalanobis());
        QVERIFY(settings.pin->mechanism.as<mechanism::Laplace>());
        // Epsilon has the unit of the vectors, so a pin means nothing for others.
        QVERIFY(movedTo(test::toyEmbedding(), settings, false).pin.has_value());
        QVERIFY(!movedTo(test::toyEmbedding(), settings, true).pin.has_value());
    }

    /// The grid, not the slider, is what a calibration runs over.
    void aRunAsksForTheGridOnly() {
        const AnalysisSettings settings;
        AnalysisSettings moved = settings;
        moved.setParameters({.lambda = 0.25});
        moved.chooseEpsilon(12.0);
        QVERIFY(moved.asksForRunOf(settings));
        for (const auto change :
             {+[](AnalysisSettings& other) { other.draws = 50; },
              +[](AnalysisSettings& other) { other.seed = 9; },
              +[](AnalysisSettings& other) { other.words.count = 7; },
              +[](AnalysisSettings& other) { other.grid.epsilons = {1.0}; },
              +[](AnalysisSettings& other) { other.choose(mechanism::Tem()); }}) {
            AnalysisSettings other = settings;
            change(other);
            QVERIFY(!other.asksForRunOf(settings));
        }
    }
};

EPSILENS_UI_TEST(AnalysisSettingsTest)
#include "analysis_settings_test.moc"
