#include "ui/report/report_draft.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "core/report/report_json.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;

namespace {

constexpr int kPatienceMs = 20'000;

struct Fixture {
    Fixture() {
        run = test::toyRun();
        state.setEmbedding(run.space->handle(), run.space);
        state.setEpsilon(7);
        state.setLambda(0.4);
    }
    void takeRun() {
        draft.setRun(run);
        QTRY_VERIFY_WITH_TIMEOUT(draft.record() != nullptr, kPatienceMs);
    }
    QByteArray exported(const char* name) {
        const QString path = folder.filePath(QLatin1String(name));
        QSignalSpy done(&draft, &ui::ReportDraft::exported);
        draft.exportTo(path);
        [&] { QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs); }();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    ui::FinishedRun run;
    ui::AnalysisState state;
    ui::ReportDraft draft{state};
    QTemporaryDir folder;
};

}  // namespace

class ReportDraftTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunBecomesARecordAndAPreview() {
        Fixture f;
        QSignalSpy previews(&f.draft, &ui::ReportDraft::previewReady);
        f.takeRun();
        QTRY_VERIFY_WITH_TIMEOUT(previews.count() > 0, kPatienceMs);
        QCOMPARE(f.draft.choices().size(), 4);
        QCOMPARE(f.draft.choices().at(3), QStringLiteral("ε = 8, λ = 0.5"));
        // The calibrated setting nearest to epsilon 7, lambda 0.4.
        QCOMPARE(f.draft.chosenCell(), 3);
        QVERIFY(f.draft.record()->run.details.has_value());
        QCOMPARE(f.draft.record()->run.details->worstWords.size(), std::size_t{4});
    }

    void everyFormatIsWritten() {
        Fixture f;
        f.takeRun();
        QVERIFY(f.exported("r.pdf").startsWith("%PDF-"));
        QVERIFY(f.exported("r.html").startsWith("<!DOCTYPE html>"));
        QVERIFY(f.exported("r.md").startsWith("# Privacy calibration"));
        const auto read = report::readReport(f.exported("r.json").toStdString());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->record.summary.cells.size(), std::size_t{4});
        QSignalSpy failures(&f.draft, &ui::ReportDraft::failed);
        f.draft.exportTo(f.folder.filePath(QStringLiteral("r.xyz")));
        QTRY_COMPARE_WITH_TIMEOUT(failures.count(), 1, kPatienceMs);
    }

    void sentencesAppearOnlyWhileTheyAreIncluded() {
        Fixture f;
        f.state.setSentence(QStringLiteral("my secret sentence"));
        f.takeRun();
        QVERIFY(!f.exported("a.json").contains("secret"));
        f.draft.setIncludesSentence(true);
        QVERIFY(f.exported("b.json").contains("my secret sentence"));
        QVERIFY(f.exported("b.html").contains("my secret sentence"));
        f.draft.setIncludesSentence(false);
        QVERIFY(!f.exported("c.html").contains("secret"));
    }

    void limitsAreReadOrRefusedInWords() {
        Fixture f;
        QVERIFY(f.draft.setLimitText(QStringLiteral("nw.p95<=50%; sw.p5 >= 20")).isEmpty());
        QCOMPARE(f.draft.limitText(), QStringLiteral("nw.p95<=50%; sw.p5>=20"));
        QVERIFY(!f.draft.setLimitText(QStringLiteral("nw.p95")).isEmpty());
        QCOMPARE(f.draft.limitText(), QStringLiteral("nw.p95<=50%; sw.p5>=20"));
        QVERIFY(f.draft.setLimitText({}).isEmpty());
        QVERIFY(f.draft.settings().limits.empty());
    }

    void anotherEmbeddingTakesTheResultsAway() {
        Fixture f;
        f.takeRun();
        f.state.setEmbedding(nullptr, nullptr);
        QVERIFY(f.draft.record() == nullptr);
        QVERIFY(f.draft.choices().isEmpty());
    }

    void noneCanBeChosen() {
        Fixture f;
        f.takeRun();
        f.draft.setChosenCell(-1);
        QCOMPARE(f.draft.chosenCell(), -1);
        f.draft.setChosenCell(1);
        QCOMPARE(f.draft.settings().choice->epsilon, 8.0);
        QCOMPARE(*f.draft.settings().choice->lambda, 0.0);
    }
};

EPSILENS_UI_TEST(ReportDraftTest)
#include "report_draft_test.moc"
