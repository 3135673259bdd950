#include <algorithm>
#include <array>

#include <QAbstractItemView>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/help/help_window.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/layout.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

struct Target {
    QString name;
    QSize size;
};

QString nameOf(const QWidget& widget) {
    const QWidget* named = &widget;
    while (named->objectName().isEmpty() && named->parentWidget() != nullptr) {
        named = named->parentWidget();
    }
    return QLatin1String(widget.metaObject()->className()) + QLatin1Char(' ') + named->objectName();
}

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
            targets.append({nameOf(widget), {kLeastTarget, header->height()}});
        }
    } else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget)) {
        const auto* table = qobject_cast<const QTableView*>(view);
        const QModelIndex first =
            view->model() == nullptr ? QModelIndex() : view->model()->index(0, 0);
        if (first.isValid()) {
            // Rows of a table go to the line below them.
            const int height =
                table != nullptr ? table->rowHeight(0) : view->visualRect(first).height();
            targets.append({nameOf(widget), {kLeastTarget, height}});
        }
    } else if (isClicked(widget)) {
        targets.append({nameOf(widget), widget.size()});
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

void complain(const QStringList& small) {
    QVERIFY2(small.isEmpty(), qPrintable(small.join(QLatin1Char('\n'))));
}

}  // namespace

/// What is clicked is at least 24 pixels wide and high (WCAG 2.2, 2.5.8).
class TargetSizeTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void cleanupTestCase() { clean(); }

    void theEmptyWindowCanBeHit() {
        QCoreApplication::processEvents();
        complain(smallTargets(*m_window, QStringLiteral("empty")));
        complain(smallEntries(*m_window));
    }

    void everyTabCanBeHit() {
        test::show(test::toyBall(60, 4), *m_window);
        state().lookAt(QStringLiteral("paris london word9 nowhere"));
        state().lookAt(Word(state().embedding(), 0));
        state().edit(&AnalysisSettings::draws, 20);
        run();
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
        for (CollapsibleSection* section : m_window->findChildren<CollapsibleSection*>()) {
            section->setOpen(true);
        }
        click("logButton");
        QTabWidget& tabs = m_window->tabs();
        for (int tab = 0; tab < tabs.count(); ++tab) {
            tabs.setCurrentIndex(tab);
            test::letPass(50);
            complain(smallTargets(*m_window, tabs.tabText(tab)));
        }
    }

    void theDialogsCanBeHit() {
        PreferencesDialog preferences;
        AboutDialog about;
        HelpWindow help;
        for (QWidget* window : {static_cast<QWidget*>(&preferences), static_cast<QWidget*>(&about),
                                static_cast<QWidget*>(&help)}) {
            window->show();
            QCoreApplication::processEvents();
            complain(smallTargets(*window, window->windowTitle()));
        }
    }

    /// The walk finds what it looks for.
    void smallTargetsAreFound() {
        QWidget window;
        auto* button = new QToolButton(&window);
        button->setGeometry(0, 0, 40, 23);
        window.show();
        QCOMPARE(smallTargets(window, {}).size(), 1);
        button->setGeometry(0, 0, 24, 24);
        QVERIFY(smallTargets(window, {}).isEmpty());
    }
};

EPSILENS_UI_TEST(TargetSizeTest)
#include "target_size_test.moc"
