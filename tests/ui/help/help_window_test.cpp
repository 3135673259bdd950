#include "ui/help/help_window.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <QWhatsThis>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/release/release_dialog.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"

using namespace epsilens::ui;
using epsilens::test::findControl;

class HelpWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsPagesAndGoesBack() {
        HelpWindow help;
        help.show();
        auto* text = findControl<QTextBrowser>(help, "helpText");
        auto* back = findControl<QToolButton>(help, "helpBackButton");
        QCOMPARE(help.shownPage(), QStringLiteral("start"));
        QVERIFY(!back->isEnabled());
        help.showTopic(QStringLiteral("messages#computing"));
        QCOMPARE(help.shownPage(), QStringLiteral("messages"));
        QVERIFY(text->toPlainText().contains(QStringLiteral("Computing")));
        QVERIFY(text->verticalScrollBar()->value() > 0);
        help.showTopic(QStringLiteral("nowhere"));
        QCOMPARE(help.shownPage(), QStringLiteral("messages"));
        back->click();
        QCOMPARE(help.shownPage(), QStringLiteral("start"));
    }

    /// What a link opens has the keys, and what it is about stands out.
    void aSectionAskedForIsMarkedAndScrolledByKeys() {
        QWidget asking;
        asking.show();
        showHelp(asking, QStringLiteral("guarantees#looks-private-promises-little"));
        auto* help = asking.findChild<HelpWindow*>();
        QVERIFY(QTest::qWaitForWindowActive(help));
        auto* text = findControl<QTextBrowser>(*help, "helpText");
        QVERIFY(text->hasFocus());
        QCOMPARE(text->extraSelections().size(), 1);
        const QTextBlock heading = text->extraSelections().front().cursor.block();
        QCOMPARE(heading.text(), QStringLiteral("Looks private, promises little"));
        QVERIFY(text->rect().intersects(text->cursorRect(QTextCursor(heading))));
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(!help->isVisible());
    }

    void linksLeadToOtherPages() {
        HelpWindow help;
        auto* text = findControl<QTextBrowser>(help, "helpText");
        Q_EMIT text->anchorClicked(QUrl(QStringLiteral("help:terms#λ-lambda")));
        QCOMPARE(help.shownPage(), QStringLiteral("terms"));
        // Nothing else is followed.
        Q_EMIT text->anchorClicked(QUrl(QStringLiteral("https://example.org/")));
        QCOMPARE(help.shownPage(), QStringLiteral("terms"));
    }

    void f1LeadsToTheTopicOfAControl() {
        const auto window = std::make_unique<MainWindow>();
        window->show();
        window->state().setEmbedding(epsilens::test::toyEmbedding(), nullptr);
        findControl<QAction>(*window, "detailsAction")->trigger();
        auto* seed = findControl<QLineEdit>(*window, "seedField");
        seed->setFocus();
        QTRY_VERIFY(seed->hasFocus());
        findControl<QAction>(*window, "helpAction")->trigger();
        auto* help = findControl<HelpWindow>(*window, "helpWindow");
        QCOMPARE(help->shownPage(), QStringLiteral("terms"));
    }

    void aClickThatAsksLeadsToTheTopicOfAControl() {
        const auto window = std::make_unique<MainWindow>();
        window->show();
        window->state().setEmbedding(epsilens::test::toyEmbedding(), nullptr);
        findControl<QAction>(*window, "detailsAction")->trigger();
        auto* seed = findControl<QLineEdit>(*window, "seedField");
        auto* ask = findControl<QAction>(*window, "whatsThisAction");
        QCOMPARE(ask->shortcut(), QKeySequence(Qt::SHIFT | Qt::Key_F1));
        ask->trigger();
        QVERIFY(QWhatsThis::inWhatsThisMode());
        QTest::mouseClick(seed, Qt::LeftButton);
        QVERIFY(!QWhatsThis::inWhatsThisMode());
        QCOMPARE(findControl<HelpWindow>(*window, "helpWindow")->shownPage(),
                 QStringLiteral("terms"));
    }

    void f1WorksInADialog() {
        const auto window = std::make_unique<MainWindow>();
        window->show();
        ReleaseDialog dialog(window->state(), window->limits(), window->jobs(),
                             window->setup().guarantee(), window.get());
        dialog.open();
        auto* letterCase = findControl<QComboBox>(dialog, "letterCaseComboBox");
        QTest::keyClick(letterCase, Qt::Key_F1);
        auto* help = findControl<HelpWindow>(dialog, "helpWindow");
        QVERIFY(help->isVisible());
        QCOMPARE(help->shownPage(), QStringLiteral("limits"));
        // A window of the main window would be blocked while the dialog is open.
        QVERIFY(help->parentWidget() == &dialog);
    }
};

EPSILENS_UI_TEST(HelpWindowTest)
#include "help_window_test.moc"
