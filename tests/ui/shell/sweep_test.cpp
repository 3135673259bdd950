#include <algorithm>
#include <initializer_list>

#include <qcustomplot.h>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/plot/plot_widget.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/layout.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr QSize kLeastSize{960, 600};
constexpr QSize kUsualSize{1200, 800};

bool isOneOf(const QWidget& widget, std::initializer_list<const char*> classes) {
    return std::ranges::any_of(classes,
                               [&widget](const char* name) { return widget.inherits(name); });
}

/// Whether Qt made it for a control, which it speaks through and is laid out by.
bool isPartOfAControl(const QWidget& widget) {
    bool isPart = isOneOf(widget, {"QHeaderView", "QScrollBar", "QToolBarExtension",
                                   "QLineEditIconButton", "QTableCornerButton"}) ||
                  widget.windowType() == Qt::Popup || widget.objectName().startsWith("qt_");
    for (const QWidget* owner = widget.parentWidget(); owner != nullptr && !isPart;
         owner = owner->parentWidget()) {
        isPart =
            isOneOf(*owner, {"QComboBox", "QTabBar", "QLineEdit", "QAbstractItemView", "QMenuBar"});
    }
    return isPart;
}

bool isClicked(const QWidget& widget) {
    return isOneOf(widget,
                   {"QAbstractButton", "QLineEdit", "QComboBox", "epsilens::ui::ValueSlider"});
}

bool isControl(const QWidget& widget) {
    return isClicked(widget) ||
           isOneOf(widget, {"QTextEdit", "QAbstractSlider", "QProgressBar", "QAbstractItemView",
                            "QGraphicsView", "epsilens::ui::PlotWidget"});
}

/// Whether assistive technology could not name a control, or could not describe it.
QString silence(QWidget& widget) {
    if (!isControl(widget)) {
        return {};
    }
    QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(&widget);
    if (spoken == nullptr || spoken->text(QAccessible::Name).trimmed().isEmpty()) {
        return "has no name";
    }
    // OK, Cancel and Close of a dialog need no more words.
    return spoken->text(QAccessible::Description).trimmed().isEmpty() &&
                   !widget.parentWidget()->inherits("QDialogButtonBox")
               ? "has no description"
               : QString();
}

QString tooSmall(const QString& name, QSize size) {
    return size.width() < kLeastTarget || size.height() < kLeastTarget
               ? QString("%1 is clicked on %2 × %3 ").arg(name).arg(size.width()).arg(size.height())
               : QString();
}

/// What is clicked of a widget, itself or its parts, is large enough. Scroll bars and the arrows of
/// spin boxes have the size of the style, and keys and the wheel beside them; dividers are a
/// compromise of 8 pixels and have keys; the corner of a table selects all, as Ctrl+A does.
QString smallTarget(const QWidget& widget) {
    QString small;
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget)) {
        for (int tab = 0; tab < bar->count(); ++tab) {
            small += tooSmall(bar->tabText(tab), bar->tabRect(tab).size());
        }
    } else if (const auto* menus = qobject_cast<const QMenuBar*>(&widget)) {
        for (QAction* action : menus->actions()) {
            small += tooSmall(action->text(), menus->actionGeometry(action).size());
        }
    } else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
        const auto* table = qobject_cast<const QTableView*>(view);
        if (view->model() != nullptr && view->model()->rowCount() > 0) {
            // Rows of a table go to the line below them.
            const int height = table != nullptr
                                   ? table->rowHeight(0)
                                   : view->visualRect(view->model()->index(0, 0)).height();
            small = tooSmall("a row", {kLeastTarget, height});
        }
        if (table != nullptr && table->horizontalHeader()->sectionsClickable() &&
            table->horizontalHeader()->isVisible()) {
            small += tooSmall("a title", {kLeastTarget, table->horizontalHeader()->height()});
        }
    } else if (isClicked(widget)) {
        small = tooSmall("it", widget.size());
    }
    return small;
}

