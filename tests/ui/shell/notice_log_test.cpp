#include "ui/shell/notice_log.h"

#include <QTime>
#include <QToolButton>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class NoticeLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesDownWhatIsToldOnce() {
        NoticeLog log;
        log.add(Severity::warning, QStringLiteral("3 lines skipped"));
        log.add(Severity::info, QStringLiteral("settings changed"));
        log.add(Severity::info, QStringLiteral("settings changed"));
        QCOMPARE(log.rowCount(), 2);
        const auto shown = [&log](int row, int column) {
            return log.index(row, column).data().toString();
        };
        QCOMPARE(shown(0, NoticeLog::severityColumn), QStringLiteral("Warning"));
        QCOMPARE(shown(0, NoticeLog::textColumn), QStringLiteral("3 lines skipped"));
        QCOMPARE(shown(1, NoticeLog::textColumn), QStringLiteral("settings changed (2 times)"));
        QVERIFY(QTime::fromString(shown(0, NoticeLog::timeColumn), QStringLiteral("HH:mm:ss"))
                    .isValid());
        QVERIFY(log.toText().endsWith(QStringLiteral(" Note: settings changed (2 times)")));
    }

    void countsWhatWasNotSeen() {
        NoticeLog log;
        LogDialog dialog(log);
        auto* button = dialog.makeButton(nullptr);
        const std::unique_ptr<QWidget> owner(button);
        QCOMPARE(button->text(), QStringLiteral("log"));
        log.add(Severity::info, QStringLiteral("a note"));
        log.add(Severity::error, QStringLiteral("an error"));
        QCOMPARE(button->text(), QStringLiteral("log ⚠ 1"));
        QVERIFY(button->accessibleName().contains(QStringLiteral("1")));
        button->click();
        QVERIFY(dialog.isVisible());
        QCOMPARE(log.unseen(), 0);
        QCOMPARE(button->text(), QStringLiteral("log"));
        // The same again is news once it has been read, and counts once.
        log.add(Severity::error, QStringLiteral("an error"));
        log.add(Severity::error, QStringLiteral("an error"));
        QCOMPARE(button->text(), QStringLiteral("log ⚠ 1"));
    }

    void keepsTheNewest() {
        NoticeLog log;
        for (int i = 0; i < NoticeLog::kMost + 3; ++i) {
            log.add(Severity::info, QString::number(i));
        }
        QCOMPARE(log.rowCount(), NoticeLog::kMost);
        QCOMPARE(log.index(0, NoticeLog::textColumn).data().toString(), QStringLiteral("3"));
        log.forget();
        QCOMPARE(log.rowCount(), 0);
    }
};

EPSILENS_UI_TEST(NoticeLogTest)
#include "notice_log_test.moc"
