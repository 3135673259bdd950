#include "ui/help/help_window.h"

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/release/release_dialog.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// The section of a topic, which there has to be.
QString titleOf(const QString& topic) {
    const HelpSection* section = helpSection(HelpTopic::parse(topic));
    if (section == nullptr) {
        qWarning("no section %s", qPrintable(topic));
    }
    return section == nullptr ? QString() : section->title;
}

}  // namespace

class HelpPagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPageHasTextAndEveryHeadingAKeyOfItsOwn() {
        QSet<QString> keys;
        for (const HelpSection& section : helpSections()) {
            const QString key = section.page + '#' + headingKey(section.title);
            QVERIFY2(!keys.contains(key), qPrintable(key));
            keys.insert(key);
            QVERIFY(helpMarkdown(section.page).size() > 200);
            QVERIFY(!titleOf(section.page).isEmpty());
        }
        QVERIFY(helpMarkdown("nowhere").isEmpty());
    }

    void everyLinkLeadsSomewhere() {
        static const QRegularExpression kLink("\\]\\(([^)]*)\\)");
        int links = 0;
        for (const HelpSection& section : helpSections()) {
            auto found = kLink.globalMatch(section.level == 1 ? helpMarkdown(section.page) : "");
            for (; found.hasNext(); ++links) {
                const QString topic = topicOfLink(found.next().captured(1));
                QVERIFY(!topic.isEmpty() && !titleOf(topic).isEmpty());
            }
        }
        QVERIFY(links > 5);
    }

    void everyControlFindsItsSectionAndEveryNameItsControl() {
        const auto window = std::make_unique<MainWindow>();
        const ReleaseDialog release(window->state(), window->limits(), window->jobs(),
                                    window->setup().guarantee());
        QSet<QString> names{release.objectName()};
        for (const QWidget* top :
             {static_cast<const QWidget*>(window.get()), static_cast<const QWidget*>(&release)}) {
            for (const QWidget* widget : top->findChildren<QWidget*>()) {
                QVERIFY(!titleOf(helpTopicOf(widget)).isEmpty());
                names.insert(widget->objectName());
            }
        }
        for (const QString& name : controlsWithTopics()) {
            QVERIFY2(names.contains(name), qPrintable(name));
        }
        QCOMPARE(titleOf(helpTopicOf(test::findControl<QWidget>(*window, "epsilonSlider"))),
                 "ε step by step");
        QCOMPARE(helpTopicOf(nullptr), "start");
    }
};

class HelpWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsPagesAndGoesBack() {
        HelpWindow help;
        help.show();
        auto* text = test::findControl<QTextBrowser>(help, "helpText");
        auto* back = test::findControl<QAbstractButton>(help, "helpBackButton");
        QCOMPARE(help.shownPage(), "start");
        QVERIFY(!back->isEnabled());
        help.showTopic("messages#computing");
        QCOMPARE(help.shownPage(), "messages");
        QVERIFY(test::holds(text->toPlainText(), "Computing"));
        QVERIFY(text->verticalScrollBar()->value() > 0);
        help.showTopic("nowhere");
        QCOMPARE(help.shownPage(), "messages");
        back->click();
        QCOMPARE(help.shownPage(), "start");
        Q_EMIT text->anchorClicked(QUrl("help:terms#λ-lambda"));
        QCOMPARE(help.shownPage(), "terms");
        // Nothing else is followed.
        Q_EMIT text->anchorClicked(QUrl("https://example.org/"));
        QCOMPARE(help.shownPage(), "terms");
    }

    /// What a link opens has the keys, and what it is about stands out.
    void aSectionAskedForIsMarkedAndScrolledByKeys() {
        QWidget asking;
        asking.show();
        showHelp(asking, "guarantees#looks-private-promises-little");
        auto* help = asking.findChild<HelpWindow*>();
        QVERIFY(QTest::qWaitForWindowActive(help));
        auto* text = test::findControl<QTextBrowser>(*help, "helpText");
        QVERIFY(text->hasFocus());
        QCOMPARE(text->extraSelections().size(), 1);
        const QTextBlock heading = text->extraSelections().front().cursor.block();
        QCOMPARE(heading.text(), "Looks private, promises little");
        QVERIFY(text->rect().intersects(text->cursorRect(QTextCursor(heading))));
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(!help->isVisible());
    }

    void f1AndAClickThatAsksLeadToTheTopicOfAControl() {
        for (const bool isClick : {false, true}) {
            const auto window = std::make_unique<MainWindow>();
            window->show();
            window->state().setEmbedding(test::toyEmbedding(), nullptr);
            const auto trigger = [&window](const char* name) {
                test::findControl<QAction>(*window, name)->trigger();
            };
            trigger("detailsAction");
            auto* seed = test::findControl<QWidget>(*window, "seedField");
            if (isClick) {
                QCOMPARE(test::findControl<QAction>(*window, "whatsThisAction")->shortcut(),
                         QKeySequence(Qt::SHIFT | Qt::Key_F1));
                trigger("whatsThisAction");
                QVERIFY(QWhatsThis::inWhatsThisMode());
                QTest::mouseClick(seed, Qt::LeftButton);
                QVERIFY(!QWhatsThis::inWhatsThisMode());
            } else {
                seed->setFocus();
                QTRY_VERIFY(seed->hasFocus());
                trigger("helpAction");
            }
            QCOMPARE(test::findControl<HelpWindow>(*window, "helpWindow")->shownPage(), "terms");
        }
    }

    void f1WorksInADialog() {
        const auto window = std::make_unique<MainWindow>();
        window->show();
        ReleaseDialog dialog(window->state(), window->limits(), window->jobs(),
                             window->setup().guarantee(), window.get());
        dialog.open();
        QTest::keyClick(test::findControl<QWidget>(dialog, "letterCaseComboBox"), Qt::Key_F1);
        auto* help = test::findControl<HelpWindow>(dialog, "helpWindow");
        QVERIFY(help->isVisible());
        QCOMPARE(help->shownPage(), "limits");
        // A window of the main window would be blocked while the dialog is open.
        QVERIFY(help->parentWidget() == &dialog);
    }
};

EPSILENS_UI_TEST(HelpPagesTest)
EPSILENS_UI_TEST(HelpWindowTest)
#include "help_window_test.moc"
