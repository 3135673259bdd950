#include <QSettings>
#include <QTabBar>
#include <QTabWidget>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/collapsible_section.h"

using namespace epsilens;
using namespace epsilens::ui;

class WindowLayoutTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void whatIsOpenIsRemembered_data() {
        QTest::addColumn<bool>("remembers");
        QTest::newRow("usually") << true;
        QTest::newRow("unless nothing is to be") << false;
    }
    void whatIsOpenIsRemembered() {
        QFETCH(const bool, remembers);
        Preferences preferences;
        preferences.rememberNothing = !remembers;
        preferences.save();
        QCOMPARE(tabs().currentIndex(), 0);
        const bool isOpen = find<CollapsibleSection>("limitsSection").isOpen();
        const bool textIsOpen = find<CollapsibleSection>("textSection").isOpen();
        tabs().setCurrentIndex(3);
        find<CollapsibleSection>("limitsSection").setOpen(!isOpen);
        m_window->resize(1010, 650);
        QTRY_COMPARE(m_window->size(), QSize(1010, 650));
        m_window->close();
        QCOMPARE(QSettings().contains(QStringLiteral("window/geometry")), remembers);
        openWindow();
        QCOMPARE(m_window->size(), remembers ? QSize(1010, 650) : QSize(1200, 800));
        QCOMPARE(tabs().currentIndex(), remembers ? 3 : 0);
        QCOMPARE(m_window->tabBar().currentIndex(), remembers ? 3 : 0);
        QCOMPARE(find<CollapsibleSection>("limitsSection").isOpen(), isOpen != remembers);
        QCOMPARE(find<CollapsibleSection>("textSection").isOpen(), textIsOpen);
    }

    /// It was laid out too low for its texts where it was hidden while it took the last tab again.
    void theTabBarIsWholeOnTheLastTab() {
        QSettings().setValue(QStringLiteral("window/tab"), 6);
        openWindow();
        state().setEmbedding(test::toyEmbedding(), nullptr);
        const QTabBar& bar = m_window->tabBar();
        QCOMPARE(bar.currentIndex(), 6);
        QTRY_VERIFY(bar.isVisible());
        QTRY_VERIFY(bar.height() >= bar.fontMetrics().height());
        for (int tab = 0; tab < bar.count(); ++tab) {
            QTRY_VERIFY2(bar.rect().contains(bar.tabRect(tab)), qPrintable(bar.tabText(tab)));
        }
    }

private:
    [[nodiscard]] QTabWidget& tabs() const { return m_window->tabs(); }
};

EPSILENS_UI_TEST(WindowLayoutTest)
#include "window_layout_test.moc"
