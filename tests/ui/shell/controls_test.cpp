#include <algorithm>
#include <array>
#include <memory>

#include <QAbstractItemView>
#include <QAccessible>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/help/help_window.h"
#include "ui/plot/plot_widget.h"
#include "ui/release/release_dialog.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/layout.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

bool isControl(const QWidget* widget) {
    constexpr std::array kControls{"QAbstractButton",
                                   "QLineEdit",
                                   "QTextEdit",
                                   "QAbstractSpinBox",
                                   "QComboBox",
                                   "QAbstractSlider",
                                   "QProgressBar",
                                   "QAbstractItemView",
                                   "QGraphicsView",
                                   "epsilens::ui::ValueSlider",
                                   "epsilens::ui::PlotWidget"};
    return std::any_of(kControls.begin(), kControls.end(),
                       [widget](const char* name) { return widget->inherits(name); });
}

/// Parts that Qt makes for a control of ours, and that speak through it.
bool isPartOfAControl(const QWidget* widget) {
    constexpr std::array kOwners{"QAbstractSpinBox", "QComboBox",         "QTabBar",
                                 "QLineEdit",        "QAbstractItemView", "QMenuBar"};
    constexpr std::array kParts{"QHeaderView",        "QScrollBar",
                                "QToolBarExtension",  "QLineEditIconButton",
                                "QTableCornerButton", "QDockWidgetTitleButton"};
    const auto isOneOf = [](const QWidget* one, const auto& names) {
        return std::any_of(names.begin(), names.end(),
                           [one](const char* name) { return one->inherits(name); });
    };
    bool isPart = isOneOf(widget, kParts) || widget->windowType() == Qt::Popup ||
                  widget->objectName().startsWith(QLatin1String("qt_"));
    for (const QWidget* owner = widget->parentWidget(); owner != nullptr && !isPart;
         owner = owner->parentWidget()) {
        isPart = isOneOf(owner, kOwners);
    }
    return isPart;
}

QString place(const QWidget* widget) {
    QStringList names;
    for (; widget != nullptr; widget = widget->parentWidget()) {
        if (!widget->objectName().isEmpty()) {
            names.prepend(widget->objectName());
        } else if (names.isEmpty()) {
            names.prepend(QLatin1String(widget->metaObject()->className()));
        }
    }
    return names.join(QLatin1Char('/'));
}

/// The controls below a widget that assistive technology could not name, or could not describe.
QStringList silentControls(const QWidget& root) {
    QStringList silent;
    const auto widgets = root.findChildren<QWidget*>();
    for (QWidget* widget : widgets) {
        if (!isControl(widget) || isPartOfAControl(widget)) {
            continue;
        }
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        if (spoken == nullptr || spoken->text(QAccessible::Name).trimmed().isEmpty()) {
            silent.append(place(widget) + QStringLiteral(" has no name"));
        } else if (spoken->text(QAccessible::Description).trimmed().isEmpty() &&
                   !widget->parentWidget()->inherits("QDialogButtonBox")) {
            // OK, Cancel and Close of a dialog need no more words.
            silent.append(place(widget) + QStringLiteral(" has no description"));
        }
    }
    return silent;
}

struct Target {
    QString name;
    QSize size;
};

bool isClicked(const QWidget& widget) {
    constexpr std::array kClicked{"QAbstractButton", "QLineEdit", "QComboBox", "QAbstractSpinBox",
                                  "epsilens::ui::ValueSlider"};
    return !widget.inherits("QTableCornerButton") &&
           std::any_of(kClicked.begin(), kClicked.end(),
                       [&widget](const char* name) { return widget.inherits(name); });
}

/// What is clicked of a widget: itself, or its parts. Scroll bars and the arrows of spin boxes have
/// the size of the style, and keys and the wheel beside them; dividers are a compromise of 8 pixels
/// and have keys; the corner of a table selects all, as Ctrl+A does.
QList<Target> targetsOf(const QWidget& widget) {
    QList<Target> targets;
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget)) {
        for (int tab = 0; tab < bar->count(); ++tab) {
            targets.append({bar->tabText(tab), bar->tabRect(tab).size()});
        }
    } else if (const auto* menus = qobject_cast<const QMenuBar*>(&widget)) {
        const auto actions = menus->actions();
        for (QAction* action : actions) {
            targets.append({action->text(), menus->actionGeometry(action).size()});
        }
    } else if (const auto* header = qobject_cast<const QHeaderView*>(&widget)) {
        if (header->sectionsClickable() && header->orientation() == Qt::Horizontal) {
            targets.append({place(&widget), {kLeastTarget, header->height()}});
        }
    } else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
        const auto* table = qobject_cast<const QTableView*>(view);
        const QModelIndex first =
            view->model() == nullptr ? QModelIndex() : view->model()->index(0, 0);
        if (first.isValid()) {
            // Rows of a table go to the line below them.
            const int height =
                table != nullptr ? table->rowHeight(0) : view->visualRect(first).height();
            targets.append({place(&widget), {kLeastTarget, height}});
        }
    } else if (isClicked(widget)) {
        targets.append({place(&widget), widget.size()});
    }
    return targets;
}

