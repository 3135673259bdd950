#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "core/calibration/recommend.h"
#include "core/evaluation/figure_limit.h"
#include "core/metric/poincare_distance.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/state_driver.h"
#include "ui/state/current_measurement.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

document::FigureFinding found(const evaluation::FigureLimit& limit,
                              const evaluation::FigureValue& value) {
    return {limit, evaluation::checkFigure(limit, value)};
}

/// A search on the toy words, and what it depends on.
struct Search : test::Stated {
    LimitVerdicts limits{state};
    JobBoard jobs{};
    CurrentMeasurement measurement{state, jobs};
    EpsilonSearch model{state, limits, measurement};

    void openToy() {
        state.edit(&AnalysisSettings::draws, 40);
        open();
    }
};

struct Promise : test::Stated {
    GuaranteeModel model{state};

    [[nodiscard]] bool isOf(const QString& first, const QString& second) const {
        return test::holds(model.firstWord() + ' ' + model.secondWord(), first + ' ' + second);
    }
};

}  // namespace

class LimitStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAreToldInOneWording() {
        const auto tells = [](const document::LimitCounts& counts, const char* status) {
            QCOMPARE(limitStatusText(counts), QString::fromUtf8(status));
        };
        tells({0, 0, 0}, "");
        tells({2, 0, 0}, "Limits: 2 of 2 not measured");
        tells({2, 2, 0}, "Limits: 2 of 2 met ✓");
        tells({2, 1, 1}, "Limits: 1 of 2 not met ✗");
        tells({2, 1, 0}, "Limits: 1 of 2 not measured");
        tells({3, 1, 1}, "Limits: 1 of 3 not met, 1 not measured ✗");
    }

    void statusFollowsTheChecks() {
        AnalysisState settings;
        LimitVerdicts state(settings);
        QCOMPARE(state.status(), (document::LimitCounts{0, 0, 0}));
        settings.edit(&AnalysisSettings::limits, calibration::defaultLimits());
        QCOMPARE(state.status(), (document::LimitCounts{2, 0, 0}));
        QSignalSpy changes(&state, &LimitVerdicts::statusChanged);
        calibration::LimitCheck met;
        met.margin = 0.0;
        calibration::LimitCheck missed;
        missed.margin = -1.0;
        state.setChecks({met, missed});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 1}));
        state.setChecks({met, missed});
        QCOMPARE(changes.count(), 1);
        // Of other limits nothing is known.
        settings.edit(&AnalysisSettings::limits, {calibration::defaultLimits().front()});
        QCOMPARE(state.status(), (document::LimitCounts{1, 0, 0}));
    }

    void valuesAreToldWithTheirIntervals() {
        AnalysisState settings;
        const auto kept = calibration::parseLimit("nw.p95<=50%").value();
        const auto gain = evaluation::parseFigureLimit("attack.gain<=5%").value();
        settings.edit(&AnalysisSettings::limits, {kept});
        settings.edit(&AnalysisSettings::figureLimits, {gain});
        LimitVerdicts state(settings);
        QVERIFY(state.lines().isEmpty());
        state.setChecks({{kept, 43.0, 50.0, 7.0}});
        state.setOnTexts({found(gain, {0.042, std::array{0.031, 0.053}})});
        const QStringList lines = state.lines();
        QCOMPARE(lines.size(), 2);
        QVERIFY(test::begins(lines[0], "✓ ") && test::ends(lines[0], ": yes, 43"));
        // 5.3 is beyond 5, though 4.2 is not.
        QCOMPARE(lines[1],
                 "✗ an attacker guesses at most 5 of 100 words more than "
                 "without the release: NO, 4.2 (3.1 to 5.3)");
    }

    /// What the words of the vocabulary meet says nothing of the analyst's texts.
    void limitsOnTextsCountWhereTheyAreMeasured() {
        AnalysisState settings;
        settings.edit(&AnalysisSettings::limits, {calibration::defaultLimits().front()});
        LimitVerdicts state(settings);
        calibration::LimitCheck met;
        met.margin = 0.0;
        state.setChecks({met});
        const auto gain = evaluation::parseFigureLimit("attack.gain<=5%").value();
        settings.edit(&AnalysisSettings::figureLimits, {gain});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 0}));
        // What Texts measured there counts, unless there is no figure.
        state.setOnTexts({found(gain, {std::nan(""), {}})});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 0}));
        state.setOnTexts({found(gain, {0.15, {}})});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 1}));
        state.setOnTexts({found(gain, {0.05, {}})});
        QCOMPARE(state.status(), (document::LimitCounts{2, 2, 0}));
        settings.edit(&AnalysisSettings::limits, {});
        QCOMPARE(state.status(), (document::LimitCounts{1, 1, 0}));
        // Of other limits nothing is known.
        settings.edit(&AnalysisSettings::figureLimits,
                      {evaluation::parseFigureLimit("attack.gain<=4%").value()});
        QCOMPARE(state.status(), (document::LimitCounts{1, 0, 0}));
    }
};

class EpsilonSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void needsAMeasurementAndSaysThatALimitIsMissing() {
        Search f;
        QVERIFY(f.model.obstacle().contains("embedding"));
        f.model.findEpsilon();
        f.openToy();
        f.limit("nw.p95<=60%");
        QTRY_VERIFY(f.model.spans() != nullptr);
        f.state.edit(&AnalysisSettings::limits, {});
        QVERIFY(f.model.obstacle().isEmpty());
        QVERIFY(f.model.spans() == nullptr);
        const double before = f.state.epsilon();
        f.model.findEpsilon();
        QVERIFY(f.model.message().startsWith("No limit is set yet: fill in"));
        QCOMPARE(f.state.epsilon(), before);
        f.state.edit(&AnalysisSettings::figureLimits,
                     std::vector{*evaluation::parseFigureLimit("attack.gain<=5%")});
        QSignalSpy onTexts(&f.model, &EpsilonSearch::searchOnTextsRequested);
        f.model.findEpsilon();
        QCOMPARE(onTexts.size(), 1);
        QCOMPARE(f.state.epsilon(), before);
        f.limit("nw.p95<=60%");
        QVERIFY(f.model.message().isEmpty());
        // One on words beside it changes nothing: all are to be kept to.
        f.model.findEpsilon();
        QCOMPARE(onTexts.size(), 2);
        QCOMPARE(f.state.epsilon(), before);
    }

    /// The epsilon that is set is the one shown as the largest, and it is judged at once: nothing
    /// else is measured in between that could say otherwise.
    void theEpsilonFoundIsTheOneShownAndJudged() {
        Search f;
        f.openToy();
        f.limit("nw.p95<=60%");
        QTRY_VERIFY(f.model.spans() != nullptr);
        const double largest = *f.model.spans()->largest.epsilon;
        f.model.findEpsilon();
        // Rounded down to the digits that are said: typed again, the value meets the limit.
        QVERIFY(f.state.epsilon() <= largest && f.state.epsilon() > 0.999 * largest);
        QVERIFY(test::begins(f.model.message(),
                             QString("ε = %1 is").arg(ui::shortest(f.state.epsilon()))));
        QVERIFY(test::holds(f.model.message(), "measured on 40 words"));
        QVERIFY(test::holds(f.model.message(), "largest value within your limit"));
        QCOMPARE(f.limits.status(), (document::LimitCounts{1, 1, 0}));
        // The same on the counts of the run that has the same draws, and one draw more above it.
        calibration::CalibrationOptions run = f.measurement.result()->options().calibration();
        run.grid.epsilons = {largest, 1.02 * *f.model.spans()->largest.above};
        const auto cells = calibration::calibrate(*f.state.searchSpace(), run).value().cells;
        QVERIFY(cells[0].nw.p95 <= 24.0);
        QVERIFY(cells[1].nw.p95 > 24.0);
        // Another epsilon: what was found is no longer said, and judged at once.
        f.chooseEpsilon(2.0 * largest);
        QVERIFY(f.model.message().isEmpty());
        QCOMPARE(f.limits.status(), (document::LimitCounts{1, 0, 1}));
    }

    void anotherSettingHasNoVerdictUntilItIsMeasured() {
        Search f;
        f.openToy();
        f.limit("nw.p95<=60%");
        QTRY_VERIFY(f.model.spans() != nullptr);
        for (const mechanism::Mechanism& mechanism :
             {mechanism::Mechanism(mechanism::Tem{}),
              mechanism::Mechanism(mechanism::Mahalanobis{})}) {
            f.choose(mechanism);
            QVERIFY(!f.measurement.isCurrent());
            QVERIFY(f.model.spans() == nullptr);
            QCOMPARE(f.limits.status().open(), 1);
            QTRY_VERIFY(f.model.spans() != nullptr);
            QCOMPARE(f.limits.status().open(), 0);
        }
        f.openToy();
        QVERIFY(f.model.spans() == nullptr);
        QCOMPARE(f.limits.status().open(), 1);
    }

    void saysWhichLimitFailsAndByHowMuch() {
        Search f;
        f.openToy();
        const double before = f.state.epsilon();
        f.limit("sw.mean>=41");
        f.model.findEpsilon();
        QTRY_VERIFY(!f.model.isSearching());
        QVERIFY(f.model.isFailure());
        QVERIFY(f.model.message().contains("No ε meets all limits"));
        QVERIFY(f.model.message().contains("at least 41") &&
                f.model.message().contains("; it is "));
        QCOMPARE(f.state.epsilon(), before);
        QCOMPARE(f.model.spans()->outside.size(), 1);
    }

    /// A run, of which the memo tells, measures the words of the details.
    void itIsFoundOnTheWordsOfRuns() {
        Search f;
        f.openToy();
        calibration::WordSelection few;
        few.count = 20;
        f.state.edit(&AnalysisSettings::words, few);
        f.limit("nw.p95<=60%");
        QTRY_VERIFY(f.model.spans() != nullptr);
        QCOMPARE(f.measurement.wordsText(), "40 words");
        QCOMPARE(f.state.epsilonOrigin(),
                 "ε is the default of the program for this embedding: nobody has "
                 "chosen it.");
        f.model.findEpsilon();
        QTRY_VERIFY2(f.model.message().contains("measured on 20 words"),
                     qPrintable(f.model.message()));
        QVERIFY(test::begins(
            f.state.epsilonOrigin(),
            "The program found ε by its search “Find ε”: it is the largest value within "
            "the limit: 95 of 100 words are kept in at most 24 of 40 draws. Searched on "
            "20 words with 40 draws each, seed 1."));
        const double found = f.state.epsilon();
        f.chooseEpsilon(0.9 * found);
        QCOMPARE(f.state.epsilonOrigin(), "ε was set by hand, not found by a search under limits.");
        f.chooseEpsilon(found);
        QVERIFY(f.state.epsilonOrigin().startsWith("The program found"));
        // It remains what the search found, under limits of which it says that they are others now.
        const QString origin = f.state.epsilonOrigin();
        f.state.edit(&AnalysisSettings::limits, {});
        QCOMPARE(f.state.epsilonOrigin(), origin + " The limits were changed after that.");
        f.state.rememberOrigin(f.state.epsilonOrigin());
        f.limit("nw.p95<=70%");
        QCOMPARE(f.state.epsilonOrigin().count("after that"), 1);
        // That it found nothing holds of its limits, at every ε.
        f.limit("sw.min>=40");
        f.model.findEpsilon();
        QTRY_VERIFY(f.model.isFailure());
        f.chooseEpsilon(0.8 * found);
        QVERIFY(test::ends(f.state.epsilonOrigin(), "“Find ε” found no ε within the limits."));
        f.limit("nw.p95<=60%");
        QVERIFY(test::ends(f.state.epsilonOrigin(), "a search under limits."));
    }
};

class CurrentMeasurementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startsByItselfAndFollowsTheSetting() {
        AnalysisState state;
        JobBoard jobs;
        const CurrentMeasurement measurement(state, jobs);
        QVERIFY(!measurement.wasCancelled());
        test::open(state);
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->words().size(), 40);
        // Every epsilon is measured already.
        state.edit(&AnalysisSettings::chooseEpsilon, 3.0);
        QVERIFY(measurement.isCurrent());
        const auto before = measurement.result();
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.75});
        QVERIFY(!measurement.isCurrent());
        QVERIFY(measurement.result() == before);
        QTRY_VERIFY(measurement.isCurrent());
        QVERIFY(measurement.result()->options().mechanism == state.mechanism());
        state.edit(&AnalysisSettings::seed, state.seed() + 1);
        QVERIFY(!measurement.isCurrent());
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->options().seed, state.seed());
        // Nothing of another embedding stays, not even for a moment.
        const std::weak_ptr<const engine::SearchSpace> left = state.searchSpace();
        test::open(state);
        QVERIFY(!measurement.result());
        QTRY_VERIFY(left.expired() || measurement.isCurrent());
        QVERIFY(!measurement.isCurrent());
        QTRY_VERIFY(measurement.isCurrent());
    }

    void measuresTheWordsOfARunAsLongAsTheSettingsAskForThem() {
        AnalysisState state;
        JobBoard jobs;
        CurrentMeasurement measurement(state, jobs);
        test::open(state);
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.wordsText(), "40 words");
        const calibration::WordSelection some{calibration::WordSelection::Kind::list, 0, {1, 5, 7}};
        state.edit(&AnalysisSettings::words, some);
        QVERIFY(measurement.isCurrent());  // before a run it is as good
        measurement.followWords(some);
        QVERIFY(!measurement.isCurrent());
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->words().size(), 3);
        QCOMPARE(measurement.wordsText(), "3 words");
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {2}});
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->words().size(), 40);
    }

    void fallsBackWhereTheWordsOfARunTakeTooMuch() {
        AnalysisState state;
        JobBoard jobs;
        CurrentMeasurement measurement(
            state, jobs,
            [](const engine::SearchSpace& space, const calibration::MeasurementOptions& options,
               const JobContext& job) -> Result<calibration::MeasurementHandle> {
                if (options.words.kind == calibration::WordSelection::Kind::list) {
                    return fail(ErrorCode::resourceLimit, "too much");
                }
                return calibration::measure(space, options, job);
            });
        test::open(state);
        state.edit(&AnalysisSettings::words,
                   {calibration::WordSelection::Kind::list, 0, {1, 2, 3}});
        measurement.followWords(state.words());
        QTRY_VERIFY(measurement.isCurrent());
        QVERIFY(measurement.problem().isEmpty());
        QCOMPARE(measurement.result()->words().size(), 40);
        measurement.measureWordsOfRuns();
        QVERIFY(measurement.isCurrent());
    }

    void standsBackWhileAnAnswerIsWaitedFor() {
        AnalysisState state;
        JobBoard jobs;
        JobRunner<int> answer("answer", [](const Result<int>&) {});
        jobs.setInteractive(&answer);
        const CurrentMeasurement measurement(state, jobs);
        answer.start(test::untilStopped);
        test::open(state);
        test::letPass(200);  // many rests of timers that hurry
        QVERIFY(!measurement.result());
        answer.cancel();
        QTRY_VERIFY(measurement.isCurrent());
    }
};

class GuaranteeModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Against a search through all distances.
    void theOddsAreOfTheSelectedWordAndTheNearestOther() {
        Promise f;
        const auto embedding = test::toyEmbedding();
        f.open(embedding);
        QVERIFY(f.isOf("paris", "london"));
        const Word word(embedding, 17);
        f.state.selectWord(word);
        QTRY_COMPARE(f.model.firstWord(), word.text());
        QVERIFY(f.model.words() == f.model.nearPairs().front());
        f.choose(mechanism::Laplace());
        const double least = distance(f.model.nearPairs().front());
        QCOMPARE(f.model.nearPairs().front()[1].row(), nearest(*embedding, 17, false));
        QVERIFY(std::abs(*f.model.lossAt(2.0) - 2.0 * least) < 1e-4);
        // The next ones are farther away.
        QCOMPARE(f.model.nearPairs().size(), 5);
        double before = 0.0;
        for (const PromisePair& pair : f.model.nearPairs()) {
            QVERIFY(pair[0] == word && distance(pair) >= before);
            before = distance(pair);
        }
        // Words that are typed stay until another one is selected.
        f.model.setWords(word.text(), "london");
        QVERIFY(f.isOf(word.text(), "london"));
        // As far as another embedding knows them.
        f.state.setEmbedding(test::toyEmbedding(30, 3), nullptr);
        QVERIFY(f.isOf(word.text(), "london"));
        QVERIFY(f.model.nearPairs().empty());
        f.state.setEmbedding(test::toyEmbedding(10, 3), nullptr);
        QVERIFY(f.isOf("paris", "london"));
    }

    /// Near is what the noise takes for near, in the embedding at hand.
    void nearPairsFollowNoiseAndEmbedding() {
        Promise f;
        AnalysisState& state = f.state;
        const auto nearestTo = [&state](embedding::Row from, bool isHyperbolic) {
            return nearest(*state.embedding(), from, isHyperbolic);
        };
        test::open(state, test::toyBall(60, 5));
        f.choose(mechanism::Laplace());
        embedding::Row from = 0;
        while (from < 59 && nearestTo(from, true) == nearestTo(from, false)) {
            ++from;
        }
        QVERIFY(nearestTo(from, true) != nearestTo(from, false));
        const auto isTold = [&](bool isHyperbolic) {
            const auto pairs = f.model.nearPairs();
            return !pairs.empty() && pairs[0][0] == Word(state.embedding(), from) &&
                   pairs[0][1] == Word(state.embedding(), nearestTo(from, isHyperbolic));
        };
        const auto select = [&] { state.selectWord(Word(state.embedding(), from)); };
        select();
        QTRY_VERIFY(isTold(false));
        f.choose(mechanism::Hyperbolic());
        state.selectWord(Word(state.embedding(), from == 0 ? 1 : 0));
        select();
        QTRY_VERIFY(isTold(true));
        f.choose(mechanism::Laplace());
        test::open(state, test::toyEmbedding(60, 3));
        select();
        QTRY_VERIFY(isTold(false));
    }

    void oddsAreThoseOfTheWordsChosen() {
        Promise f;
        f.model.setWords("paris", "london");  // nothing is open
        const auto ball = test::toyBall(60, 5);
        f.state.setEmbedding(ball, nullptr);
        f.choose(mechanism::Hyperbolic());
        f.model.setWords("word9", "paris");
        QVERIFY(f.isOf("word9", "paris"));
        QCOMPARE(f.model.distance(), metric::poincareDistance(ball->vectors().row(9).data(),
                                                              ball->vectors().row(0).data(), 5));
        f.model.setWords("word9", "no such word");
        QVERIFY(f.isOf("word9", "paris"));
    }

