#include <memory>
#include <numeric>

#include <QAction>
#include <QFile>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QTabWidget>

#include "core/calibration/recommend.h"
#include "core/document/session_file.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/support/ui_test.h"
#include "ui/setup/embedding_loader.h"
#include "ui/shell/session_file.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;
using test::vectors;
using test::writeFile;

/// When a session is saved, and what happens to unsaved work.
class SessionSavingTest : public QObject, protected test::SessionWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    /// The form of the report waits for a pause in typing; a save does not.
    void aSaveTakesWhatIsBeingTyped() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        findControl<QTabWidget>(*m_window, "tabs")->setCurrentWidget(report());
        auto* purpose = findControl<QPlainTextEdit>(*m_window, "reportPurposeEdit");
        purpose->setFocus();
        QTest::keyClicks(purpose, QStringLiteral("for a survey"));
        saveTo("work.epsilens");
        QCOMPARE(document::openSession(toStdPath(path("work.epsilens")))->report.purpose,
                 std::string("for a survey"));
        QTest::keyClicks(purpose, QStringLiteral(" of 2026"));
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(!m_window->close());
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    /// A report measures an ε beside the grid; that makes no change to save.
    void anExportLeavesASavedSessionUnmodified() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        const auto& cells = report()->draft().run()->summary->cells;
        m_window->state().edit(&AnalysisSettings::epsilon,
                               std::midpoint(cells[0].epsilon, cells[1].epsilon));
        saveTo("work.epsilens");
        QSignalSpy exported(&report()->draft(), &ReportDraft::exported);
        report()->draft().exportTo(path("report.html"));
        QTRY_VERIFY_WITH_TIMEOUT(!exported.isEmpty(), kPatienceMs);
        QVERIFY(report()->draft().settings().choice.has_value());
        QVERIFY(!m_window->findChild<SessionFile*>()->isModified());
    }

    /// The name is asked for once, also while the first save is under way.
    void savingTwiceAtOnceAsksForOneName() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        QSignalSpy done(m_window->findChild<SessionFile*>(), &SessionFile::saved);
        dialogs::presetSaveFile(path("work.epsilens"));
        auto* save = findControl<QAction>(*m_window, "saveSessionAction");
        save->trigger();
        m_window->state().edit(&AnalysisSettings::seed, 77);
        dialogs::presetSaveFile(path("other.epsilens"));
        save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isWindowModified() && !done.isEmpty(), kPatienceMs);
        QCOMPARE(dialogs::saveFile(nullptr, {}, {}, {}), path("other.epsilens"));
        QVERIFY(!QFile::exists(path("other.epsilens")));
        QCOMPARE(document::openSession(toStdPath(path("work.epsilens")))->grid.seed,
                 std::uint64_t{77});
    }

    /// A save that ends when the window is at another session leaves that one alone.
    void aLateSaveDoesNotTakeTheWindowOver() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        saveTo("first.epsilens");
        run();
        auto* file = m_window->findChild<SessionFile*>();
        QSignalSpy restored(file, &SessionFile::restored);
        file->open(path("first.epsilens"));
        dialogs::presetSaveFile(path("second.epsilens"));
        // Between the reading of one session and the writing of another, whichever ends first.
        findControl<QAction>(*m_window, "saveSessionAsAction")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!restored.isEmpty() && QFile::exists(path("second.epsilens")),
                                 kPatienceMs);
        test::letJobsEnd();
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("first.epsilens")));
    }

    void anotherFileTakesThePlaceOfUnsavedResultsOnlyWhenAllowed() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        const QString other = writeFile(path("other.txt"), vectors(2));
        const auto before = m_window->state().embedding();
        auto* loader = m_window->findChild<EmbeddingLoader*>();
        dialogs::presetAnswer(std::nullopt);
        m_window->open(other);
        QVERIFY(!loader->isLoading());
        QVERIFY(report()->draft().run() != nullptr);
        QVERIFY2(dialogs::lastQuestion().startsWith(
                     QStringLiteral("What you open takes the place of the results of ")),
                 qPrintable(dialogs::lastQuestion()));
        // Whoever closes the window knows that they go.
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(!m_window->close());
        QCOMPARE(dialogs::lastQuestion(),
                 QStringLiteral("Save the settings and the results as a session?"));
        dialogs::presetAnswer(1);
        m_window->open(other);
        QVERIFY(loader->isLoading());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != before, kPatienceMs);
        // What was discarded is not asked about again.
        QVERIFY(report()->draft().run() == nullptr);
        QVERIFY(!m_window->findChild<SessionFile*>()->isModified());
        QVERIFY(m_window->close());
    }

    // Or the next save would put the settings of these vectors into the file of those.
    void aSessionEndsWhereOtherVectorsBegin() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        saveTo("work.epsilens");
        const auto before = m_window->state().embedding();
        const QString other = writeFile(path("other.txt"), vectors(2));
        m_window->open(other);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != before, kPatienceMs);
        QTRY_VERIFY(!m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        QVERIFY(!m_window->isWindowModified());
        const auto second = m_window->state().embedding();
        m_window->open(m_vectors);  // asks nothing, or it would wait here
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != second, kPatienceMs);
    }

    void closingAsksOnlyWhenSomethingIsUnsaved() {
        load();
        QVERIFY(m_window->close());
        openWindow();
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(!m_window->close());
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(QString());
        QVERIFY(!m_window->close());
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(path("closing"));
        QVERIFY(m_window->close());
        QVERIFY(QFile::exists(path("closing.epsilens")));
        openWindow();
        load();
        run();
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    void aRunThatHasJustEndedIsUnsaved() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        bool asked = false;
        bool saved = false;
        const auto close = [&] {
            dialogs::presetAnswer(std::nullopt);
            asked = !m_window->close();
            dialogs::presetAnswer(0);
            dialogs::presetSaveFile(path("closing.epsilens"));
            saved = m_window->close();
        };
        connect(curves(), &CurvesPanel::resultChanged, this, close, Qt::SingleShotConnection);
        curves()->run();
        QTRY_VERIFY_WITH_TIMEOUT(saved, kPatienceMs);
        QVERIFY(asked);
        const auto session = document::openSession(toStdPath(path("closing.epsilens")));
        QVERIFY(session && session->results);
        QCOMPARE(session->results->summary->draws, 5);
    }

    void aSaveAtTheEndOfARunHoldsItsResults() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        auto* file = m_window->findChild<SessionFile*>();
        QSignalSpy done(file, &SessionFile::saved);
        auto* save = findControl<QAction>(*m_window, "saveSessionAction");
        const auto saveNow = [&] {
            dialogs::presetSaveFile(path("work.epsilens"));
            save->trigger();
            // Has the name of the first, and asks for none.
            save->trigger();
        };
        connect(curves(), &CurvesPanel::resultChanged, this, saveNow, Qt::SingleShotConnection);
        curves()->run();
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
        const auto session = document::openSession(toStdPath(path("work.epsilens")));
        QVERIFY(session && session->results);
        QVERIFY(!file->isModified());
    }

    void resultsDiscardedAtTheEndOfTheirRunAreNotAskedAboutAgain() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        const auto close = [&] {
            dialogs::presetAnswer(1);
            QVERIFY(m_window->close());
        };
        connect(curves(), &CurvesPanel::resultChanged, this, close, Qt::SingleShotConnection);
        run();
        QVERIFY(!m_window->findChild<SessionFile*>()->isModified());
    }

    void limitsWithoutAFileAreAskedAbout() {
        load();
        m_window->state().edit(&AnalysisSettings::limits, calibration::defaultLimits());
        // They outlast another embedding.
        QVERIFY(m_window->findChild<SessionFile*>()->mayClose(true));
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(!m_window->close());
        QCOMPARE(dialogs::lastQuestion(), QStringLiteral("Save the settings as a session?"));
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    void closingDuringAJobAsksOnlyWhenSomethingIsUnsaved() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        saveTo("work.epsilens");
        startLongRun();
        saveTo("work.epsilens");
        // The answer that a question would get keeps the window open; nobody asks for it.
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(m_window->close());
        QVERIFY(!dialogs::ask(nullptr, {}, {}, {QString()}));
        QTRY_VERIFY_WITH_TIMEOUT(!curves()->model().isRunning(), kPatienceMs);

        openWindow();
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        startLongRun();
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(!m_window->close());
        QVERIFY(curves()->model().isRunning());
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(path("closing.epsilens"));
        QVERIFY(m_window->close());
        const auto saved = document::openSession(toStdPath(path("closing.epsilens")));
        QVERIFY(saved && saved->results);
        QCOMPARE(saved->results->summary->draws, 5);
    }

    /// With the window goes the job, which is waited for: its threads use what the window owns. A
    /// thread that still worked would hold the embedding.
    void closingTheWindowEndsItsRun() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        startLongRun();
        const std::weak_ptr embedding = m_window->state().embedding();
        QVERIFY(jobPool()->activeThreadCount() > 0);
        const QPointer<CurvesPanel> panel = curves();
        dialogs::presetAnswer(1);  // discard
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY(panel.isNull());
        QVERIFY(embedding.expired());
        QCoreApplication::processEvents();  // answers that are late find nobody
    }
};

EPSILENS_UI_TEST(SessionSavingTest)
#include "session_saving_test.moc"
