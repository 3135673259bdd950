#include <memory>
#include <numeric>

#include <QFile>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPointer>
#include <QSessionManager>
#include <QSignalSpy>
#include <QTabWidget>

#include "core/calibration/recommend.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/setup/setup_panel.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;
using test::vectors;
using test::writeFile;

/// When a session is saved, and what happens to unsaved work.
class SessionSavingTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        load();
    }
    void cleanup() { clean(); }

    /// The form of the report waits for a pause in typing; a save does not, nor does a question.
    void aSaveTakesWhatIsBeingTyped() {
        run();
        QPlainTextEdit& purpose = typePurpose("for a survey");
        saveTo("work.epsilens");
        QCOMPARE(saved("work.epsilens").report.purpose, std::string("for a survey"));
        QTest::keyClicks(&purpose, QStringLiteral(" of 2026"));
        QVERIFY(!leave(std::nullopt));
        QVERIFY(leave(1));
    }

    /// A report measures an ε beside the grid; that makes no change to save.
    void anExportLeavesASavedSessionUnmodified() {
        run();
        const auto& cells = report().draft().run()->summary->cells;
        state().edit(&AnalysisSettings::epsilon, std::midpoint(cells[0].epsilon, cells[1].epsilon));
        saveTo("work.epsilens");
        exportTo("report.html");
        QVERIFY(report().draft().settings().choice.has_value());
        QVERIFY(!session().isModified());
    }

    /// The name is asked for once, also while the first save is under way.
    void savingTwiceAtOnceAsksForOneName() {
        run();
        const QSignalSpy done(&session(), &SessionFile::saved);
        dialogs::presetSaveFile(path("work.epsilens"));
        trigger("saveSessionAction");
        state().edit(&AnalysisSettings::seed, 77);
        dialogs::presetSaveFile(path("other.epsilens"));
        trigger("saveSessionAction");
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isWindowModified() && !done.isEmpty(), kPatienceMs);
        QCOMPARE(dialogs::saveFile(nullptr, {}, {}, {}), path("other.epsilens"));
        QVERIFY(!QFile::exists(path("other.epsilens")));
        QCOMPARE(saved("work.epsilens").grid.seed, std::uint64_t{77});
    }

    /// A save that ends when the window is at another session leaves that one alone.
    void aLateSaveDoesNotTakeTheWindowOver() {
        saveTo("first.epsilens");
        run();
        const QSignalSpy restored(&session(), &SessionFile::restored);
        session().open(path("first.epsilens"));
        dialogs::presetSaveFile(path("second.epsilens"));
        // Between the reading of one session and the writing of another, whichever ends first.
        trigger("saveSessionAsAction");
        QTRY_VERIFY_WITH_TIMEOUT(!restored.isEmpty() && QFile::exists(path("second.epsilens")),
                                 kPatienceMs);
        test::letJobsEnd();
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("first.epsilens")));
    }

    void anotherFileTakesThePlaceOfUnsavedResultsOnlyWhenAllowed() {
        run();
        const QString other = writeFile(path("other.txt"), vectors(2));
        dialogs::presetAnswer(std::nullopt);
        m_window->open(other);
        QVERIFY(!m_window->setup().loader().isLoading());
        QVERIFY(report().draft().run() != nullptr);
        QVERIFY2(dialogs::lastQuestion().startsWith(
                     QStringLiteral("What you open takes the place of the results of ")),
                 qPrintable(dialogs::lastQuestion()));
        // Whoever closes the window knows that they go.
        QVERIFY(!leave(std::nullopt));
        QCOMPARE(dialogs::lastQuestion(),
                 QStringLiteral("Save the settings and the results as a session?"));
        dialogs::presetAnswer(1);
        open(other);
        // What was discarded is not asked about again.
        QVERIFY(report().draft().run() == nullptr);
        QVERIFY(!session().isModified());
        QVERIFY(m_window->close());
    }

    // Or the next save would put the settings of these vectors into the file of those.
    void aSessionEndsWhereOtherVectorsBegin() {
        run();
        saveTo("work.epsilens");
        open(writeFile(path("other.txt"), vectors(2)));
        QTRY_VERIFY(!m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        QVERIFY(!m_window->isWindowModified());
        open(m_vectors);  // asks nothing, or it would wait here
    }

    /// A run that goes on is no work to be saved, and is not waited for.
    void unsavedWorkIsAskedAbout() {
        run();
        startLongRun();
        QVERIFY(!leave(std::nullopt));
        QVERIFY(curves().isRunning());
        QVERIFY(!leave(0, {}));  // saving is given up
        QVERIFY(leave(0, path("closing")));
        QCOMPARE(saved("closing.epsilens").results->summary->draws, 5);

        openWindow();
        load();
        run();
        QVERIFY(leave(1));

        openWindow();
        load();
        run();
        saveTo("work.epsilens");
        startLongRun();
        saveTo("work.epsilens");
        // The answer that a question would get keeps the window open; nobody asks for it.
        QVERIFY(leave(std::nullopt));
        QVERIFY(!dialogs::ask(nullptr, {}, {}, {QString()}));

        openWindow();
        load();
        QVERIFY(m_window->close());  // without an answer at hand
    }

    /// The signal itself, with Qt's own manager, who asks nobody without a desktop.
    void theSignalOfTheDesktopIsFollowed() {
        run();
        typePurpose("for a survey");
        QCOMPARE(report().draft().settings().purpose, std::string());
        auto* manager = qApp->findChild<QSessionManager*>();
        QVERIFY(manager != nullptr);
        Q_EMIT qApp->commitDataRequest(*manager);
        QCOMPARE(report().draft().settings().purpose, std::string("for a survey"));
    }

    void aRunThatHasJustEndedIsUnsaved() {
        bool stays = false;
        atTheEndOfARun([&] {
            stays = !leave(std::nullopt);
            QVERIFY(leave(0, path("closing.epsilens")));
        });
        QVERIFY(stays);
        QCOMPARE(saved("closing.epsilens").results->summary->draws, 5);
    }

    void aSaveAtTheEndOfARunHoldsItsResults() {
        const QSignalSpy done(&session(), &SessionFile::saved);
        atTheEndOfARun([&] {
            dialogs::presetSaveFile(path("work.epsilens"));
            trigger("saveSessionAction");
            // Has the name of the first, and asks for none.
            trigger("saveSessionAction");
        });
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
        QVERIFY(saved("work.epsilens").results);
        QVERIFY(!session().isModified());
    }

    void resultsDiscardedAtTheEndOfTheirRunAreNotAskedAboutAgain() {
        atTheEndOfARun([&] { QVERIFY(leave(1)); });
        QVERIFY(!session().isModified());
    }

    void limitsWithoutAFileAreAskedAbout() {
        state().edit(&AnalysisSettings::limits, calibration::defaultLimits());
        // They outlast another embedding.
        QVERIFY(session().mayClose(true));
        QVERIFY(!leave(std::nullopt));
        QCOMPARE(dialogs::lastQuestion(), QStringLiteral("Save the settings as a session?"));
        QVERIFY(leave(1));
    }

    /// With the window goes the job, which is waited for: its threads use what the window owns. A
    /// thread that still worked would hold the embedding.
    void closingTheWindowEndsItsRun() {
        run();
        startLongRun();
        const std::weak_ptr embedding = state().embedding();
        QVERIFY(jobPool()->activeThreadCount() > 0);
        const QPointer<CurvesPanel> panel = &curves();
        QVERIFY(leave(1));
        m_window.reset();
        QVERIFY(panel.isNull());
        QVERIFY(embedding.expired());
        QCoreApplication::processEvents();  // answers that are late find nobody
    }

private:
    QPlainTextEdit& typePurpose(const char* text) const {
        m_window->tabs().setCurrentWidget(&report());
        auto& purpose = find<QPlainTextEdit>("reportPurposeEdit");
        purpose.setFocus();
        QTest::keyClicks(&purpose, QString::fromUtf8(text));
        return purpose;
    }

    /// Returns whether the window closes.
    ///
    /// answer  to the question: nothing to stay, 0 to save as `name`, 1 to discard
    bool leave(std::optional<int> answer, const QString& name = {}) {
        dialogs::presetAnswer(answer);
        if (answer == 0) {
            dialogs::presetSaveFile(name);
        }
        return m_window->close();
    }

    /// Within the signal that tells of its results.
    void atTheEndOfARun(const std::function<void()>& act) {
        bool isDone = false;
        connect(
            &curves(), &CurvesPanel::resultChanged, this,
            [&] {
                act();
                isDone = true;
            },
            Qt::SingleShotConnection);
        run();
        QTRY_VERIFY_WITH_TIMEOUT(isDone, kPatienceMs);
    }
};

EPSILENS_UI_TEST(SessionSavingTest)
#include "session_saving_test.moc"
