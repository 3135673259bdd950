#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/ui/support/state_driver.h"
#include "ui/state/mechanism_view.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

AnalysisSettings withMechanism(const mechanism::Mechanism& mechanism, double epsilon) {
    AnalysisSettings settings;
    settings.chooseMechanism(mechanism);
    settings.chooseEpsilon(epsilon);
    return settings;
}

/// What is left of a change when its values have been looked at.
template <typename Value>
AnalysisSettings after(const AnalysisSettings& before, void (AnalysisSettings::*change)(Value),
                       const std::type_identity_t<std::remove_cvref_t<Value>>& value,
                       const embedding::EmbeddingHandle& embedding = nullptr) {
    AnalysisSettings wanted = before;
    (wanted.*change)(value);
    return accepted(before, wanted, embedding);
}

}  // namespace

class AnalysisSettingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesOutOfRangeStayAsTheyWere() {
        const AnalysisSettings before = withMechanism(mechanism::Tem(), 3.0);
        const auto isRefused = [&](const mechanism::Parameters& parameters) {
            return after(before, &AnalysisSettings::setParameters, parameters) == before;
        };
        QVERIFY(isRefused({.lambda = -0.1}) && isRefused({.lambda = 1.5}));
        QVERIFY(isRefused({.gamma = -1.0}) && isRefused({.gamma = kInfinity}));
        QVERIFY(isRefused({.beta = 0.0}) && isRefused({.beta = 1.0}));
        QVERIFY(isRefused({.lambda = kNaN}) && isRefused({.gamma = kNaN}) &&
                isRefused({.beta = kNaN}));
        for (const double refused : {0.0, -1.0, kNaN, kInfinity}) {
            QVERIFY(after(before, &AnalysisSettings::chooseEpsilon, refused) == before);
            QVERIFY(after(before, &AnalysisSettings::suggest, {refused, 1.0, 2.0}) == before);
        }
        AnalysisSettings wanted = before;
        wanted.draws = 0;
        QVERIFY(accepted(before, wanted, nullptr) == before);
        // A range that is none leaves the suggestion without one.
        for (const auto& [low, high] : {std::pair{0.0, 5.0}, {5.0, 4.0}, {1.0, kInfinity}}) {
            QVERIFY((after({}, &AnalysisSettings::suggest, {7.0, low, high}).epsilonScale ==
                     EpsilonScale{7.0, std::nullopt, std::nullopt}));
        }
        // At the ends of ranges they are taken.
        wanted = {};
        wanted.setParameters({.lambda = 1.0, .gamma = 0.0, .beta = 1e-300});
        wanted.chooseEpsilon(1e-300);
        wanted.draws = 1;
        QVERIFY(accepted({}, wanted, nullptr) == wanted);
    }

    /// m - 1 of vectors with 5 dimensions is 4.
    void riemannianNoiseHasABound() {
        const auto ball = test::toyBall(40, 5);
        const AnalysisSettings moved =
            movedTo(ball, withMechanism(mechanism::Hyperbolic(), 3.0), false);
        QCOMPARE(moved.epsilon, 14.0);
        QVERIFY(!moved.epsilonChosen);
        const auto choose = [&](const AnalysisSettings& before, double epsilon) {
            return after(before, &AnalysisSettings::chooseEpsilon, epsilon, ball);
        };
        QVERIFY(choose(moved, 4.0) == moved);
        QCOMPARE(choose(moved, 4.5).epsilon, 4.5);
        AnalysisSettings unbounded = moved;
        unbounded.setParameters({.law = mechanism::RadialLaw::eq7});
        QCOMPARE(choose(unbounded, 0.5).epsilon, 0.5);
    }

    /// Epsilon has another unit in another metric, and follows what is found out about that.
    void anotherUnitForgetsWhatIsKnownOfEpsilon() {
        AnalysisSettings before = withMechanism(mechanism::Tem(), 3.0);
        before.epsilonScale = {7.0, 3.0, 20.0};
        before.largestDistance = 5.0;
        const AnalysisSettings now =
            after(before, &AnalysisSettings::setParameters, {.metric = metric::Metric::angular});
        QVERIFY(!now.epsilonChosen && !now.largestDistance);
        QVERIFY((now.epsilonScale == EpsilonScale{7.0, std::nullopt, std::nullopt}));
        QCOMPARE(now.epsilon, 3.0);  // until something is known
        // A change that says what epsilon is, as undo does, is taken as it is.
        const AnalysisSettings back = accepted(now, before, nullptr);
        QCOMPARE(back.epsilon, 3.0);
        QVERIFY(back.epsilonChosen && back.epsilonScale == before.epsilonScale);
    }

    /// At which they are compared, and which must not move along with its default.
    void exploringAParameterKeepsEpsilon() {
        AnalysisSettings tem;
        tem.chooseMechanism(mechanism::Tem());
        QVERIFY(after({}, &AnalysisSettings::setParameters, {.lambda = 0.25}).epsilonChosen);
        QVERIFY(after(tem, &AnalysisSettings::setParameters, {.beta = 0.1}).epsilonChosen);
        // Laplace noise has the unit of Mahalanobis noise, but is another mechanism.
        AnalysisSettings laplace;
        laplace.chooseMechanism(mechanism::Laplace());
        QVERIFY(!accepted({}, laplace, nullptr).epsilonChosen);
    }

    void aMechanismThatCannotRunGivesWay() {
        const auto toy = test::toyEmbedding();  // outside the ball
        const AnalysisSettings moved =
            movedTo(toy, withMechanism(mechanism::Hyperbolic(), 30.0), false);
        QVERIFY(moved.currentMechanism().as<mechanism::Mahalanobis>());
        AnalysisSettings tem = withMechanism(mechanism::Tem(), 3.0);
        tem.setParameters({.metric = metric::Metric::poincare});
        QVERIFY(movedTo(toy, tem, false).currentMechanism() == mechanism::Tem());
    }

    void pinsTheMechanismAsItIsUsed() {
        AnalysisSettings settings = withMechanism(mechanism::Laplace(), 12.0);
        settings.pinPresent();
        // Laplace has no lambda, whatever is set for others.
        QCOMPARE(settings.pin->mechanism.lambda(), 0.0);
        QCOMPARE(pinTitle(*settings.pin), "Laplace, ε 12.0");
        settings.chooseMechanism(mechanism::Mahalanobis());
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
              +[](AnalysisSettings& other) { other.chooseMechanism(mechanism::Tem()); }}) {
            AnalysisSettings other = settings;
            change(other);
            QVERIFY(!other.asksForRunOf(settings));
        }
    }
};

class AnalysisStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyChangesAreTold() {
        AnalysisState state;
        const QSignalSpy changed(&state, &AnalysisState::changed);
        const QSignalSpy settled(&state, &AnalysisState::settled);
        int epsilons = 0;
        state.onChange(&AnalysisSettings::epsilon, this, [&epsilons] { ++epsilons; });
        state.edit(&AnalysisSettings::chooseEpsilon, 12.0);
        state.edit(&AnalysisSettings::chooseEpsilon, 12.0);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.25});
        state.edit(&AnalysisSettings::draws, 0);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(settled.count(), 2);
        QCOMPARE(epsilons, 1);
    }

    /// All receivers are told of the same changes in the same order.
    void whatReceiversChangeInTurnIsToldAfterwards() {
        AnalysisState state;
        QStringList heard;
        const auto hear = [&heard](const QString& who) {
            return [&heard, who](const AnalysisSettings& before, const AnalysisSettings& now) {
                heard << QString("%1 %2→%3").arg(who).arg(before.draws).arg(now.draws);
            };
        };
        connect(&state, &AnalysisState::changed, this, hear("first"));
        state.onChange(&AnalysisSettings::seed, this,
                       [&state] { state.edit(&AnalysisSettings::draws, 7); });
        connect(&state, &AnalysisState::changed, this, hear("second"));
        connect(&state, &AnalysisState::settled, this, hear("all"));
        state.edit(&AnalysisSettings::seed, 9);
        QCOMPARE(heard.join(", "),
                 "first 100→100, second 100→100, first 100→7, second 100→7, "
                 "all 100→7");
    }

    /// Until the range of the new file is known, and after Esc for good.
    void anotherFileForgetsTheScaleOfTheOneBefore() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.edit(&AnalysisSettings::suggest, {120.0, 50.0, 400.0});
        QCOMPARE(state.epsilon(), 120.0);
        // Chosen, it does not follow, also where the same file is loaded again.
        state.edit(&AnalysisSettings::chooseEpsilon, 5.0);
        int scales = 0;
        state.onChange(&AnalysisSettings::epsilonScale, this, [&scales] { ++scales; });
        state.setEmbedding(test::toyEmbedding(), nullptr);  // the same file, loaded again
        QCOMPARE(scales, 0);
        QCOMPARE(state.epsilonScale().suggested, 120.0);
        QCOMPARE(state.epsilon(), 5.0);
        state.setEmbedding(test::toyBall(40, 3), nullptr);
        QCOMPARE(scales, 1);
        QVERIFY(state.epsilonScale() == ui::EpsilonScale{});
        QCOMPARE(state.epsilon(), 10.0);
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::suggest, {40.0, 20.0, 90.0});
        auto other = std::make_shared<embedding::PreparedEmbedding>(*test::toyBall(40, 5));
        other->embedding.path = "/somewhere/else.txt";
        state.setEmbedding(other, nullptr);
        QCOMPARE(state.epsilonScale().suggested, 14.0);  // m - 1 + 10
        QVERIFY(!state.epsilonScale().low.has_value());
        QCOMPARE(state.epsilon(), 14.0);
    }

    /// What a handler of each signal finds is the new state, never half of it.
    void allSignalsOfNewDataComeWhenTheStateIsWhole() {
        AnalysisState state;
        const auto before = test::toyEmbedding();
        test::open(state, before);
        state.selectWord(ui::Word(before, 3));
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 500, {1, 2}});
        state.edit(&AnalysisSettings::suggest, {40.0, 20.0, 90.0});
        state.edit(&AnalysisSettings::pinPresent);
        auto after = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding(9, 4));
        after->embedding.path = "/somewhere/else.txt";
        const auto space = std::make_shared<const engine::SearchSpace>(after);
        QStringList heard;
        const auto check = [&](const char* signal) {
            heard << signal;
            QVERIFY2(state.embedding() == after && state.searchSpace() == space &&
                         !state.selectedWord() && !state.pin() &&
                         state.words().kind == calibration::WordSelection::Kind::random &&
                         !state.epsilonScale().low && state.epsilon() == 10.0,
                     signal);
        };
        connect(&state, &AnalysisState::embeddingReset, this, [&] { check("dropped"); });
        connect(&state, &AnalysisState::embeddingChanged, this, [&] { check("changed"); });
        connect(&state, &AnalysisState::changed, this, [&] { check("settings"); });
        connect(&state, &AnalysisState::settled, this, [&] { check("settled"); });
        connect(&state, &AnalysisState::selectedWordChanged, this, [&] { check("selected"); });
        state.setEmbedding(after, space);
        QCOMPARE(heard, QString("dropped changed settings settled selected").split(' '));
    }

    void rowsGoWithTheirEmbedding() {
        AnalysisState state;
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, nullptr);
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {1, 2}});
        test::open(state, embedding);
        QCOMPARE(state.words().rows.size(), 2);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.words() == calibration::WordSelection{});
        state.selectWord(ui::Word(embedding, 3));
        QVERIFY(!state.selectedWord().has_value());
    }

    void basisLivesAsLongAsItIsHeld() {
        std::shared_ptr<const embedding::PcaBasis> basis;
        {
            AnalysisState state;
            QVERIFY(state.basis() == nullptr);
            state.setEmbedding(test::toyEmbedding(), nullptr);
            basis = state.basis();
        }
        QCOMPARE(basis->dimensions(), Eigen::Index{3});
    }

    void choicesDifferOnlyByWhatTheirKindHas() {
        AnalysisSettings settings;
        const auto differsWith = [&settings](const mechanism::Parameters& parameters) {
            const mechanism::Mechanism before = settings.currentMechanism();
            settings.setParameters(parameters);
            return settings.currentMechanism() != before;
        };
        // Mahalanobis has none of these.
        QVERIFY(!differsWith({.beta = 0.01}));
        QVERIFY(!differsWith({.law = mechanism::RadialLaw::eq7}));
        QVERIFY(!differsWith({.metric = metric::Metric::angular}));
        QVERIFY(differsWith({.lambda = 0.25}));
        settings.chooseMechanism(mechanism::Tem());
        QCOMPARE(*settings.currentMechanism().parameters().beta, 0.01);
        QCOMPARE(settings.currentMechanism().lambda(), 0.0);
        QVERIFY(!differsWith({.lambda = 0.75}));  // angular distances have no lambda
        QVERIFY(!differsWith({.gamma = 3.0}));    // gamma follows from beta
        QVERIFY(differsWith({.beta = 0.1}));
        settings.mechanism.gammaGiven = true;
        QCOMPARE(*settings.currentMechanism().parameters().gamma, 3.0);
    }

    /// What the others have is there when they are chosen again; λ is shared.
    void parametersAreRememberedFromOneMechanismToTheOther() {
        test::Stated f;
        const mechanism::Tem tem{metric::Metric::mahalanobis, 0.25, 3.0};
        f.take(tem);
        QCOMPARE(f.state.lambda(), 0.25);
        QVERIFY(f.state.settings().mechanism.gammaGiven);
        f.choose(mechanism::Hyperbolic());
        f.set({.law = mechanism::RadialLaw::eq7});
        f.choose(mechanism::Mahalanobis());
        QCOMPARE(f.state.mechanism().lambda(), 0.25);
        f.choose(mechanism::Tem());
        QVERIFY(f.state.mechanism() == tem);
        f.choose(mechanism::Hyperbolic());
        QVERIFY(f.state.mechanism() == mechanism::Hyperbolic{mechanism::RadialLaw::eq7});
        f.take(mechanism::Mahalanobis{0.75});
        QCOMPARE(f.state.lambda(), 0.75);
    }

    void titlesNameTheParametersThatCount() {
        QCOMPARE(shortTitle(mechanism::Laplace()), "Laplace");
        QCOMPARE(shortTitle(mechanism::Mahalanobis{0.5}), "Mahalanobis λ 0.50");
        mechanism::Tem tem;
        QCOMPARE(shortTitle(tem), "TEM Euclidean β 0.001");
        tem.distance = metric::Metric::mahalanobis;
        tem.gamma = 1.5;
        QCOMPARE(shortTitle(tem), "TEM Mahalanobis λ 0.50 γ 1.50");
        QCOMPARE(shortTitle(mechanism::Hyperbolic{mechanism::RadialLaw::eq7}), "hyperbolic eq7");
        QCOMPARE(shortTitle(mechanism::Hyperbolic()), "hyperbolic riemannian");
    }

    void refusalsCountTheRows() {
        auto embedding = test::toyEmbedding(40, 3)->embedding;
        embedding.vectors.row(3).setZero();
        embedding.vectors.row(4).setZero();
        embedding.vectors.topRows(3) *= 1e-3F;
        embedding.vectors.bottomRows(35) *= 1e3F;
        embedding.vectors.row(39) << 1.0F, 0.0F, 0.0F;  // on the edge of the ball
        const auto prepared = embedding::prepareEmbedding(std::move(embedding)).value();
        QVERIFY(metricRefusal(prepared, metric::Metric::angular).contains(" 2 rows are zero"));
        QCOMPARE(metricRefusal(prepared, metric::Metric::poincare),
                 "Poincaré metric impossible: 35 rows have norm ≥ 1");
        QVERIFY(metricRefusal(prepared, metric::Metric::euclidean).isEmpty());
    }
};

EPSILENS_UI_TEST(AnalysisSettingsTest)
EPSILENS_UI_TEST(AnalysisStateTest)
#include "settings_test.moc"
