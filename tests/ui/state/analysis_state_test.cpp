#include "ui/state/analysis_state.h"

#include <limits>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

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
                heard << QStringLiteral("%1 %2→%3").arg(who).arg(before.draws).arg(now.draws);
            };
        };
        connect(&state, &AnalysisState::changed, this, hear(QStringLiteral("first")));
        state.onChange(&AnalysisSettings::seed, this,
                       [&state] { state.edit(&AnalysisSettings::draws, 7); });
        connect(&state, &AnalysisState::changed, this, hear(QStringLiteral("second")));
        connect(&state, &AnalysisState::settled, this, hear(QStringLiteral("all")));
        state.edit(&AnalysisSettings::seed, 9);
        QCOMPARE(heard.join(QStringLiteral(", ")),
                 QStringLiteral("first 100→100, second 100→100, first 100→7, second 100→7, "
                                "all 100→7"));
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
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
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
        state.setEmbedding(before, std::make_shared<const engine::SearchSpace>(before));
        state.lookAt(ui::Word(before, 3));
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 500, {1, 2}});
        state.edit(&AnalysisSettings::suggest, {40.0, 20.0, 90.0});
        state.edit(&AnalysisSettings::pinPresent);
        auto after = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding(9, 4));
        after->embedding.path = "/somewhere/else.txt";
        const auto space = std::make_shared<const engine::SearchSpace>(after);
        QStringList heard;
        const auto check = [&](const char* signal) {
            heard << QLatin1String(signal);
            QVERIFY2(state.embedding() == after && state.searchSpace() == space &&
                         !state.selectedWord() && !state.pin() &&
                         state.words().kind == calibration::WordSelection::Kind::random &&
                         !state.epsilonScale().low && state.epsilon() == 10.0,
                     signal);
        };
        connect(&state, &AnalysisState::embeddingDropped, this, [&] { check("dropped"); });
        connect(&state, &AnalysisState::embeddingChanged, this, [&] { check("changed"); });
        connect(&state, &AnalysisState::changed, this, [&] { check("settings"); });
        connect(&state, &AnalysisState::settled, this, [&] { check("settled"); });
        connect(&state, &AnalysisState::selectedWordChanged, this, [&] { check("selected"); });
        state.setEmbedding(after, space);
        QCOMPARE(
            heard,
            QStringLiteral("dropped changed settings settled selected").split(QLatin1Char(' ')));
    }

    void aWordOfAnotherEmbeddingIsNotSelected() {
        AnalysisState state;
        const auto before = test::toyEmbedding();
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.lookAt(ui::Word(before, 3));
        QVERIFY(!state.selectedWord().has_value());
    }

    /// Its rows are those of the embedding it was made for.
    void aListOfWordsGoesWithItsEmbedding() {
        AnalysisState state;
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, nullptr);
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {1, 2}});
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        QCOMPARE(state.words().rows.size(), std::size_t{2});
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.words() == calibration::WordSelection{});
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
