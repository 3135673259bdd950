#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "core/calibration/recommend.h"
#include "core/evaluation/figure_limit.h"
#include "core/metric/poincare_distance.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
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
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_limits = std::make_unique<LimitVerdicts>(*m_state);
        m_jobs = std::make_unique<JobBoard>();
        m_measurement = std::make_unique<CurrentMeasurement>(*m_state, *m_jobs);
        m_model = std::make_unique<EpsilonSearch>(*m_state, *m_limits, *m_measurement);
    }
    void cleanup() {
        m_model.reset();
        m_measurement.reset();
    }

    void needsAMeasurementAndSaysThatALimitIsMissing() {
        QVERIFY(m_model->obstacle().contains("embedding"));
        m_model->findEpsilon();
        openToy();
        limit("nw.p95<=60%");
        QTRY_VERIFY(m_model->spans() != nullptr);
        m_state->edit(&AnalysisSettings::limits, {});
        QVERIFY(m_model->obstacle().isEmpty());
        QVERIFY(m_model->spans() == nullptr);
        const double before = m_state->epsilon();
        m_model->findEpsilon();
        QVERIFY(m_model->message().startsWith("No limit is set yet: fill in"));
        QCOMPARE(m_state->epsilon(), before);
        m_state->edit(&AnalysisSettings::figureLimits,
                      std::vector{*evaluation::parseFigureLimit("attack.gain<=5%")});
        QSignalSpy onTexts(m_model.get(), &EpsilonSearch::searchOnTextsRequested);
        m_model->findEpsilon();
        QCOMPARE(onTexts.size(), 1);
        QCOMPARE(m_state->epsilon(), before);
        limit("nw.p95<=60%");
        QVERIFY(m_model->message().isEmpty());
        // One on words beside it changes nothing: all are to be kept to.
        m_model->findEpsilon();
        QCOMPARE(onTexts.size(), 2);
        QCOMPARE(m_state->epsilon(), before);
    }

    /// The epsilon that is set is the one shown as the largest, and it is judged at once: nothing
    /// else is measured in between that could say otherwise.
    void theEpsilonFoundIsTheOneShownAndJudged() {
        openToy();
        limit("nw.p95<=60%");
        QTRY_VERIFY(m_model->spans() != nullptr);
        const double largest = *m_model->spans()->largest.epsilon;
        m_model->findEpsilon();
        // Rounded down to the digits that are said: typed again, the value meets the limit.
        QVERIFY(m_state->epsilon() <= largest && m_state->epsilon() > 0.999 * largest);
        QVERIFY(test::begins(m_model->message(),
                             QString("ε = %1 is").arg(ui::shortest(m_state->epsilon()))));
        QVERIFY(test::holds(m_model->message(), "measured on 40 words"));
        QVERIFY(test::holds(m_model->message(), "largest value within your limit"));
        QCOMPARE(m_limits->status(), (document::LimitCounts{1, 1, 0}));
        // The same on the counts of the run that has the same draws, and one draw more above it.
        calibration::CalibrationOptions run = m_measurement->result()->options().calibration();
        run.grid.epsilons = {largest, 1.02 * *m_model->spans()->largest.above};
        const auto cells = calibration::calibrate(*m_state->searchSpace(), run).value().cells;
        QVERIFY(cells[0].nw.p95 <= 24.0);
        QVERIFY(cells[1].nw.p95 > 24.0);
        // Another epsilon: what was found is no longer said, and judged at once.
        m_state->edit(&AnalysisSettings::chooseEpsilon, 2.0 * largest);
        QVERIFY(m_model->message().isEmpty());
        QCOMPARE(m_limits->status(), (document::LimitCounts{1, 0, 1}));
    }

    void anotherSettingHasNoVerdictUntilItIsMeasured() {
        openToy();
        limit("nw.p95<=60%");
        QTRY_VERIFY(m_model->spans() != nullptr);
        for (const mechanism::Mechanism& mechanism :
             {mechanism::Mechanism(mechanism::Tem{}),
              mechanism::Mechanism(mechanism::Mahalanobis{})}) {
            m_state->edit(&AnalysisSettings::chooseMechanism, mechanism);
            QVERIFY(!m_measurement->isCurrent());
            QVERIFY(m_model->spans() == nullptr);
            QCOMPARE(m_limits->status().open(), 1);
            QTRY_VERIFY(m_model->spans() != nullptr);
            QCOMPARE(m_limits->status().open(), 0);
        }
        openToy();
        QVERIFY(m_model->spans() == nullptr);
        QCOMPARE(m_limits->status().open(), 1);
    }

    void saysWhichLimitFailsAndByHowMuch() {
        openToy();
        const double before = m_state->epsilon();
        limit("sw.mean>=41");
        m_model->findEpsilon();
        QTRY_VERIFY(!m_model->isSearching());
        QVERIFY(m_model->isFailure());
        QVERIFY(m_model->message().contains("No ε meets all limits"));
        QVERIFY(m_model->message().contains("at least 41") &&
                m_model->message().contains("; it is "));
        QCOMPARE(m_state->epsilon(), before);
        QCOMPARE(m_model->spans()->outside.size(), 1);
    }

    /// A run, of which the memo tells, measures the words of the details.
    void itIsFoundOnTheWordsOfRuns() {
        openToy();
        calibration::WordSelection few;
        few.count = 20;
        m_state->edit(&AnalysisSettings::words, few);
        limit("nw.p95<=60%");
        QTRY_VERIFY(m_model->spans() != nullptr);
        QCOMPARE(m_measurement->wordsText(), "40 words");
        QCOMPARE(m_state->epsilonOrigin(),
                 "ε is the default of the program for this embedding: nobody has "
                 "chosen it.");
        m_model->findEpsilon();
        QTRY_VERIFY2(m_model->message().contains("measured on 20 words"),
                     qPrintable(m_model->message()));
        QVERIFY(test::begins(
            m_state->epsilonOrigin(),
            "The program found ε by its search “Find ε”: it is the largest value within "
            "the limit: 95 of 100 words are kept in at most 24 of 40 draws. Searched on "
            "20 words with 40 draws each, seed 1."));
        const double found = m_state->epsilon();
        m_state->edit(&AnalysisSettings::chooseEpsilon, 0.9 * found);
        QCOMPARE(m_state->epsilonOrigin(),
                 "ε was set by hand, not found by a search under limits.");
        m_state->edit(&AnalysisSettings::chooseEpsilon, found);
        QVERIFY(m_state->epsilonOrigin().startsWith("The program found"));
        // It remains what the search found, under limits of which it says that they are others now.
        const QString origin = m_state->epsilonOrigin();
        m_state->edit(&AnalysisSettings::limits, {});
        QCOMPARE(m_state->epsilonOrigin(), origin + " The limits were changed after that.");
        m_state->rememberOrigin(m_state->epsilonOrigin());
        limit("nw.p95<=70%");
        QCOMPARE(m_state->epsilonOrigin().count("after that"), 1);
    }

