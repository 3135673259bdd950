#include "ui/widgets/notice_line.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/ui/support/ui_test.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using namespace epsilens::ui;

class NoticeLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhereAndWhat() {
        const Error error{ErrorCode::badFile, "299 numbers, expected 300", "glove.txt", 78'290};
        QCOMPARE(noticeFor(error).text,
                 QStringLiteral("glove.txt, line 78,290: 299 numbers, expected 300"));
        const Error withFile{ErrorCode::badFile, "glove.txt: no vectors", "glove.txt", 0};
        QCOMPARE(noticeFor(withFile).text, QStringLiteral("glove.txt: no vectors"));
        const Error inFolder{ErrorCode::badFile, "/data/glove.txt: no vectors", "/data/glove.txt",
                             0};
        QCOMPARE(noticeFor(inFolder).text, QStringLiteral("glove.txt: no vectors"));
        const Error named{ErrorCode::badFile, "no vectors in it", "/data/vectors", 0};
        QCOMPARE(noticeFor(named).text, QStringLiteral("vectors: no vectors in it"));
    }

    void actionsRunAndHideTheLine() {
        NoticeLine line;
        int runs = 0;
        line.present({Severity::warning,
                      QStringLiteral("Settings changed"),
                      {{QStringLiteral("Run again"), [&runs] { ++runs; }}}});
        QVERIFY(line.isVisible());
        QCOMPARE(line.text(), QStringLiteral("Settings changed"));
        QVERIFY(line.accessibleName().contains(QStringLiteral("Warning")));
        auto* button = line.findChild<QPushButton*>();
        QCOMPARE(button->text(), QStringLiteral("Run again"));
        button->click();
        QCOMPARE(runs, 1);
        QVERIFY(line.isHidden());
    }

    void closesAndStartsHidden() {
        NoticeLine line;
        QVERIFY(line.isHidden());
        line.present({Severity::info, QStringLiteral("<b>as typed</b>")});
        QCOMPARE(line.text(), QStringLiteral("<b>as typed</b>"));
        test::findControl<QToolButton>(line, "noticeCloseButton")->click();
        QVERIFY(line.isHidden());
    }

    /// Also behind another page, where it is not seen while the theme changes.
    void itsBackgroundFollowsTheTheme() {
        QWidget window;
        QWidget page(&window);
        NoticeLine line(&page);
        line.resize(200, 40);
        applyTheme(ThemeChoice::light);
        window.show();
        line.present({Severity::info, QStringLiteral("A note")});
        for (const bool isSeen : {true, false}) {
            for (const ThemeChoice choice : {ThemeChoice::dark, ThemeChoice::light}) {
                page.setVisible(isSeen);
                applyTheme(choice);
                QCoreApplication::processEvents();
                page.show();
                const QColor background = line.grab().toImage().pixelColor(2, 2);
                QCOMPARE(background, themeOf(&page).noticeInfo);
                QCOMPARE(background.lightness() < 128, choice == ThemeChoice::dark);
            }
        }
    }

    void tellsALogWithoutWhatWasTyped() {
        NoticeLine line;
        QSignalSpy presented(&line, &NoticeLine::presented);
        Notice notice{Severity::info, QStringLiteral("\"secret\" is unknown")};
        notice.logText = QStringLiteral("A word is unknown");
        line.present(notice);
        line.present({Severity::warning, QStringLiteral("3 lines skipped")});
        QCOMPARE(presented.at(0).at(1).toString(), QStringLiteral("A word is unknown"));
        QCOMPARE(presented.at(1).at(1).toString(), QStringLiteral("3 lines skipped"));
    }

    void aStateIsToldWhenItChanges() {
        NoticeLine line;
        QSignalSpy presented(&line, &NoticeLine::presented);
        const Notice stale{Severity::info, QStringLiteral("settings changed")};
        Notice runnable = stale;
        runnable.actions = {{QStringLiteral("Run again"), {}}};
        line.follow(stale);
        line.follow(stale);
        QCOMPARE(presented.count(), 1);
        line.follow(runnable);
        QCOMPARE(presented.count(), 2);
        // Dismissed: it stays away until there is news.
        line.findChild<QToolButton*>(QStringLiteral("noticeCloseButton"))->click();
        line.follow(runnable);
        QVERIFY(!line.isVisible());
        line.follow(std::nullopt);
        line.follow(runnable);
        QVERIFY(line.isVisible());
        QCOMPARE(presented.count(), 3);
        // What an action tried may have changed nothing.
        line.findChild<QPushButton*>()->click();
        QVERIFY(!line.isVisible());
        line.follow(runnable);
        QVERIFY(line.isVisible());
        line.follow(std::nullopt);
        QVERIFY(!line.isVisible());
    }

    void aStateComesBackFromBehindAnotherNotice() {
        NoticeLine line;
        const Notice stale{Severity::info,
                           QStringLiteral("settings changed"),
                           {{QStringLiteral("Run again"), {}}}};
        const Notice error{Severity::error, QStringLiteral("not enough memory")};
        auto* close = test::findControl<QToolButton>(line, "noticeCloseButton");
        line.follow(stale);
        QSignalSpy presented(&line, &NoticeLine::presented);
        line.present(error);
        QCOMPARE(line.text(), error.text);
        // Another error takes the place of the first; the state goes on behind both.
        line.present(error);
        line.follow(stale);
        QCOMPARE(line.text(), error.text);
        close->click();
        QVERIFY(line.isVisible());
        QCOMPARE(line.text(), stale.text);
        QCOMPARE(line.findChildren<QPushButton*>().last()->text(), stale.actions.first().text);
        QCOMPARE(presented.count(), 2);  // no news for the log
        close->click();
        QVERIFY(line.isHidden());
        // Where it was closed it stays away.
        line.present(error);
        close->click();
        QVERIFY(line.isHidden());
        // An end of the state ends what lies over it too.
        line.follow(std::nullopt);
        line.follow(stale);
        line.present(error);
        line.follow(std::nullopt);
        QVERIFY(line.isHidden());
        line.present(error);
        close->click();
        QVERIFY(line.isHidden());
    }

    void aWayOnFromANoticeKeepsTheStateBehindIt() {
        NoticeLine line;
        const Notice stale{Severity::info, QStringLiteral("settings changed")};
        line.follow(stale);
        line.present({Severity::error, QStringLiteral("failed"), {{QStringLiteral("Help"), {}}}});
        line.findChild<QPushButton*>()->click();
        QVERIFY(line.isVisible());
        QCOMPARE(line.text(), stale.text);
    }

    void anActionMayShowTheNextNotice() {
        NoticeLine line;
        line.present({Severity::error,
                      QStringLiteral("first"),
                      {{QStringLiteral("Again"), [&line] {
                            line.present({Severity::error, QStringLiteral("second")});
                        }}}});
        line.findChild<QPushButton*>()->click();
        QVERIFY(line.isVisible());
        QCOMPARE(line.text(), QStringLiteral("second"));
    }
};

EPSILENS_UI_TEST(NoticeLineTest)
#include "notice_line_test.moc"
