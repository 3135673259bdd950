#include <QSignalSpy>

#include "tests/cases/bad_inputs.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_model.h"
#include "ui/live/live_model.h"
#include "ui/setup/embedding_loader.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::BadInput;
using test::kPatienceMs;

namespace {

struct Window {
    AnalysisState state{};
    JobBoard jobs{};
    EmbeddingLoader loader{state, jobs, coreLoadFunctions()};
};

}  // namespace

/// What is answered on the command line must not harm the window either.
class WindowBadInputsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void embeddingsAreOpenedOrRefusedWithTheSameSentence() {
        int opened = 0;
        int refused = 0;
        for (const BadInput& bad : test::badEmbeddings()) {
            if (bad.file.empty() || bad.arguments.back() == "--strict") {
                continue;
            }
            const test::TemporaryFolder folder;
            Window window;
            const QSignalSpy done(&window.loader, &EmbeddingLoader::opened);
            QSignalSpy failed(&window.loader, &EmbeddingLoader::failed);
            window.loader.open(QString::fromStdString(folder.file("input.txt", bad.file)));
            QTRY_COMPARE_WITH_TIMEOUT(done.count() + failed.count(), 1, kPatienceMs);
            QVERIFY2((failed.count() == 1) == (bad.exitCode == 4), bad.name.c_str());
            if (failed.count() == 1) {
                const auto error = failed.takeFirst().at(1).value<Error>();
                QVERIFY2(error.message.find(bad.message) != std::string::npos, bad.name.c_str());
                ++refused;
            } else {
                calibrate(window.state, bad.name);
                ++opened;
            }
        }
        QVERIFY(opened > 10);
        QVERIFY(refused > 5);
    }

    void textsAreShown() {
        for (const BadInput& bad : test::badTexts()) {
            const test::TemporaryFolder folder;
            Window window;
            live::LiveModel model(window.state);
            const QSignalSpy opened(&window.loader, &EmbeddingLoader::opened);
            window.loader.open(QString::fromStdString(folder.file("input.txt", bad.file)));
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kPatienceMs);
            window.state.lookAt(
                QString::fromUtf8(bad.input.data(), static_cast<qsizetype>(bad.input.size())));
            QTRY_VERIFY2_WITH_TIMEOUT(!model.isBehind(), bad.name.c_str(), kPatienceMs);
            model.nextSample();
            QVERIFY(model.problem() == nullptr);
        }
    }

    void aGridBeyondMemoryIsRefusedBeforeItRuns() {
        const test::TemporaryFolder folder;
        Window window;
        CurvesModel model(window.state);
        const QSignalSpy opened(&window.loader, &EmbeddingLoader::opened);
        window.loader.open(
            QString::fromStdString(folder.file("input.txt", "a 1 2\nb 3 1\nc 0 1\nd 2 2\n")));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, kPatienceMs);
        window.state.edit(&AnalysisSettings::draws, 1'000'000);
        window.state.edit([&](AnalysisSettings& settings) {
            settings.grid.epsilons = std::vector<double>(10'000, 1.0);
        });
        window.state.edit([&](AnalysisSettings& settings) {
            settings.grid.lambdas = std::vector<double>(10'000, 0.5);
        });
        const QSignalSpy failed(&model, &CurvesModel::failed);
        model.run();
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMs);
        const auto error = failed.front().front().value<Error>();
        QVERIFY2(error.message.find("of memory") != std::string::npos, error.message.c_str());
    }

private:
    /// A run ends with a result or a sentence.
    static void calibrate(AnalysisState& state, const std::string& name) {
        CurvesModel model(state);
        const QSignalSpy results(&model, &CurvesModel::resultChanged);
        const QSignalSpy failed(&model, &CurvesModel::failed);
        state.edit(&AnalysisSettings::draws, 10);
        model.run();
        QTRY_VERIFY2_WITH_TIMEOUT(!model.isRunning(), name.c_str(), kPatienceMs);
        QVERIFY2(results.count() + failed.count() > 0 || !model.obstacle().isEmpty(), name.c_str());
    }
};

EPSILENS_UI_TEST(WindowBadInputsTest)
#include "window_bad_inputs_test.moc"
