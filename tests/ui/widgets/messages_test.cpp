#include "tests/ui/support/ui_test.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using namespace epsilens::ui;

/// Names as they are typed, which the desktop's dialog hands over.
class DialogsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_filters = {"PDF (*.pdf)", "HTML (*.html *.htm)"};
    }

    void aNameWithoutEndingGetsOne() {
        QCOMPARE(saved("report"), path("report.pdf"));
        QCOMPARE(saved("report.HTML"), path("report.HTML"));
        QCOMPARE(saved("report.htm"), path("report.htm"));
        QCOMPARE(saved("2.5"), path("2.5.pdf"));
        dialogs::presetSaveFile(QString());
        QCOMPARE(dialogs::saveFile(nullptr, {}, {}, m_filters), QString());
    }

    void anyNameWillDoWhereAllFilesAreShown() {
        m_filters.append("All files (*)");
        QCOMPARE(saved("report"), path("report"));
    }

    void aFileThatTheDialogCouldNotAskAboutIsAskedAbout() {
        QFile there(path("report.pdf"));
        QVERIFY(there.open(QIODevice::WriteOnly));
        dialogs::presetAnswer(std::nullopt);
        QCOMPARE(saved("report"), QString());
        dialogs::presetAnswer(0);
        QCOMPARE(saved("report"), path("report.pdf"));
        // The dialog itself has asked.
        QCOMPARE(saved("report.pdf"), path("report.pdf"));
    }

    void everyAnswerHasAKeyOfItsOwn() {
        QStringList keys;
        QTimer::singleShot(0, this, [&keys] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            for (const QAbstractButton* button : box->buttons()) {
                keys.append(QKeySequence::mnemonic(button->text()).toString());
            }
            box->reject();
        });
        QVERIFY(!dialogs::ask(nullptr, "Epsilens", "Save?", {"&Save", "&Discard"}));
        keys.sort();
        QCOMPARE(keys, (QStringList{"Alt+C", "Alt+D", "Alt+S"}));
    }

    void textTypedAheadAnswersNothing() {
        const auto answerTo = [this](Qt::Key key, Qt::KeyboardModifiers modifiers) {
            bool stays = false;
            QTimer::singleShot(0, this, [&] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                QVERIFY(box != nullptr && QTest::qWaitForWindowActive(box));
                QTest::keyClicks(box->focusWidget(), "we end");
                stays = box->isVisible();
                QTest::keyClick(box->focusWidget(), key, modifiers);
                // A button that a key chooses is seen going down.
                if (!test::handleEventsUntil([box] { return !box->isVisible(); })) {
                    box->reject();
                }
            });
            const auto answer =
                dialogs::ask(nullptr, "Epsilens", "Export?", {"&Wait", "&Export now"});
            return stays ? answer : std::optional(-1);
        };
        QCOMPARE(answerTo(Qt::Key_Return, {}), std::optional(0));
        QCOMPARE(answerTo(Qt::Key_E, Qt::AltModifier), std::optional(1));
        QCOMPARE(answerTo(Qt::Key_Escape, {}), std::nullopt);
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(name); }
    [[nodiscard]] QString saved(const char* typed) const {
        dialogs::presetSaveFile(path(typed));
        return dialogs::saveFile(nullptr, "Save", {}, m_filters);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QStringList m_filters;
};