private:
    void limit(const char* text) {
        m_state->edit(&AnalysisSettings::limits, {calibration::parseLimit(text).value()});
    }
    void openToy() {
        m_state->edit(&AnalysisSettings::draws, 40);
        test::open(*m_state);
    }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<LimitVerdicts> m_limits;
    std::unique_ptr<JobBoard> m_jobs;
    std::unique_ptr<CurrentMeasurement> m_measurement;
    std::unique_ptr<EpsilonSearch> m_model;
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
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_model = std::make_unique<GuaranteeModel>(*m_state);
    }
    void cleanup() { m_model.reset(); }

    void saysWhatTheConstantIsNot() {
        QVERIFY(!m_model->guarantee());
        m_state->setEmbedding(test::toyBall(60, 5), nullptr);
        // Lemma 3 encloses the loss between two Euclidean factors; Laplace needs none.
        QVERIFY(!m_model->euclideanReading().isEmpty());
        m_state->edit(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        QVERIFY(m_model->euclideanReading().isEmpty());
        m_state->edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
        QVERIFY(m_model->caution().isEmpty());
        m_state->edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        m_state->edit(&AnalysisSettings::chooseEpsilon, 1.0);
        QCOMPARE(m_model->guarantee()->bound, 6.0);  // 1 + m, m = 5
        QVERIFY(test::holds(m_model->caution(), "m = 5 more"));
    }

    /// Against a search through all distances.
    void theOddsAreOfTheSelectedWordAndTheNearestOther() {
        const auto embedding = test::toyEmbedding();
        test::open(*m_state, embedding);
        QVERIFY(areOf("paris", "london"));
        const Word word(embedding, 17);
        m_state->selectWord(word);
        QTRY_COMPARE(m_model->firstWord(), word.text());
        QVERIFY(m_model->words() == m_model->nearPairs().front());
        m_state->edit(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        const double least = distance(m_model->nearPairs().front());
        QVERIFY(isNearest(m_model->nearPairs().front()));
        QVERIFY(std::abs(*m_model->lossAt(2.0) - 2.0 * least) < 1e-4);
        // The next ones are farther away.
        QCOMPARE(m_model->nearPairs().size(), 5);
        double before = 0.0;
        for (const PromisePair& pair : m_model->nearPairs()) {
            QVERIFY(pair[0] == word && distance(pair) >= before);
            before = distance(pair);
        }
        // Words that are typed stay until another one is selected.
        m_model->setWords(word.text(), "london");
        QVERIFY(areOf(word.text(), "london"));
        // As far as another embedding knows them.
        m_state->setEmbedding(test::toyEmbedding(30, 3), nullptr);
        QVERIFY(areOf(word.text(), "london"));
        QVERIFY(m_model->nearPairs().empty());
        m_state->setEmbedding(test::toyEmbedding(10, 3), nullptr);
        QVERIFY(areOf("paris", "london"));
    }

    /// Near is what the noise takes for near, in the embedding at hand.
    void nearPairsFollowNoiseAndEmbedding() {
        AnalysisState& state = *m_state;
        const auto nearestTo = [&state](embedding::Row from, bool isHyperbolic) {
            const RowMatrixD x = state.embedding()->vectors().cast<double>();
            embedding::Row nearest = from;
            double least = std::numeric_limits<double>::infinity();
            for (embedding::Row row = 0; row < state.embedding()->wordCount(); ++row) {
                // Rises with the hyperbolic distance, which is acosh(1 + 2 of it / (1 - |from|²)).
                const double distance = (x.row(row) - x.row(from)).squaredNorm() /
                                        (isHyperbolic ? 1.0 - x.row(row).squaredNorm() : 1.0);
                if (row != from && distance < least) {
                    least = distance;
                    nearest = row;
                }
            }
            return nearest;
        };
        test::open(state, test::toyBall(60, 5));
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        embedding::Row from = 0;
        while (from < 59 && nearestTo(from, true) == nearestTo(from, false)) {
            ++from;
        }
        QVERIFY(nearestTo(from, true) != nearestTo(from, false));
        const auto isTold = [&](bool isHyperbolic) {
            const auto pairs = m_model->nearPairs();
            return !pairs.empty() && pairs[0][0] == Word(state.embedding(), from) &&
                   pairs[0][1] == Word(state.embedding(), nearestTo(from, isHyperbolic));
        };
        const auto select = [&] { state.selectWord(Word(state.embedding(), from)); };
        select();
        QTRY_VERIFY(isTold(false));
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
        state.selectWord(Word(state.embedding(), from == 0 ? 1 : 0));
        select();
        QTRY_VERIFY(isTold(true));
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        test::open(state, test::toyEmbedding(60, 3));
        select();
        QTRY_VERIFY(isTold(false));
    }

    void oddsAreThoseOfTheWordsChosen() {
        m_model->setWords("paris", "london");  // nothing is open
        const auto ball = test::toyBall(60, 5);
        m_state->setEmbedding(ball, nullptr);
        m_state->edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
        m_model->setWords("word9", "paris");
        QVERIFY(areOf("word9", "paris"));
        QCOMPARE(m_model->distance(), metric::poincareDistance(ball->vectors().row(9).data(),
                                                               ball->vectors().row(0).data(), 5));
        m_model->setWords("word9", "no such word");
        QVERIFY(areOf("word9", "paris"));
    }

private:
    [[nodiscard]] bool areOf(const QString& first, const QString& second) const {
        return test::holds(m_model->firstWord() + ' ' + m_model->secondWord(),
                           first + ' ' + second);
    }
    [[nodiscard]] static double distance(const PromisePair& pair) {
        const RowMatrixF& vectors = pair[0].embedding()->vectors();
        return (vectors.row(pair[0].row()) - vectors.row(pair[1].row())).norm();
    }
    [[nodiscard]] static bool isNearest(const PromisePair& pair) {
        bool isNearest = pair[0] != pair[1];
        for (int row = 0; row < pair[0].embedding()->wordCount(); ++row) {
            isNearest = isNearest && (row == pair[0].row() ||
                                      distance({pair[0], Word(pair[0].embedding(), row)}) >=
                                          distance(pair) - 1e-6);
        }
        return isNearest;
    }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<GuaranteeModel> m_model;
};

EPSILENS_UI_TEST(LimitStateTest)
EPSILENS_UI_TEST(EpsilonSearchTest)
EPSILENS_UI_TEST(CurrentMeasurementTest)
EPSILENS_UI_TEST(GuaranteeModelTest)
#include "limits_test.moc"
