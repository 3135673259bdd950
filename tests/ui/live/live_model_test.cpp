#include "ui/live/live_model.h"

#include <algorithm>

#include <QSet>
#include <QSignalSpy>

#include "tests/ui/live/live_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using namespace epsilens::ui::live;
using test::DirectComputation;
using test::isSettled;

class LiveModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void distributionsAreThoseOfTheCore() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london word7"));
        QTRY_VERIFY(isSettled(model));
        const DirectComputation direct(state, {"paris", "london", "word7"});
        for (const double epsilon : {0.1, 0.7, 2.0, 5.0, 40.0}) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
            for (std::size_t word = 0; word < 3; ++word) {
                QVERIFY(test::isSame(model.words()[word].distribution,
                                     direct.distribution(word, epsilon)));
            }
        }
        // The settings tell the three classes apart; otherwise equality would say little.
        const auto mixed = direct.distribution(0, test::kToyEpsilon);
        QVERIFY(mixed.kept > 0 && mixed.near > 0 && mixed.far > 0);
    }

    void theSentenceOfAPinIsTheOneSeenBefore() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london word7 word9"));
        QTRY_VERIFY(isSettled(model));
        model.nextSample();
        const QString before = model.output().text;
        QVERIFY(!model.pinnedOutput());
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::chooseEpsilon, 40.0);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.1});
        QTRY_VERIFY(isSettled(model) && model.pinnedOutput()->words[3].output.row);
        QCOMPARE(model.pinnedOutput()->text, before);
        QVERIFY(model.output().text != before);
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(!model.pinnedOutput());
    }

    void criticalEpsilonIsTheMedianOfTheDraws() {
        AnalysisState state;
        test::loadToy(state);
        state.edit(&AnalysisSettings::draws, 5);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(isSettled(model));
        const DirectComputation direct(state, {"paris"});
        std::vector<double> values;
        values.reserve(5);
        for (int draw = 0; draw < 5; ++draw) {
            values.push_back(direct.paths().criticalEpsilon(0, draw));
        }
        std::sort(values.begin(), values.end());
        QCOMPARE(model.words()[0].critical->median, values[2]);
    }

    void epsilonOnlyLooksUp() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london"));
        QTRY_VERIFY(isSettled(model));
        const QSignalSpy jobs(&model.outputJob(), &JobRunnerBase::started);
        const QSignalSpy changes(&model, &LiveModel::valuesChanged);
        for (int step = 1; step <= 20; ++step) {
            state.edit(&AnalysisSettings::chooseEpsilon, 0.3 * step);
            QVERIFY(!model.isBehind());
        }
        test::letPass(20);
        QCOMPARE(jobs.count(), 0);
        QCOMPARE(changes.count(), 20);
    }

    void anotherLambdaKeepsOldValuesMarkedUntilNewOnesArrive() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london"));
        QTRY_VERIFY(isSettled(model));
        const auto old = model.words()[0].distribution;
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.95});
        QCOMPARE(model.words()[0].freshness, Freshness::stale);
        QVERIFY(test::isSame(model.words()[0].distribution, old));
        QCOMPARE(model.output().words[0].output.freshness, Freshness::stale);
        QTRY_VERIFY(isSettled(model));
        const DirectComputation direct(state, {"paris", "london"});
        QVERIFY(
            test::isSame(model.words()[0].distribution, direct.distribution(0, test::kToyEpsilon)));
        QVERIFY(!test::isSame(model.words()[0].distribution, old));
    }

    void everySettingThatMattersIsFollowed() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(isSettled(model));
        state.edit(&AnalysisSettings::seed, 9);
        QVERIFY(model.isBehind());
        QTRY_VERIFY(isSettled(model));
        state.edit(&AnalysisSettings::draws, 30);
        QVERIFY(model.isBehind());
        QTRY_VERIFY(isSettled(model));
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QVERIFY(model.isBehind());
        QTRY_VERIFY(isSettled(model));
        QVERIFY(
            test::isSame(model.words()[0].distribution,
                         DirectComputation(state, {"paris"}).distribution(0, test::kToyEpsilon)));
    }

    void theNewestSettingWins() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london word7 word8"));
        for (const double lambda : {0.1, 0.3, 0.6, 0.9}) {
            state.edit(&AnalysisSettings::setParameters, {.lambda = lambda});
        }
        QTRY_VERIFY(isSettled(model));
        const DirectComputation direct(state, {"paris", "london", "word7", "word8"});
        QVERIFY(
            test::isSame(model.words()[3].distribution, direct.distribution(3, test::kToyEpsilon)));
    }

    void goingBackToASettingNeedsNoJob() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(isSettled(model));
        const auto before = model.words()[0].distribution;
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.9});
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.5});
        QVERIFY(!model.isBehind());
        QTRY_VERIFY(!model.outputJob().isRunning());
        QVERIFY(!model.isBehind());
        QVERIFY(test::isSame(model.words()[0].distribution, before));
    }

    void sentenceKGivesWordIDrawKPlusI() {
        AnalysisState state;
        test::loadToy(state);
        state.edit(&AnalysisSettings::draws, 4);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london word7"));
        QTRY_VERIFY(isSettled(model));
        const DirectComputation direct(state, {"paris", "london", "word7"});
        for (int sentence = 0; sentence < 6; ++sentence) {
            QCOMPARE(model.sampleIndex(), sentence % 4);
            QStringList expected;
            int changed = 0;
            for (int word = 0; word < 3; ++word) {
                expected.append(direct.output(static_cast<std::size_t>(word), (sentence + word) % 4,
                                              test::kToyEpsilon));
                changed +=
                    expected.last() == model.words()[static_cast<std::size_t>(word)].typed ? 0 : 1;
            }
            QCOMPARE(model.output().text, expected.join(QLatin1Char(' ')));
            QCOMPARE(model.output().changed, changed);
            model.nextSample();
        }
    }

    void textLongerThanTheDrawsGetsMore() {
        AnalysisState state;
        test::loadToy(state);
        state.edit(&AnalysisSettings::draws, 3);
        LiveModel model(state);
        state.lookAt(
            QStringLiteral("word1x word2 word3 word4 word5 word6 paris"));  // 7 words, 1 unknown
        QTRY_VERIFY(isSettled(model));
        QCOMPARE(model.drawsUsed(), 9);
        QCOMPARE(model.words()[1].distribution.draws, 9);
    }

    void outputsTakeTheCaseOfTheTypedWord() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.edit(&AnalysisSettings::chooseEpsilon, 0.01);
        state.lookAt(QStringLiteral("PARIS, London."));
        QTRY_VERIFY(isSettled(model));
        const SampledSentence& output = model.output();
        QCOMPARE(output.changed, 2);
        QCOMPARE(output.words.size(), std::size_t{2});
        const QString first = output.text.mid(output.words[0].begin, output.words[0].length);
        const QString second = output.text.mid(output.words[1].begin, output.words[1].length);
        QCOMPARE(first, first.toUpper());
        QVERIFY(second.front().isUpper());
        QCOMPARE(output.text, first + QStringLiteral(", ") + second + QStringLiteral("."));
    }

    void repeatedWordsAreOneRow() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris nope Paris nope london"));
        QTRY_VERIFY(isSettled(model));
        QCOMPARE(model.words().size(), std::size_t{3});
        QCOMPARE(model.words()[0].occurrences, 2);
        QVERIFY(!model.words()[1].word.has_value());
        QCOMPARE(model.output().known, 3);
        QCOMPARE(model.output().unknown, 2);
    }

    void typingOnComputesOnlyTheNewWord() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london"));
        QTRY_VERIFY(isSettled(model));
        state.lookAt(QStringLiteral("paris london word9"));
        QCOMPARE(model.words()[0].freshness, Freshness::current);
        QCOMPARE(model.words()[2].freshness, Freshness::waiting);
        QTRY_VERIFY(isSettled(model));
        const QSignalSpy jobs(&model.outputJob(), &JobRunnerBase::started);
        state.lookAt(QStringLiteral("london paris!"));
        QVERIFY(!model.isBehind());
        QCOMPARE(jobs.count(), 0);
    }

    void unknownWordsGetSpellingsAndCanBeReplaced() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("Pariss or pariss, Pariss"));
        QTRY_VERIFY(model.spellings().words().size() == 3);
        QTRY_VERIFY(model.spellings().words()[0].isLookedUp);
        const UnknownWord unknown = model.spellings().words()[0];
        QCOMPARE(unknown.typed, QStringLiteral("Pariss"));
        QVERIFY(!unknown.spellings.empty());
        QCOMPARE(unknown.spellings[0], QStringLiteral("paris"));
        model.replaceUnknown(unknown.typed, unknown.spellings[0]);
        QCOMPARE(state.sentence(), QStringLiteral("Paris or pariss, Paris"));
        QVERIFY(model.words()[0].word.has_value());
    }

    void unknownWordsAreMasked() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.edit(&AnalysisSettings::chooseEpsilon, 1000.0);
        state.lookAt(QStringLiteral("paris nope"));
        QTRY_VERIFY(isSettled(model));
        QCOMPARE(model.output().text, QStringLiteral("paris <unk>"));
    }

    void unknownWordsAreTreatedAsThePolicySays() {
        using release::UnknownPolicy;
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.edit(&AnalysisSettings::chooseEpsilon, 1000.0);
        state.lookAt(QStringLiteral("paris Nope"));
        QTRY_VERIFY(isSettled(model));
        state.edit(&AnalysisSettings::textPolicies, {UnknownPolicy::keep, {}});
        QCOMPARE(model.output().text, QStringLiteral("paris Nope"));
        state.edit(&AnalysisSettings::textPolicies, {UnknownPolicy::drop, {}});
        QCOMPARE(model.output().text, QStringLiteral("paris "));
        state.edit(&AnalysisSettings::textPolicies, {UnknownPolicy::random, {}});
        QSet<QString> outputs;
        for (int i = 0; i < 100; ++i) {
            const QString word = model.output().text.mid(6);
            QVERIFY(state.embedding()->vocabulary().find(toStd(word.toLower())));
            QVERIFY(word.front().isUpper());
            outputs.insert(word);
            model.nextSample();
        }
        QVERIFY(outputs.size() > 1);
        QCOMPARE(model.output().changed, 0);
        QCOMPARE(model.output().unknown, 1);
    }

    void letterCaseDecidesWhatIsKnown() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("Paris"));
        QTRY_VERIFY(isSettled(model));
        QVERIFY(model.words()[0].word.has_value());
        state.edit(&AnalysisSettings::textPolicies, {{}, text::CasePolicy::keep});
        QTRY_VERIFY(!model.words()[0].word.has_value());
        state.edit(&AnalysisSettings::textPolicies, {{}, text::CasePolicy::lower});
        QTRY_VERIFY(model.words()[0].word.has_value());
    }

    void detailIsTheFirstKnownWordUntilOneIsSelected() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("nope paris london"));
        QTRY_VERIFY(isSettled(model));
        QCOMPARE(model.detail()->typed, QStringLiteral("paris"));
        QVERIFY(!state.selectedWord().has_value());
        model.select(2);
        QCOMPARE(model.detail()->typed, QStringLiteral("london"));
        QCOMPARE(state.selectedWord(), findWord(state.embedding(), QStringLiteral("london")));
        model.select(0);
        QCOMPARE(model.detail()->typed, QStringLiteral("london"));
    }

    void aWordSelectedElsewhereIsShownToo() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(isSettled(model));
        state.lookAt(findWord(state.embedding(), QStringLiteral("word7")));
        QTRY_VERIFY(model.detail() != nullptr && model.detail()->freshness == Freshness::current);
        QCOMPARE(model.detail()->typed, QStringLiteral("word7"));
        QCOMPARE(model.detail()->occurrences, 0);
        QVERIFY(!model.detailIndex().has_value());
        QVERIFY(
            test::isSame(model.detail()->distribution,
                         DirectComputation(state, {"word7"}).distribution(0, test::kToyEpsilon)));
        state.lookAt(QStringLiteral("london"));
        QCOMPARE(model.detail()->typed, QStringLiteral("london"));
    }

    void whileInactiveNothingIsComputed() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        model.setActive(false);
        const QSignalSpy jobs(&model.outputJob(), &JobRunnerBase::started);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(!model.words().empty());
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.7});
        test::letPass(20);
        QCOMPARE(jobs.count(), 0);
        model.setActive(true);
        QTRY_VERIFY(isSettled(model));
    }

    void becomingActiveAgainDuringARunStillAnswers() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris london word7"));
        QTRY_VERIFY(model.outputJob().isRunning() || isSettled(model));
        model.setActive(false);
        model.setActive(true);
        QTRY_VERIFY(isSettled(model));
    }

    void whatCannotBeComputedIsSaidAndTakenBack() {
        AnalysisState state;
        const auto singular = test::toyEmbedding(5, 8);
        state.setEmbedding(singular, std::make_shared<const engine::SearchSpace>(singular));
        state.edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        LiveModel model(state);
        QSignalSpy failures(&model, &LiveModel::failed);
        const QSignalSpy recoveries(&model, &LiveModel::recovered);
        state.lookAt(QStringLiteral("paris"));
        QTRY_COMPARE(failures.count(), 1);
        QCOMPARE(failures[0][0].value<Error>().code, ErrorCode::unsupported);
        QCOMPARE(recoveries.count(), 0);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.5});
        QTRY_COMPARE(recoveries.count(), 1);
        QVERIFY(isSettled(model));
    }

    void longTextsShowTheirBeginningAndSaySo() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris ").repeated(2'050) + QStringLiteral("london"));
        QTRY_VERIFY(isSettled(model));
        QCOMPARE(model.typedWords(), std::size_t{2'051});
        QCOMPARE(model.output().words.size(), kMostWords);
        QCOMPARE(model.words().size(), std::size_t{1});
        // More draws than this would take longer than the text is worth.
        QCOMPARE(model.drawsUsed(), 200);
    }

    void anotherEmbeddingForgetsTheOld() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel model(state);
        state.lookAt(QStringLiteral("paris word250"));
        QTRY_VERIFY(isSettled(model));
        const auto other = test::toyEmbedding(40, 3);
        state.setEmbedding(other, std::make_shared<const engine::SearchSpace>(other));
        QVERIFY(model.words().empty());
        QTRY_VERIFY(isSettled(model));
        QVERIFY(!model.words()[1].word.has_value());
        QVERIFY(test::isSame(model.words()[0].distribution,
                             DirectComputation(state, {"paris"}).distribution(0, state.epsilon())));
    }
};

EPSILENS_UI_TEST(LiveModelTest)
#include "live_model_test.moc"