class NoticeLineTest : public QObject, private test::Driver {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_line = std::make_unique<NoticeLine>(); }

    void saysWhereAndWhat_data() {
        QTest::addColumn<epsilens::Error>("error");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* text, const Error& error) {
            QTest::newRow(text) << error << text;
        };
        const auto bad = ErrorCode::badFile;
        row("glove.txt, line 78,290: 299 numbers, expected 300",
            {bad, "299 numbers, expected 300", "glove.txt", 78'290});
        row("glove.txt: no vectors", {bad, "glove.txt: no vectors", "glove.txt", 0});
        row("glove.txt: none", {bad, "/data/glove.txt: none", "/data/glove.txt", 0});
        row("vectors: no vectors in it", {bad, "no vectors in it", "/data/vectors", 0});
    }
    void saysWhereAndWhat() {
        QFETCH(const epsilens::Error, error);
        QTEST(noticeFor(error).text, "text");
    }

    void actionsRunAndHideTheLine() {
        QVERIFY(m_line->isHidden());
        int runs = 0;
        m_line->present({Severity::warning, "<b>as typed</b>", {{"Run again", [&] { ++runs; }}}});
        QVERIFY(m_line->isVisible());
        QCOMPARE(m_line->text(), "<b>as typed</b>");
        QVERIFY(test::holds(m_line->accessibleName(), "Warning"));
        QCOMPARE(action().text(), "Run again");
        action().click();
        QVERIFY(runs == 1 && m_line->isHidden());
        // It may show the next one.
        m_line->present({Severity::error, "first", {{"Again", [this] {
                                                         m_line->present({Severity::error, "2nd"});
                                                     }}}});
        action().click();
        QVERIFY(m_line->isVisible());
        QCOMPARE(m_line->text(), "2nd");
        click("noticeCloseButton");
        QVERIFY(m_line->isHidden());
    }

    /// Also behind another page, where it is not seen while the theme changes.
    void itsBackgroundFollowsTheTheme() {
        QWidget window;
        QWidget page(&window);
        NoticeLine line(&page);
        line.resize(200, 40);
        applyTheme(ThemeChoice::light);
        window.show();
        line.present({Severity::info, "A note"});
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
        const QSignalSpy presented(m_line.get(), &NoticeLine::presented);
        Notice notice{Severity::info, "\"secret\" is unknown"};
        notice.logText = "A word is unknown";
        m_line->present(notice);
        QCOMPARE(presented.front().at(1).toString(), notice.logText);
    }

    void aStateIsToldWhenItChanges() {
        QSignalSpy presented(m_line.get(), &NoticeLine::presented);
        Notice runnable = m_stale;
        runnable.actions = {{"Run again", {}}};
        m_line->follow(m_stale);
        m_line->follow(m_stale);
        QCOMPARE(presented.count(), 1);
        QCOMPARE(presented.front().at(1).toString(), m_stale.text);
        m_line->follow(runnable);
        QCOMPARE(presented.count(), 2);
        // Dismissed: it stays away until there is news.
        click("noticeCloseButton");
        m_line->follow(runnable);
        QVERIFY(!m_line->isVisible());
        m_line->follow(std::nullopt);
        m_line->follow(runnable);
        QVERIFY(m_line->isVisible());
        QCOMPARE(presented.count(), 3);
        // What an action tried may have changed nothing.
        action().click();
        QVERIFY(!m_line->isVisible());
        m_line->follow(runnable);
        QVERIFY(m_line->isVisible());
        m_line->follow(std::nullopt);
        QVERIFY(!m_line->isVisible());
    }

    void aStateComesBackFromBehindAnotherNotice() {
        const Notice error{Severity::error, "not enough memory", {{"Help", {}}}};
        m_line->follow(m_stale);
        const QSignalSpy presented(m_line.get(), &NoticeLine::presented);
        // Another error takes the place of the first; the state goes on behind both.
        for (const bool isClosed : {true, false}) {
            m_line->present(error);
            m_line->present(error);
            m_line->follow(m_stale);
            QCOMPARE(m_line->text(), error.text);
            isClosed ? click("noticeCloseButton") : action().click();
            QVERIFY(m_line->isVisible());
            QCOMPARE(m_line->text(), m_stale.text);
        }
        QCOMPARE(presented.count(), 4);  // the state is no news for the log
        // Where it was closed it stays away.
        click("noticeCloseButton");
        m_line->present(error);
        click("noticeCloseButton");
        QVERIFY(m_line->isHidden());
        // An end of the state ends what lies over it too.
        m_line->follow(std::nullopt);
        m_line->follow(m_stale);
        m_line->present(error);
        m_line->follow(std::nullopt);
        QVERIFY(m_line->isHidden());
        m_line->present(error);
        click("noticeCloseButton");
        QVERIFY(m_line->isHidden());
    }

private:
    [[nodiscard]] const QObject& root() const override { return *m_line; }
    [[nodiscard]] QPushButton& action() const {
        return *m_line->findChildren<QPushButton*>().last();
    }

    const Notice m_stale{Severity::info, "settings changed"};
    std::unique_ptr<NoticeLine> m_line;
};

EPSILENS_UI_TEST(DialogsTest)
EPSILENS_UI_TEST(NoticeLineTest)
#include "messages_test.moc"
