#include "ui/setup/embedding_loader.h"

#include <thread>

#include <QPushButton>
#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/setup/range_estimator.h"
#include "ui/setup/setup_panel.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"
#include "ui/state/session_results.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

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
        const RangeEstimator estimator(state, jobs, functions);
        const QSignalSpy opened(&loader, &EmbeddingLoader::opened);
        int scales = 0;
        state.onChange(&AnalysisSettings::epsilonScale, this, [&scales] { ++scales; });
        loader.open(QStringLiteral("/data/toy.txt"), 25);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(asked.path, std::string("/data/toy.txt"));
        QCOMPARE(asked.limitRows, std::int64_t{25});
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
        loader.open(QStringLiteral("/data/broken.bin"));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.at(0).at(0).toString(), QStringLiteral("/data/broken.bin"));
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
        auto* reload = findControl<QPushButton>(panel, "reloadButton");
        const auto reloaded = [&wanted, reload] {
            reload->click();
            return wanted.isEmpty() ? QString() : wanted.takeLast().at(0).toString();
        };
        panel.loader().open(QStringLiteral("/bad"));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(reloaded(), QStringLiteral("/bad"));
        panel.loader().open(QStringLiteral("/good"));
        QTRY_VERIFY(state.embedding() != nullptr);
        QCOMPARE(panel.loader().openPath(), QStringLiteral("/good"));
        panel.loader().open(QStringLiteral("/bad"));
        QTRY_COMPARE(failed.count(), 2);
        QCOMPARE(reloaded(), QStringLiteral("/good"));
        panel.askForRowLimit();
        reload->click();
        QCOMPARE(wanted.takeLast().at(0).toString(), QStringLiteral("/bad"));
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
        loader.open(QStringLiteral("/slow"));
        loader.open(QStringLiteral("/fast"));
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(opened.at(0).at(0).toString(), QStringLiteral("/fast"));
        QCOMPARE(state.embedding()->embedding.path, std::string("/fast"));
    }
};

EPSILENS_UI_TEST(EmbeddingLoaderTest)
#include "embedding_loader_test.moc"