/// Fields within spin boxes and lists are as high as these leave them.
bool isWithinAControl(const QWidget& widget) {
    const QWidget* parent = widget.parentWidget();
    return parent != nullptr &&
           (parent->inherits("QAbstractSpinBox") || parent->inherits("QComboBox"));
}

QStringList smallTargets(const QWidget& root, const QString& where) {
    QStringList small;
    const auto widgets = root.findChildren<QWidget*>();
    for (const QWidget* widget : widgets) {
        if (!widget->isVisible() || isWithinAControl(*widget)) {
            continue;
        }
        const auto targets = targetsOf(*widget);
        for (const Target& target : targets) {
            if (target.size.width() < kLeastTarget || target.size.height() < kLeastTarget) {
                small.append(QStringLiteral("%1: %2 is %3 × %4")
                                 .arg(where, target.name)
                                 .arg(target.size.width())
                                 .arg(target.size.height()));
            }
        }
    }
    return small;
}

QStringList smallEntries(const QWidget& root) {
    QStringList small;
    const auto menus = root.findChildren<QMenu*>();
    for (QMenu* menu : menus) {
        const auto actions = menu->actions();
        for (QAction* action : actions) {
            const int height = menu->actionGeometry(action).height();
            if (!action->isSeparator() && action->isVisible() && height < kLeastTarget) {
                small.append(QStringLiteral("%1 is %2 high").arg(action->text()).arg(height));
            }
        }
    }
    return small;
}

}  // namespace

/// Every control has a name and a description for assistive technology, and what is clicked is at
/// least 24 pixels wide and high (WCAG 2.2, 2.5.8).
class ControlsTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    /// Before there is anything to tell, while it is computed, and after.
    void thoseOfTheWindow() {
        QCoreApplication::processEvents();
        isFit(*m_window, QStringLiteral("empty"));
        none(smallEntries(*m_window));
        test::show(test::toyBall(60, 4), *m_window);
        state().lookAt(QStringLiteral("paris london word9 nowhere"));
        state().lookAt(Word(state().embedding(), 0));
        state().edit(&AnalysisSettings::draws, 20);
        none(silentControls(*m_window));
        run();
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
        for (CollapsibleSection* section : m_window->findChildren<CollapsibleSection*>()) {
            section->setOpen(true);
        }
        QTabWidget& tabs = m_window->tabs();
        for (int tab = 0; tab < tabs.count(); ++tab) {
            tabs.setCurrentIndex(tab);
            test::letPass(50);
            isFit(*m_window, tabs.tabText(tab));
        }
    }

    /// Windows that are made when they are asked for.
    void thoseOfOtherWindows() {
        test::show(test::toyEmbedding(), *m_window);
        PreferencesDialog preferences;
        AboutDialog about;
        preferences.show();
        about.show();
        for (const char* action : {"helpAction", "releaseAction", "logAction"}) {
            trigger(action);
        }
        for (const char* name :
             {"helpWindow", "releaseDialog", "logDialog", "preferencesDialog", "aboutDialog"}) {
            const auto windows = QApplication::topLevelWidgets();
            const auto found =
                std::find_if(windows.begin(), windows.end(), [name](const QWidget* window) {
                    return window->objectName() == QLatin1String(name);
                });
            QVERIFY2(found != windows.end() && (*found)->isVisible(), name);
            QCoreApplication::processEvents();
            isFit(**found, QLatin1String(name));
        }
    }

    /// The walks find what they look for.
    void whatIsUnfitIsFound() {
        QWidget root;
        QLineEdit edit(&root);
        auto plot = std::make_unique<PlotWidget>(&root);
        QCOMPARE(silentControls(root).size(), 2);
        edit.setAccessibleName(QStringLiteral("Edit"));
        QCOMPARE(silentControls(root).filter(QStringLiteral("description")).size(), 1);
        edit.setToolTip(QStringLiteral("Something to type"));
        QCOMPARE(silentControls(root).size(), 1);
        plot.reset();
        QVERIFY(silentControls(root).isEmpty());
        root.show();
        QVERIFY(smallTargets(root, {}).isEmpty());
        edit.resize(40, 23);
        QCOMPARE(smallTargets(root, {}).size(), 1);
        edit.resize(24, 24);
        QVERIFY(smallTargets(root, {}).isEmpty());
    }

private:
    static void none(const QStringList& unfit) {
        QVERIFY2(unfit.isEmpty(), qPrintable(unfit.join(QLatin1Char('\n'))));
    }
    static void isFit(const QWidget& root, const QString& where) {
        none(silentControls(root) + smallTargets(root, where));
    }
};

EPSILENS_UI_TEST(ControlsTest)
#include "controls_test.moc"