QString cutText(const QWidget& widget) {
    QSize least = widget.minimumSizeHint();
    if (widget.hasHeightForWidth()) {
        least = {0, widget.heightForWidth(widget.width())};
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        // Styles want buttons wider than their text.
        constexpr int kEdges = 6;
        const int icon = button->icon().isNull() ? 0 : button->iconSize().width();
        const int text = button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width();
        least = {text + icon + kEdges, button->fontMetrics().height() + kEdges / 2};
    }
    return widget.width() < least.width() || widget.height() < least.height()
               ? QString("is %1 × %2, needs %3 × %4")
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

/// What of a control with text cannot be read. Texts of the bar give way, where the button beside
/// them says the same.
QString unreadable(const QWidget& widget, const QWidget& window) {
    if (widget.objectName() == "summaryDataLabel" ||
        (widget.property("text").toString().isEmpty() &&
         !isOneOf(widget, {"QAbstractButton", "QComboBox", "QLineEdit"}))) {
        return {};
    }
    const QString cut = cutText(widget);
    return cut.isEmpty() && isClipped(widget, window) ? "is cut by the edge of its parent" : cut;
}

/// What is wrong with the controls of a window: with all of them that are to be spoken of, with
/// those in sight that are to be seen and clicked.
QStringList complaints(const QWidget& window) {
    QStringList found;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (isPartOfAControl(*widget)) {
            continue;
        }
        QString wrong = silence(*widget);
        if (widget->isVisible() && widget->window() == &window) {
            wrong += smallTarget(*widget) + unreadable(*widget, window);
        }
        if (!wrong.isEmpty()) {
            found.append(QString("%1 %2 “%3” %4")
                             .arg(widget->metaObject()->className(), widget->objectName(),
                                  widget->property("text").toString(), wrong));
        }
    }
    return found;
}

/// Lets layouts inside layouts come to rest.
void settleLayouts() {
    constexpr int kRounds = 10;
    for (int i = 0; i < kRounds; ++i) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
}

/// What is wrong once layouts have come to rest, however busy the machine is.
QStringList lastingComplaints(const QWidget& window) {
    QStringList found;
    test::handleEventsUntil([&] {
        settleLayouts();
        found = complaints(window);
        return found.isEmpty();
    });
    return found;
}

/// Those with a letter after & that an earlier one has, or that is none of A to Z.
QStringList unfitLetters(const QStringList& texts) {
    QStringList unfit;
    QList<int> letters;
    for (const QString& text : texts) {
        const QKeySequence letter = QKeySequence::mnemonic(text);
        if (letter.isEmpty()) {
            continue;
        }
        const int key = letter[0].key();
        if (key < Qt::Key_A || key > Qt::Key_Z || letters.contains(key)) {
            unfit.append(text);
        }
        letters.append(key);
    }
    return unfit;
}

QStringList labelsOf(const QList<QAction*>& actions) {
    QStringList texts;
    for (const QAction* action : actions) {
        texts.append(action->text());
    }
    return texts;
}

void none(const QStringList& found) {
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
}

}  // namespace

