#include "ui/state/analysis_state.h"

#include <limits>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::ui::AnalysisState;

class AnalysisStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settersEmitOnlyOnChange() {
        AnalysisState state;
        const QSignalSpy epsilon(&state, &AnalysisState::epsilonChanged);
        const QSignalSpy lambda(&state, &AnalysisState::lambdaChanged);
        const QSignalSpy inputs(&state, &AnalysisState::calibrationInputsChanged);
        state.setEpsilon(12.0);
        state.setEpsilon(12.0);
        state.setLambda(0.25);
        state.setLambda(0.25);
        QCOMPARE(epsilon.count(), 1);
        QCOMPARE(lambda.count(), 1);
        QCOMPARE(inputs.count(), 0);  // the grid, not the slider, is what a calibration runs over
        state.setDraws(50);
        state.setSeed(9);
        state.chooseMechanism(mechanism::Laplace());
        state.setGridEpsilons({1.0, 2.0});
        QCOMPARE(inputs.count(), 4);
    }

    void impossibleValuesAreIgnored() {
        AnalysisState state;
        state.setEpsilon(0.0);
        state.setEpsilon(std::numeric_limits<double>::quiet_NaN());
        state.setEpsilon(std::numeric_limits<double>::infinity());
        state.setLambda(std::numeric_limits<double>::quiet_NaN());
        state.setLambda(1.5);
        state.setDraws(0);
        QCOMPARE(state.epsilon(), 10.0);
        QCOMPARE(state.lambda(), 0.5);
        QCOMPARE(state.draws(), 100);
    }

    void epsilonFollowsTheDataUntilItIsChosen() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.setEpsilonRange(7.1, 3.0, 20.0);
        QCOMPARE(state.epsilon(), 7.1);
        QCOMPARE(*state.epsilonScale().low, 3.0);
        QCOMPARE(*state.epsilonScale().high, 20.0);
        state.setEpsilon(5.0);
        state.setEpsilonRange(8.0, 3.0, 20.0);
        QCOMPARE(state.epsilon(), 5.0);
        QCOMPARE(state.epsilonScale().suggested, 8.0);
    }

    void anotherFileBringsTheDefaultBack() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.setEpsilon(5.0);
        state.setEmbedding(test::toyEmbedding(), nullptr);  // the same file, loaded again
        state.setEpsilonRange(7.1, 3.0, 20.0);
        QCOMPARE(state.epsilon(), 5.0);
        auto other = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        other->embedding.path = "/somewhere/else.txt";
        state.setEmbedding(other, nullptr);
        state.setEpsilonRange(9.0, 3.0, 20.0);
        QCOMPARE(state.epsilon(), 9.0);
    }

    /// Until the range of the new file is known, and after Esc for good.
    void anotherFileForgetsTheScaleOfTheOneBefore() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.setEpsilonRange(120.0, 50.0, 400.0);
        const QSignalSpy scaled(&state, &AnalysisState::epsilonScaleChanged);
        state.setEmbedding(test::toyEmbedding(), nullptr);  // the same file, loaded again
        QCOMPARE(scaled.count(), 0);
        QCOMPARE(state.epsilonScale().suggested, 120.0);
        state.setEmbedding(test::toyBall(40, 3), nullptr);
        QCOMPARE(scaled.count(), 1);
        QVERIFY(state.epsilonScale() == ui::EpsilonScale{});
        QCOMPARE(state.epsilon(), 10.0);
        state.chooseMechanism(mechanism::Hyperbolic());
        state.setEpsilonRange(40.0, 20.0, 90.0);
        auto other = std::make_shared<embedding::PreparedEmbedding>(*test::toyBall(40, 5));
        other->embedding.path = "/somewhere/else.txt";
        state.setEmbedding(other, nullptr);
        QCOMPARE(state.epsilonScale().suggested, 14.0);  // m - 1 + 10
        QVERIFY(!state.epsilonScale().low.has_value());
        QCOMPARE(state.epsilon(), 14.0);
    }

    void newDataForgetTheSelectedWord() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.setSelectedWord(ui::Word(state.embedding(), 3));
        const QSignalSpy selected(&state, &AnalysisState::selectedWordChanged);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!state.selectedWord().has_value());
        QCOMPARE(selected.count(), 1);
    }

    /// What a handler of each signal finds is the new state, never half of it.
    void allSignalsOfNewDataComeWhenTheStateIsWhole() {
        AnalysisState state;
        const auto before = test::toyEmbedding();
        state.setEmbedding(before, std::make_shared<const engine::SearchSpace>(before));
        state.setSelectedWord(ui::Word(before, 3));
        state.setWords({calibration::WordSelection::Kind::list, 500, {1, 2}});
        state.setEpsilonRange(40.0, 20.0, 90.0);
        state.pinCurrent();
        auto after = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding(9, 4));
        after->embedding.path = "/somewhere/else.txt";
        const auto space = std::make_shared<const engine::SearchSpace>(after);
        QStringList heard;
        const auto check = [&](const char* signal) {
            heard << QLatin1String(signal);
            QVERIFY2(state.embedding() == after && state.searchSpace() == space &&
                         !state.selectedWord() && !state.pins().pin() &&
                         state.words().kind == calibration::WordSelection::Kind::random &&
                         !state.epsilonScale().low && state.epsilon() == 10.0,
                     signal);
        };
        connect(&state, &AnalysisState::embeddingDropped, this, [&] { check("dropped"); });
        connect(&state, &AnalysisState::embeddingChanged, this, [&] { check("changed"); });
        connect(&state, &AnalysisState::epsilonScaleChanged, this, [&] { check("scale"); });
        connect(&state, &AnalysisState::epsilonChanged, this, [&] { check("epsilon"); });
        connect(&state, &AnalysisState::wordsChanged, this, [&] { check("words"); });
        connect(&state, &AnalysisState::selectedWordChanged, this, [&] { check("selected"); });
        connect(&state, &AnalysisState::calibrationInputsChanged, this, [&] { check("inputs"); });
        connect(&state.pins(), &ui::PinState::pinChanged, this, [&] { check("pin"); });
        state.setEmbedding(after, space);
        QCOMPARE(heard.mid(0, 2),
                 QStringList({QStringLiteral("dropped"), QStringLiteral("changed")}));
        heard.sort();
        QCOMPARE(heard, QStringLiteral("changed dropped epsilon inputs pin scale selected words")
                            .split(QLatin1Char(' ')));
    }

    void aWordOfAnotherEmbeddingIsNotSelected() {
        AnalysisState state;
        const auto before = test::toyEmbedding();
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.setSelectedWord(ui::Word(before, 3));
        QVERIFY(!state.selectedWord().has_value());
    }

    /// Until the next estimate nothing is known of the new unit, neither the range of epsilon nor
    /// the words that no epsilon changes.
    void anotherUnitForgetsWhatWasEstimated() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.setEpsilonRange(7.0, 3.0, 20.0, 0.4);
        QCOMPARE(state.epsilonScale().alwaysKept, 0.4);
        state.chooseMechanism(mechanism::Tem());
        state.setMetric(metric::Metric::angular);
        QVERIFY(!state.epsilonScale().low.has_value());
        QVERIFY(!state.epsilonScale().high.has_value());
        QCOMPARE(state.epsilonScale().alwaysKept, 0.0);
    }

    void calibrationOptionsMirrorTheSettings() {
        AnalysisState state;
        state.setGridEpsilons({1.0, 5.0});
        state.setGridLambdas({0.0, 0.5});
        state.setDraws(30);
        state.setSeed(11);
        auto options = state.calibrationOptions();
        QVERIFY(options.grid.mechanism.as<mechanism::Mahalanobis>());
        QCOMPARE(options.grid.epsilons, std::vector<double>({1.0, 5.0}));
        QCOMPARE(options.grid.lambdas, std::vector<double>({0.0, 0.5}));
        QCOMPARE(options.draws, 30);
        QCOMPARE(options.seed, std::uint64_t{11});
        state.chooseMechanism(mechanism::Laplace());
        QCOMPARE(state.calibrationOptions().grid.lambdas, std::vector<double>({0.0}));
        QCOMPARE(state.mechanism().lambda(), 0.0);
    }

    /// Its rows are those of the embedding it was made for.
    void aListOfWordsGoesWithItsEmbedding() {
        AnalysisState state;
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, nullptr);
        state.setWords({calibration::WordSelection::Kind::list, 0, {1, 2}});
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        QCOMPARE(state.words().rows.size(), std::size_t{2});
        const QSignalSpy changed(&state, &AnalysisState::wordsChanged);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.words() == calibration::WordSelection{});
        QCOMPARE(changed.count(), 1);
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
};

EPSILENS_UI_TEST(AnalysisStateTest)
#include "analysis_state_test.moc"
