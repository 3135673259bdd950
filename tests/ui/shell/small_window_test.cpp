#include <algorithm>
#include <initializer_list>

#include <qcustomplot.h>
#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/plot/plot_widget.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/column_scroll_area.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

constexpr QSize kUsualSize{1200, 800};

bool isOneOf(const QWidget* widget, std::initializer_list<const char*> classes) {
    return std::any_of(classes.begin(), classes.end(),
                       [widget](const char* name) { return widget->inherits(name); });
}

bool hasText(const QWidget* widget) {
    return !widget->property("text").toString().isEmpty() ||
           isOneOf(widget, {"QAbstractButton", "QComboBox", "QAbstractSpinBox", "QLineEdit"});
}

/// Texts of the bar that give way, where the button beside them says the same.
bool givesWay(const QWidget* widget) {
    return widget->objectName() == QLatin1String("summaryDataLabel") ||
           widget->objectName() == QLatin1String("summaryPinLabel");
}

/// Parts that Qt lays out inside a control of ours.
bool isLaidOutByAControl(const QWidget* widget) {
    const QWidget* owner = widget->parentWidget();
    return owner != nullptr && isOneOf(owner, {"QAbstractSpinBox", "QComboBox", "QLineEdit",
                                               "QTabBar", "QAbstractItemView"});
}

QString cutText(const QWidget& widget) {
    QSize least = widget.minimumSizeHint();
    if (widget.hasHeightForWidth()) {
        const int height = widget.heightForWidth(widget.width());
        return widget.height() < height
                   ? QStringLiteral("is %1 high, its text %2").arg(widget.height()).arg(height)
                   : QString();
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        // Styles want buttons wider than their text.
        constexpr int kEdges = 6;
        const int icon = button->icon().isNull() ? 0 : button->iconSize().width();
        const int text = button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width();
        least = {text + icon + kEdges, button->fontMetrics().height() + kEdges / 2};
    }
    return widget.width() < least.width() || widget.height() < least.height()
               ? QStringLiteral("is %1 × %2, needs %3 × %4")
                     .arg(widget.width())
                     .arg(widget.height())
                     .arg(least.width())
                     .arg(least.height())
               : QString();
}

/// Whether an edge of a parent cuts the widget; what a scroll area hides can be scrolled to, unless
/// it has no bar for that.
bool isClipped(const QWidget& widget, const QWidget& window) {
    const QWidget* child = &widget;
    for (const QWidget* parent = widget.parentWidget(); child != &window;
         child = parent, parent = parent->parentWidget()) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
        const QRect place(widget.mapTo(parent, QPoint()), widget.size());
        if (area != nullptr && area->viewport() == parent) {
            return area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
                   (place.left() < 0 || place.right() >= parent->width());
        }
        if (!parent->rect().contains(place)) {
            return true;
        }
    }
    return false;
}

/// Lets layouts inside layouts come to rest.
void settleLayouts() {
    constexpr int kRounds = 10;
    for (int i = 0; i < kRounds; ++i) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
}

/// What is wrong with the visible controls of a window.
QStringList complaints(const QWidget& window, const QString& where) {
    QStringList found;
    const auto widgets = window.findChildren<QWidget*>();
    for (const QWidget* widget : widgets) {
        if (!widget->isVisible() || widget->window() != &window || !hasText(widget) ||
            isLaidOutByAControl(widget) || givesWay(widget)) {
            continue;
        }
        const QString name = widget->objectName().isEmpty()
                                 ? QLatin1String(widget->metaObject()->className()) +
                                       QLatin1Char(' ') + widget->property("text").toString()
                                 : widget->objectName();
        const QString cut = cutText(*widget);
        if (!cut.isEmpty()) {
            found.append(where + name + QLatin1Char(' ') + cut);
        } else if (isClipped(*widget, window)) {
            found.append(where + name + QStringLiteral(" is cut by the edge of its parent"));
        }
    }
    return found;
}

