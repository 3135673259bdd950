#include "ui/setup/embedding_loader.h"

#include <thread>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/analysis_state.h"
#include "ui/common/job_board.h"
#include "ui/setup/range_estimator.h"

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
        const RangeEstimator estimator(state, jobs, functions);
        const QSignalSpy opened(&loader, &EmbeddingLoader::opened);
        const QSignalSpy scaled(&state, &AnalysisState::epsilonScaleChanged);
        loader.open(QStringLiteral("/data/toy.txt"), 25);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(asked.path, std::string("/data/toy.txt"));
        QCOMPARE(asked.limitRows, std::int64_t{25});
        QVERIFY(state.embedding() != nullptr);
        QVERIFY(state.searchSpace() != nullptr);
        QTRY_COMPARE(scaled.count(), 1);
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
