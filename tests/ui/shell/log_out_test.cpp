#include "ui/shell/log_out.h"

#include <QFile>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QSessionManager>
#include <QTabWidget>

#include "core/document/session_file.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

/// The desktop ends its programs while the window is open.
class LogOutTest : public QObject, protected test::SessionWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        m_allowed = true;
        m_released = 0;
        m_cancelled = 0;
    }
    void cleanup() { clean(); }

    void nothingUnsavedIsNotAskedAbout() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        saveTo("work.epsilens");
        startLongRun();
        saveTo("work.epsilens");
        dialogs::presetAnswer(std::nullopt);
        logOut();
        QVERIFY(!dialogs::ask(nullptr, {}, {}, {QString()}));  // nobody has asked
        QCOMPARE(m_released, 0);
        QCOMPARE(m_cancelled, 0);
    }

    void unsavedWorkDuringAJobIsAskedAbout() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        startLongRun();
        dialogs::presetAnswer(std::nullopt);
        logOut();
        QCOMPARE(m_released, 1);
        QCOMPARE(m_cancelled, 1);
        QVERIFY(curves()->model().isRunning());
        // Saving that is given up keeps the session of the desktop, too.
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(QString());
        logOut();
        QCOMPARE(m_cancelled, 2);
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(path("work.epsilens"));
        logOut();
        QCOMPARE(m_released, 3);
        QCOMPARE(m_cancelled, 2);
        const auto saved = document::openSession(toStdPath(path("work.epsilens")));
        QVERIFY(saved && saved->results);
        QCOMPARE(saved->results->summary->draws, 5);
    }

    void discardedWorkMayGo() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        dialogs::presetAnswer(1);
        logOut();
        QCOMPARE(m_released, 1);
        QCOMPARE(m_cancelled, 0);
    }

    void whereNothingMayBeAskedNothingIs() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        m_allowed = false;
        logOut();  // a question would wait here
        QCOMPARE(m_released, 0);
        QCOMPARE(m_cancelled, 0);
    }

    /// The signal itself, with Qt's own manager, who asks nobody without a desktop.
    void theSignalOfTheDesktopIsFollowed() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        findControl<QTabWidget>(*m_window, "tabs")->setCurrentWidget(report());
        auto* purpose = findControl<QPlainTextEdit>(*m_window, "reportPurposeEdit");
        purpose->setFocus();
        QTest::keyClicks(purpose, QStringLiteral("for a survey"));
        QCOMPARE(report()->draft().settings().purpose, std::string());
        auto* manager = qApp->findChild<QSessionManager*>();
        QVERIFY(manager != nullptr);
        Q_EMIT qApp->commitDataRequest(*manager);
        QCOMPARE(report()->draft().settings().purpose, std::string("for a survey"));
    }

private:
    void logOut() {
        m_window->findChild<LogOut*>()->answer(
            {[this] { return m_allowed; }, [this] { ++m_released; }, [this] { ++m_cancelled; }});
    }

    bool m_allowed = true;
    int m_released = 0;
    int m_cancelled = 0;
};

EPSILENS_UI_TEST(LogOutTest)
#include "log_out_test.moc"