/// The same once layouts have come to rest, or after two seconds.
QStringList lastingComplaints(const QWidget& window, const QString& where) {
    constexpr int kPatienceToRestMs = 2'000;
    QStringList found;
    (void)QTest::qWaitFor(
        [&] {
            settleLayouts();
            found = complaints(window, where);
            return found.isEmpty();
        },
        kPatienceToRestMs);
    return found;
}

void verifyNone(const QStringList& found) {
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

}  // namespace

/// The window at its least size of 960 x 600 logical pixels; run at scales of 1, 1.5 and 2.
class SmallWindowTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        prepare();
        m_window->resize(960, 600);
    }
    void cleanupTestCase() { clean(); }
    void cleanup() { applyTextSize(Preferences().textPercent); }

    void theEmptyWindowFits() {
        QCOMPARE(m_window->size(), QSize(960, 600));
        verifyNone(lastingComplaints(*m_window, {}));
    }

    void everyTabFitsWithAndWithoutResults() {
        test::show(test::toyBall(60, 4), *m_window);
        QStringList found = complaintsOfTabs(QStringLiteral("without results, "));
        state().lookAt(QStringLiteral("paris london word9 nowhere"));
        state().edit(&AnalysisSettings::draws, 20);
        run();
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
        click("limitsToggleButton");
        found += complaintsOfTabs(QStringLiteral("with results, "));
        found += scrollingTabs();
        QCOMPARE(m_window->size(), QSize(960, 600));
        verifyNone(found);
    }

    void everyMechanismFits() {
        QStringList found;
        auto& mechanisms = find<QComboBox>("mechanismComboBox");
        m_window->tabs().setCurrentIndex(0);
        for (int i = 0; i < mechanisms.count(); ++i) {
            mechanisms.setCurrentIndex(i);
            found += lastingComplaints(*m_window, mechanisms.itemText(i) + QStringLiteral(", "));
        }
        verifyNone(found);
    }

    // Qt Test finds the data of a test by this name.
    // NOLINTNEXTLINE(readability-identifier-naming)
    void largerTextFitsAWindowOfTheUsualSize_data() {
        QTest::addColumn<int>("percent");
        QTest::newRow("150%") << 150;
        QTest::newRow("200%") << 200;
    }

    void largerTextFitsAWindowOfTheUsualSize() {
        QFETCH(const int, percent);
        m_window->resize(kUsualSize);
        applyTextSize(percent);
        find<QComboBox>("mechanismComboBox").setCurrentIndex(1);
        QStringList found = complaintsOfTabs(QStringLiteral("at %1 percent, ").arg(percent));
        found += cutHeaders();
        state().lookAt(QString());
        found += lastingComplaints(*m_window, QStringLiteral("without a sentence, "));
        state().lookAt(QStringLiteral("paris london word9 nowhere"));
        verifyNone(found);
        QCOMPARE(m_window->size(), kUsualSize);
        verifyNone(wideSettings());
        auto* plot = &find<PlotWidget>("nwPlot");
        QVERIFY(plot->plot().axisRect()->height() >= 3 * m_window->fontMetrics().height());
    }

    /// Where there is no room, pages scroll: what does not fit is not out of reach.
    void withTheLargestTextEverythingStaysInReach() {
        constexpr int kPercent = 160;
        applyTextSize(kPercent);
        for (int height = 600; height < 720; height += 4) {
            m_window->tabs().setCurrentIndex(0);
            m_window->resize(960, height);
            atEveryColumn([height](const QString& tab, const ColumnScrollArea& area) {
                const QSize beyond = area.widget()->size() - area.viewport()->size();
                QVERIFY2(beyond.height() <= area.verticalScrollBar()->maximum() &&
                             beyond.width() <= area.horizontalScrollBar()->maximum(),
                         qPrintable(QStringLiteral("%1 at %2: %3 x %4 beyond")
                                        .arg(tab)
                                        .arg(height)
                                        .arg(beyond.width())
                                        .arg(beyond.height())));
            });
        }
    }

    /// The walk finds what it looks for.
    void cutControlsAreFound() {
        QWidget window;
        window.resize(300, 200);
        auto* narrow = new QPushButton(QStringLiteral("a button with a text"), &window);
        narrow->setGeometry(0, 0, 30, 30);
        auto* outside = new QLineEdit(&window);
        outside->setGeometry(250, 100, 120, 40);
        window.show();
        QCOMPARE(complaints(window, {}).size(), 2);
        narrow->resize(narrow->sizeHint());
        outside->move(100, 100);
        QVERIFY(complaints(window, {}).isEmpty());
    }

