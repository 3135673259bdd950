#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QGraphicsView>
#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QScrollBar>
#include <QSettings>
#include <QTextEdit>
#include <memory>

#include "core/engine/search_space.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/help/help_window.h"
#include "ui/plot/plot_widget.h"
#include "ui/release/release_dialog.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/preferences_dialog.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QTextEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
           qobject_cast<const QProgressBar*>(widget) != nullptr ||
           qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
           qobject_cast<const QGraphicsView*>(widget) != nullptr ||
           qobject_cast<const ValueSlider*>(widget) != nullptr ||
           qobject_cast<const PlotWidget*>(widget) != nullptr;
}

/// Parts that Qt makes for a control of ours, and that speak through it.
bool isPartOfAControl(const QWidget* widget) {
    if (qobject_cast<const QHeaderView*>(widget) != nullptr ||
        qobject_cast<const QScrollBar*>(widget) != nullptr || widget->windowType() == Qt::Popup ||
        widget->objectName().startsWith(QLatin1String("qt_"))) {
        return true;
    }
    for (const QWidget* owner = widget->parentWidget(); owner != nullptr;
         owner = owner->parentWidget()) {
        if (owner->inherits("QAbstractSpinBox") || owner->inherits("QComboBox") ||
            owner->inherits("QTabBar") || owner->inherits("QLineEdit") ||
            owner->inherits("QAbstractItemView") || owner->inherits("QMenuBar")) {
            return true;
        }
    }
    return widget->inherits("QToolBarExtension") || widget->inherits("QLineEditIconButton") ||
           widget->inherits("QTableCornerButton") || widget->inherits("QDockWidgetTitleButton");
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

}  // namespace

class AccessibilityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }

    void everyControlOfTheWindowSpeaks() {
        const auto window = createWindow();
        window->show();
        const auto speaks = [&window] {
            const QStringList silent = silentControls(*window);
            QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
        };
        // Before there is anything to tell, while it is computed, and after.
        speaks();
        const auto embedding = test::toyEmbedding();
        window->state().setEmbedding(embedding,
                                     std::make_shared<const engine::SearchSpace>(embedding));
        window->state().lookAt(QStringLiteral("paris london"));
        speaks();
        test::letPass(100);
        test::letJobsEnd();
        speaks();
    }

    void everyControlOfTheDialogsSpeaks() {
        const PreferencesDialog preferences{Preferences{}};
        const AboutDialog about;
        const QStringList silent = silentControls(preferences) + silentControls(about);
        QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
    }

    /// Windows that are made when they are asked for.
    void everyControlMadeOnDemandSpeaks() {
        const auto window = createWindow();
        window->show();
        const auto embedding = test::toyEmbedding();
        window->state().setEmbedding(embedding,
                                     std::make_shared<const engine::SearchSpace>(embedding));
        window->actions().help->trigger();
        window->actions().release->setEnabled(true);
        window->actions().release->trigger();
        for (const QWidget* made : {static_cast<QWidget*>(window->findChild<HelpWindow*>()),
                                    static_cast<QWidget*>(window->findChild<ReleaseDialog*>())}) {
            QVERIFY(made != nullptr && made->isVisible());
            const QStringList silent = silentControls(*made);
            QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
        }
    }

    /// The walk finds what it looks for.
    void aNamelessControlIsFound() {
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
    }
};

EPSILENS_UI_TEST(AccessibilityTest)
#include "accessibility_test.moc"
