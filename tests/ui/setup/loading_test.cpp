#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include "core/metric/word_metric.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/setup/embedding_loader.h"
#include "ui/setup/setup_panel.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"

using namespace epsilens;
using namespace epsilens::ui;

class EmbeddingLoaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void putsDataThenRangeIntoTheState() {
        AnalysisState state;
        JobBoard jobs;
        LoadFunctions functions = coreLoadFunctions();
        embedding::LoadOptions asked;
        functions.open = [&asked](const embedding::LoadOptions& options,
                                  const JobContext&) -> Result<embedding::EmbeddingHandle> {
            asked = options;
            return test::toyEmbedding();
        };
        EmbeddingLoader loader(state, jobs, functions);
        const std::unique_ptr<QObject> estimator(
            newRangeEstimator(state, jobs, functions, nullptr));
        const QSignalSpy opened(&loader, &EmbeddingLoader::opened);
        int scales = 0;
        state.onChange(&AnalysisSettings::epsilonScale, this, [&scales] { ++scales; });
        loader.open("/data/toy.txt", 25);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(asked.path, "/data/toy.txt");
        QCOMPARE(asked.limitRows, 25);
        QVERIFY(state.embedding() != nullptr);
        QVERIFY(state.searchSpace() != nullptr);
        QTRY_COMPARE(scales, 1);
        QCOMPARE(state.epsilon(), state.epsilonScale().suggested);
        QVERIFY(*state.epsilonScale().low < state.epsilonScale().suggested);
        QVERIFY(*state.epsilonScale().high > state.epsilonScale().suggested);
    }

    void failureLeavesTheStateAlone() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        const auto before = state.embedding();
        JobBoard jobs;
        LoadFunctions functions;
        functions.open = [](const embedding::LoadOptions&,
                            const JobContext&) -> Result<embedding::EmbeddingHandle> {
            return fail(ErrorCode::badFile, "not an embedding");
        };
        EmbeddingLoader loader(state, jobs, functions);
        const QSignalSpy failed(&loader, &EmbeddingLoader::failed);
        loader.open("/data/broken.bin");
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.at(0).at(0).toString(), "/data/broken.bin");
        QCOMPARE(state.embedding(), before);
    }

    /// A file that was given up or refused is not what Reload is about, unless nothing is open or
    /// the question is how many of its rows to load.
    void reloadIsOfWhatIsOpen() {
        AnalysisState state;
        SessionResults results(state);
        JobBoard jobs;
        LoadFunctions functions;
        functions.open = [](const embedding::LoadOptions& options,
                            const JobContext&) -> Result<embedding::EmbeddingHandle> {
            if (options.path == "/bad") {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            return test::toyEmbedding();
        };
        SetupPanel panel(state, results, jobs, functions);
        const QSignalSpy failed(&panel.loader(), &EmbeddingLoader::failed);
        QSignalSpy wanted(&panel, &SetupPanel::reloadRequested);
        auto* reload = test::findControl<QPushButton>(panel, "reloadButton");
        const auto reloaded = [&wanted, reload] {
            reload->click();
            return wanted.isEmpty() ? QString() : wanted.takeLast().at(0).toString();
        };
        panel.loader().open("/bad");
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(reloaded(), "/bad");
        panel.loader().open("/good");
        QTRY_VERIFY(state.embedding() != nullptr);
        QCOMPARE(panel.loader().openPath(), "/good");
        panel.loader().open("/bad");
        QTRY_COMPARE(failed.count(), 2);
        QCOMPARE(reloaded(), "/good");
        panel.askForRowLimit();
        reload->click();
        QCOMPARE(wanted.takeLast().at(0).toString(), "/bad");
    }

    void newestFileWins() {
        AnalysisState state;
        JobBoard jobs;
        LoadFunctions functions;
        functions.open = [](const embedding::LoadOptions& options,
                            const JobContext& job) -> Result<embedding::EmbeddingHandle> {
            while (options.path == "/slow" && !job.stopRequested()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            auto data = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
            data->embedding.path = options.path;
            return data;
        };
        EmbeddingLoader loader(state, jobs, functions);
        const QSignalSpy opened(&loader, &EmbeddingLoader::opened);
        loader.open("/slow");
        loader.open("/fast");
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(opened.at(0).at(0).toString(), "/fast");
        QCOMPARE(state.embedding()->embedding.path, "/fast");
    }
};

namespace {

constexpr int kMuchLongerThanARestMs = 200;  // 40 ms where timers hurry

/// A range that shows which lambda it was estimated for: 10 at lambda 0, 20 at lambda 1.
struct LoadingFixture {
    LoadingFixture() {
        LoadFunctions functions;
        functions.epsilonRange = [this](const engine::SearchSpace&,
                                        const calibration::CalibrationOptions& options,
                                        const JobContext& job) -> Result<engine::EpsilonRange> {
            seed = options.seed;
            while (isSlow && !job.stopRequested()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            const double suggested = 10.0 * (1.0 + options.grid.lambdas.front());
            return engine::EpsilonRange{suggested, 0.5 * suggested, 2.0 * suggested, 3};
        };
        jobs.setInteractive(&answer);
        estimator.reset(newRangeEstimator(state, jobs, functions, nullptr));
    }
    void setLambda(double lambda) {
        state.edit(&AnalysisSettings::setParameters, {.lambda = lambda});
    }
    [[nodiscard]] double suggested() const { return state.epsilonScale().suggested; }

    AnalysisState state;
    JobBoard jobs;
    JobRunner<int> answer{"answer", [](const Result<int>&) {}};
    std::atomic<bool> isSlow = false;
    std::atomic<std::uint64_t> seed = 0;  ///< of the settings that it was estimated for
    std::unique_ptr<QObject> estimator;
};

}  // namespace

class RangeEstimatorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rangeFollowsMechanismAndLambda() {
        LoadingFixture f;
        f.state.edit(&AnalysisSettings::seed, std::uint64_t{77});
        test::open(f.state);
        QTRY_COMPARE(f.suggested(), 15.0);
        QCOMPARE(f.seed.load(), std::uint64_t{77});
        QCOMPARE(f.state.epsilon(), 15.0);
        f.setLambda(0.8);
        f.setLambda(1.0);
        QTRY_COMPARE(f.suggested(), 20.0);
        QCOMPARE(*f.state.epsilonScale().high, 40.0);
        QCOMPARE(f.state.epsilon(), 15.0);  // what lambdas are compared at stays
        f.state.edit(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        QTRY_COMPARE(f.suggested(), 10.0);
    }

    void rangeIsThereAgainWhereOneReturns() {
        LoadingFixture f;
        test::open(f.state);
        QTRY_COMPARE(f.suggested(), 15.0);
        f.isSlow = true;
        f.state.edit(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        test::letPass(kMuchLongerThanARestMs);
        QVERIFY(!f.state.epsilonScale().low);
        f.state.edit(&AnalysisSettings::chooseMechanism, mechanism::Mahalanobis());
        QTRY_VERIFY(f.state.epsilonScale().low.has_value());
        QCOMPARE(f.state.epsilon(), 15.0);
    }

    void standsBackWhileAnAnswerIsWaitedFor() {
        LoadingFixture f;
        test::open(f.state);
        QTRY_COMPARE(f.suggested(), 15.0);
        f.answer.start(test::untilStopped);
        f.setLambda(1.0);
        test::letPass(kMuchLongerThanARestMs);
        QCOMPARE(f.suggested(), 15.0);
        f.answer.cancel();
        QTRY_COMPARE(f.suggested(), 20.0);
    }

    void stopsForAnotherLambdaWhateverIsWaitedFor() {
        LoadingFixture f;
        test::open(f.state);
        QTRY_COMPARE(f.suggested(), 15.0);
        f.isSlow = true;
        f.setLambda(0.8);
        QTRY_COMPARE(f.jobs.runningCount(), 1);
        f.answer.start(test::untilStopped);
        f.setLambda(1.0);
        QTRY_COMPARE(f.jobs.runningCount(), 0);
        f.isSlow = false;
        f.answer.cancel();
        QTRY_COMPARE(f.suggested(), 20.0);
    }
};

class RadiusFactsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// With at most 200 words all of them are asked: distances of all pairs, in float64.
    void agreesWithAllPairs() {
        const auto ball = test::toyBall(150, 4);
        for (const auto metric : {metric::Metric::euclidean, metric::Metric::mahalanobis,
                                  metric::Metric::angular, metric::Metric::poincare}) {
            const auto words = metric::WordMetric::create(ball, metric, 0.5).value();
            RadiusRequest request;
            request.embedding = ball;
            request.metric = metric;
            request.lambda = words.lambda();
            request.gamma = 0.8;
            request.spaces = std::make_shared<MetricSpaceCache>();
            const auto facts = findRadiusFacts(request, {}).value();
            double largest = 0.0;
            std::vector<double> within;
            for (embedding::Row a = 0; a < 150; ++a) {
                int count = 0;
                for (embedding::Row b = 0; b < 150; ++b) {
                    const double distance = words.distance(a, b);
                    largest = std::max(largest, distance);
                    count += distance <= 0.8 ? 1 : 0;
                }
                within.push_back(count);
            }
            std::ranges::sort(within);
            QVERIFY(qAbs(facts.largestDistance - largest) < 1e-5 * largest);
            QCOMPARE(*facts.medianWithin, 0.5 * (within[74] + within[75]));
            QVERIFY(within[74] > 1.0);
        }
    }
};

EPSILENS_UI_TEST(EmbeddingLoaderTest)
EPSILENS_UI_TEST(RangeEstimatorTest)
EPSILENS_UI_TEST(RadiusFactsTest)
#include "loading_test.moc"