private:
    template <typename Look>
    void atEveryColumn(Look look) const {
        QTabWidget& tabs = m_window->tabs();
        for (int tab = 0; tab < tabs.count(); ++tab) {
            tabs.setCurrentIndex(tab);
            settleLayouts();
            for (const auto* area : tabs.widget(tab)->findChildren<ColumnScrollArea*>()) {
                if (area->isVisible()) {
                    look(tabs.tabText(tab), *area);
                }
            }
        }
    }
    /// Tabs that scroll as a whole, which only large text is a reason for. The form of the report
    /// and the chosen word are columns of their own.
    [[nodiscard]] QStringList scrollingTabs() const {
        QStringList found;
        atEveryColumn([&found, this](const QString& tab, const ColumnScrollArea& area) {
            const int across = area.horizontalScrollBar()->maximum();
            const int down = area.verticalScrollBar()->maximum();
            if ((across > 0 || down > 0) && area.objectName() != QLatin1String("wordScrollArea") &&
                !report().isAncestorOf(&area)) {
                found.append(
                    QStringLiteral("%1 scrolls by %2 and %3").arg(tab).arg(across).arg(down));
            }
        });
        return found;
    }
    /// Settings without which the column of the set-up would leave five eighths of the window.
    [[nodiscard]] QStringList wideSettings() const {
        constexpr int kAround = 50;  // margins and scroll bar
        QStringList found;
        const int most = 3 * m_window->width() / 8;
        const auto settings = find<QWidget>("setupPanel").findChildren<QWidget*>();
        for (const QWidget* setting : settings) {
            const int width = setting->minimumSizeHint().width();
            if (setting->isVisible() && width > most - kAround &&
                setting->objectName() != QLatin1String("setupContent")) {
                found.append(QStringLiteral("%1 %2 is %3 wide")
                                 .arg(QLatin1String(setting->metaObject()->className()),
                                      setting->objectName())
                                 .arg(width));
            }
        }
        return found;
    }
    /// Columns that are narrower than their titles.
    [[nodiscard]] QStringList cutHeaders() const {
        QStringList found;
        for (const char* name : {"wordTableView", "curvesTableView", "wordsTableView"}) {
            const QHeaderView& header = *find<QTableView>(name).horizontalHeader();
            for (int column = 0; column < header.count(); ++column) {
                // The last title may end where the table does.
                if (!header.isSectionHidden(column) &&
                    header.visualIndex(column) + 1 < header.count() &&
                    header.sectionSize(column) < header.sectionSizeHint(column)) {
                    found.append(QStringLiteral("%1 column %2 is %3 wide, needs %4")
                                     .arg(QLatin1String(name))
                                     .arg(column)
                                     .arg(header.sectionSize(column))
                                     .arg(header.sectionSizeHint(column)));
                }
            }
        }
        return found;
    }

    [[nodiscard]] QStringList complaintsOfTabs(const QString& when) const {
        QStringList found;
        QTabWidget* tabs = &m_window->tabs();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            found += lastingComplaints(*m_window, when + tabs->tabText(tab) + QStringLiteral(": "));
        }
        return found;
    }
};

EPSILENS_UI_TEST(SmallWindowTest)
#include "small_window_test.moc"