/// Every control has a name and a description for assistive technology, is at least 24 pixels wide
/// and high where it is clicked (WCAG 2.2, 2.5.8), and neither it nor its text is cut: in the
/// window at its least size of 960 x 600 logical pixels; run at scales of 1, 1.5 and 2.
class SweepTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        prepare();
        m_window->resize(kLeastSize);
    }
    void cleanupTestCase() { clean(); }
    void cleanup() { applyTextSize(Preferences().textPercent); }

    void theEmptyWindowIsFit() {
        QCOMPARE(m_window->size(), kLeastSize);
        none(lastingComplaints(*m_window));
        QStringList small;
        for (QMenu* menu : m_window->findChildren<QMenu*>()) {
            for (QAction* action : menu->actions()) {
                if (!action->isSeparator() && action->isVisible()) {
                    small += tooSmall(action->text(),
                                      {kLeastTarget, menu->actionGeometry(action).height()});
                }
            }
        }
        small.removeAll(QString());
        none(small);
    }

    void everyTabIsFitWithAndWithoutResults() {
        show(test::toyBall(60, 4));
        none(complaintsOfTabs("without results"));
        state().setSentence("paris london word9 nowhere");
        state().selectWord(Word(state().embedding(), 0));
        set(&AnalysisSettings::draws, 20);
        none(lastingComplaints(*m_window));
        run();
        QTRY_VERIFY(isIdle());
        none(complaintsOfTabs("with results"));
        none(scrollingTabs());
        QCOMPARE(m_window->size(), kLeastSize);
    }

    void theDetailsAreFit() {
        m_window->resize(kUsualSize);
        tabs().setCurrentIndex(0);
        click("detailsAction");
        for (CollapsibleSection* section : m_window->findChildren<CollapsibleSection*>()) {
            section->setOpen(true);
        }
        none(lastingComplaints(*m_window));
        click("detailsAction");
        m_window->resize(kLeastSize);
    }

    /// Without a way sideways, with four rows of the table and two lines of the limit.
    void chooseFitsBesideTheDetails() {
        tabs().setCurrentIndex(0);
        click("detailsAction");
        const auto& page =
            *tabs().widget(0)->findChild<QScrollArea*>({}, Qt::FindDirectChildrenOnly);
        for (const int percent : {100, 160}) {
            applyTextSize(percent);
            none(lastingComplaints(*m_window));
            QCOMPARE(page.horizontalScrollBar()->maximum(), 0);
            const auto& table = find<QTableView>("wordTableView");
            QVERIFY(table.viewport()->height() >= 4 * table.rowHeight(0));
            QVERIFY(find("keptLimit").height() < 3 * find("keptLimitField").height());
        }
        click("detailsAction");
    }

    void everyMechanismIsFit() {
        auto& mechanisms = find<QComboBox>("mechanismComboBox");
        tabs().setCurrentIndex(0);
        for (int i = 0; i < mechanisms.count(); ++i) {
            mechanisms.setCurrentIndex(i);
            none(lastingComplaints(*m_window));
        }
    }

    // Qt Test finds the data of a test by this name.
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
        none(complaintsOfTabs("with large text"));
        none(cutHeaders());
        state().setSentence(QString());
        none(lastingComplaints(*m_window));
        state().setSentence("paris london word9 nowhere");
        QCOMPARE(m_window->size(), kUsualSize);
        QVERIFY(find<PlotWidget>("nwPlot").plot().axisRect()->height() >=
                3 * m_window->fontMetrics().height());
    }

    void withTheLargestTextEverythingStaysInReach() {
        constexpr int kPercent = 160;
        applyTextSize(kPercent);
        for (int height = 600; height < 720; height += 4) {
            tabs().setCurrentIndex(0);
            m_window->resize(960, height);
            atEveryColumn([height](const QString& tab, const ColumnScrollArea& area) {
                const QSize beyond = area.widget()->size() - area.viewport()->size();
                QVERIFY2(beyond.height() <= area.verticalScrollBar()->maximum() &&
                             beyond.width() <= area.horizontalScrollBar()->maximum(),
                         qPrintable(QString("%1 at %2").arg(tab).arg(height)));
            });
        }
    }

    void otherWindowsAreFit() {
        const std::unique_ptr<QDialog> preferences(newPreferencesDialog());
        const std::unique_ptr<QDialog> about(newAboutDialog());
        preferences->show();
        about->show();
        for (const char* action : {"helpAction", "releaseAction", "logAction"}) {
            click(action);
        }
        for (const char* name :
             {"helpWindow", "releaseDialog", "logDialog", "preferencesDialog", "aboutDialog"}) {
            const auto windows = QApplication::topLevelWidgets();
            const auto found = std::ranges::find_if(
                windows, [name](QWidget* window) { return window->objectName() == name; });
            QVERIFY2(found != windows.end() && (*found)->isVisible(), name);
            settleLayouts();
            for (QWidget* widget : (*found)->findChildren<QWidget*>()) {
                QVERIFY2(isPartOfAControl(*widget) ||
                             (silence(*widget).isEmpty() &&
                              (!widget->isVisible() || smallTarget(*widget).isEmpty())),
                         qPrintable(QString("%1: %2").arg(name, widget->objectName())));
            }
        }
        find("releaseDialog").close();
    }

    /// Alt and a letter, which every keyboard has, lead to one entry of a menu only, and to one
    /// control of the window, whatever tab is in front.
    void lettersAreTheirOwn() {
        const auto menus = m_window->menuBar()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly);
        QVERIFY(menus.size() >= 5);
        for (const QMenu* menu : menus) {
            none(unfitLetters(labelsOf(menu->actions())));
        }
        find("setupDock").show();
        for (int tab = 0; tab < tabs().count(); ++tab) {
            tabs().setCurrentIndex(tab);
            QStringList texts = labelsOf(m_window->menuBar()->actions());
            for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
                const auto* label = qobject_cast<const QLabel*>(widget);
                if (widget->isVisible() && (widget->inherits("QAbstractButton") ||
                                            (label != nullptr && label->buddy() != nullptr))) {
                    texts.append(widget->property("text").toString());
                }
            }
            none(unfitLetters(texts));
        }
    }

    /// Whoever goes by Tab sees at every stop, in the colour of the focus, where the keys go.
    void everyTabStopShowsTheFocus() {
        show(test::toyBall(60, 4));
        m_window->resize(kUsualSize);
        find("setupDock").show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        const auto inColour = [](QWidget& widget) {
            const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
            const QRgb colour = themeOf(&widget).focus.rgb();
            const auto* first = reinterpret_cast<const QRgb*>(image.constBits());
            return std::count(first, first + image.sizeInBytes() / 4, colour);
        };
        QStringList unseen;
        for (int tab = 0; tab < tabs().count(); ++tab) {
            tabs().setCurrentIndex(tab);
            settleLayouts();
            find("epsilonField").setFocus(Qt::TabFocusReason);
            const QWidget* const begin = QApplication::focusWidget();
            int stops = 0;
            do {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                QWidget* stop = QApplication::focusWidget();
                const auto with = inColour(*stop);
                std::ptrdiff_t without = 0;
                // Within a label the focus goes from link to link, and would begin anew.
                if (qobject_cast<QLabel*>(stop) == nullptr) {
                    stop->clearFocus();
                    without = inColour(*stop);
                    stop->setFocus(Qt::TabFocusReason);
                }
                if (with <= without + 20) {
                    unseen += tabs().tabText(tab) + ": " + stop->metaObject()->className() + ' ' +
                              stop->objectName();
                }
            } while (QApplication::focusWidget() != begin && ++stops < 200);
            QVERIFY(stops > 10 && stops < 200);
        }
        none(unseen);
    }

    /// The walk finds what it looks for.
    void whatIsUnfitIsFound() {
        QWidget window;
        window.resize(300, 200);
        QLineEdit edit(&window);
        const auto isFit = [&](const char* what) {
            const QString found = complaints(window).join(' ');
            return what == nullptr ? found.isEmpty() : test::holds(found, what);
        };
        edit.setGeometry(0, 0, 120, 40);
        window.show();
        QVERIFY(isFit("has no name"));
        edit.setAccessibleName("Edit");
        QVERIFY(isFit("has no description"));
        edit.setToolTip("Something to type");
        QVERIFY(isFit(nullptr));
        edit.resize(120, 23);
        QVERIFY(isFit("is clicked on 120 × 23"));
        edit.setGeometry(250, 100, 120, 40);
        QVERIFY(isFit("edge of its parent"));
        edit.setGeometry(0, 0, 24, 40);
        QVERIFY(isFit("needs"));
        edit.setGeometry(0, 0, 120, 40);
        const PlotWidget plot(&window);
        QVERIFY(isFit("has no name"));
        QCOMPARE(unfitLetters({"&Open", "Cl&ose", "&1", "Save"}).size(), 2);
    }

