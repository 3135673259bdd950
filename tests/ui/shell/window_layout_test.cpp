#include "ui/shell/window_layout.h"

#include <QSettings>
#include <QTabBar>
#include <QTabWidget>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/collapsible_section.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

class WindowLayoutTest : public QObject {
    Q_OBJECT

    static std::unique_ptr<MainWindow> start() {
        auto window = createWindow(coreLoadFunctions());
        window->show();
        return window;
    }
    static QTabWidget& tabs(MainWindow& window) { return *findControl<QTabWidget>(window, "tabs"); }
    static CollapsibleSection& section(MainWindow& window, const char* name) {
        return *findControl<CollapsibleSection>(window, name);
    }

private Q_SLOTS:
    void init() { QSettings().clear(); }

    void whatIsOpenIsRemembered() {
        auto window = start();
        QCOMPARE(tabs(*window).currentIndex(), 0);
        const bool isOpen = section(*window, "limitsSection").isOpen();
        const bool textIsOpen = section(*window, "textSection").isOpen();
        tabs(*window).setCurrentIndex(3);
        section(*window, "limitsSection").setOpen(!isOpen);
        window->close();
        window = start();
        QCOMPARE(tabs(*window).currentIndex(), 3);
        QCOMPARE(findControl<QTabBar>(*window, "tabBar")->currentIndex(), 3);
        QCOMPARE(section(*window, "limitsSection").isOpen(), !isOpen);
        QCOMPARE(section(*window, "textSection").isOpen(), textIsOpen);
    }

    /// It was laid out too low for its texts where it was hidden while it took the last tab again.
    void theTabBarIsWholeOnTheLastTab() {
        QSettings().setValue(QStringLiteral("window/tab"), 6);
        auto window = start();
        window->state().setEmbedding(test::toyEmbedding(), nullptr);
        const auto* bar = findControl<QTabBar>(*window, "tabBar");
        QCOMPARE(bar->currentIndex(), 6);
        QTRY_VERIFY(bar->isVisible());
        QTRY_VERIFY(bar->height() >= bar->fontMetrics().height());
        for (int tab = 0; tab < bar->count(); ++tab) {
            QTRY_VERIFY2(bar->rect().contains(bar->tabRect(tab)), qPrintable(bar->tabText(tab)));
        }
    }

    void unlessNothingIsToBe() {
        auto window = start();
        tabs(*window).setCurrentIndex(3);
        window->close();
        Preferences preferences;
        preferences.rememberNothing = true;
        preferences.save();
        window = start();
        QCOMPARE(tabs(*window).currentIndex(), 0);
        tabs(*window).setCurrentIndex(2);
        window->close();
        window = start();
        QCOMPARE(tabs(*window).currentIndex(), 0);
    }
};

EPSILENS_UI_TEST(WindowLayoutTest)
#include "window_layout_test.moc"
