#include <QSignalSpy>

#include "tests/cases/bad_inputs.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/support/ui_test.h"
#include "ui/choose/choose_model.h"
#include "ui/setup/embedding_loader.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::BadInput;
using test::kPatienceMs;

/// Texts that are hard to read must not harm the window either.
class WindowBadInputsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsAreShown() {
        for (const BadInput& bad : test::badTexts()) {
            const test::TemporaryFolder folder;
            AnalysisState state;
            JobBoard jobs;
            EmbeddingLoader loader(state, jobs, coreLoadFunctions());
            choose::ChooseModel model(state);
            const QSignalSpy opened(&loader, &EmbeddingLoader::opened);
            loader.open(QString::fromStdString(folder.file("input.txt", bad.file)));
            QTRY_COMPARE(opened.count(), 1);
            state.setSentence(
                QString::fromUtf8(bad.input.data(), static_cast<qsizetype>(bad.input.size())));
            QTRY_VERIFY2(!model.isBehind(), bad.name.c_str());
            model.nextSample();
            QVERIFY(model.problem() == nullptr);
        }
    }
};

EPSILENS_UI_TEST(WindowBadInputsTest)
#include "window_bad_inputs_test.moc"