private:
    [[nodiscard]] static embedding::Row nearest(const embedding::PreparedEmbedding& embedding,
                                                embedding::Row from, bool isHyperbolic) {
        const RowMatrixD x = embedding.vectors().cast<double>();
        embedding::Row nearest = from;
        double least = std::numeric_limits<double>::infinity();
        for (embedding::Row row = 0; row < embedding.wordCount(); ++row) {
            // Rises with the hyperbolic distance, which is acosh(1 + 2 of it / (1 - |from|²)).
            const double distance = (x.row(row) - x.row(from)).squaredNorm() /
                                    (isHyperbolic ? 1.0 - x.row(row).squaredNorm() : 1.0);
            if (row != from && distance < least) {
                least = distance;
                nearest = row;
            }
        }
        return nearest;
    }
    [[nodiscard]] static double distance(const PromisePair& pair) {
        const RowMatrixF& vectors = pair[0].embedding()->vectors();
        return (vectors.row(pair[0].row()) - vectors.row(pair[1].row())).norm();
    }
};

EPSILENS_UI_TEST(LimitStateTest)
EPSILENS_UI_TEST(EpsilonSearchTest)
EPSILENS_UI_TEST(CurrentMeasurementTest)
EPSILENS_UI_TEST(GuaranteeModelTest)
#include "limits_test.moc"