private:
    template <typename Look>
    void atEveryColumn(Look look) const {
        for (int tab = 0; tab < tabs().count(); ++tab) {
            tabs().setCurrentIndex(tab);
            settleLayouts();
            for (const auto* area : tabs().widget(tab)->findChildren<ColumnScrollArea*>()) {
                if (area->isVisible()) {
                    look(tabs().tabText(tab), *area);
                }
            }
        }
    }
    /// Tabs that scroll as a whole, which only large text is a reason for. The form of the report
    /// and the chosen word are columns of their own.
    [[nodiscard]] QStringList scrollingTabs() const {
        QStringList found;
        atEveryColumn([&found, this](const QString& tab, const ColumnScrollArea& area) {
            if ((area.horizontalScrollBar()->maximum() > 0 ||
                 area.verticalScrollBar()->maximum() > 0) &&
                area.objectName() != "wordScrollArea" && !report().isAncestorOf(&area)) {
                found.append(tab + " scrolls");
            }
        });
        return found;
    }
    /// Columns that are narrower than their titles; the last title may end where the table does.
    [[nodiscard]] QStringList cutHeaders() const {
        QStringList found;
        for (const char* name : {"wordTableView", "curvesTableView", "wordsTableView"}) {
            const QHeaderView& header = *find<QTableView>(name).horizontalHeader();
            for (int column = 0; column < header.count(); ++column) {
                if (!header.isSectionHidden(column) &&
                    header.visualIndex(column) + 1 < header.count() &&
                    header.sectionSize(column) < header.sectionSizeHint(column)) {
                    found.append(QString("%1 column %2").arg(name).arg(column));
                }
            }
        }
        return found;
    }
    [[nodiscard]] QStringList complaintsOfTabs(const QString& when) const {
        QStringList found;
        for (int tab = 0; tab < tabs().count(); ++tab) {
            tabs().setCurrentIndex(tab);
            const QStringList here = lastingComplaints(*m_window);
            if (!here.isEmpty()) {
                found << when + ", " + tabs().tabText(tab) << here;
            }
        }
        return found;
    }
};

EPSILENS_UI_TEST(SweepTest)
#include "sweep_test.moc"
