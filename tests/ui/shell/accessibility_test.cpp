#include <algorithm>
#include <array>
#include <memory>

#include <QAccessible>
#include <QLineEdit>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/help/help_window.h"
#include "ui/plot/plot_widget.h"
#include "ui/release/release_dialog.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/preferences.h"

using namespace epsilens;
using namespace epsilens::ui;

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

}  // namespace

class AccessibilityTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    /// Before there is anything to tell, while it is computed, and after.
    void everyControlOfTheWindowSpeaks() {
        speaks(*m_window);
        test::show(test::toyEmbedding(), *m_window);
        state().lookAt(QStringLiteral("paris london"));
        speaks(*m_window);
        test::letPass(100);
        test::letJobsEnd();
        speaks(*m_window);
        // Windows that are made when they are asked for.
        trigger("helpAction");
        trigger("releaseAction");
        for (const QWidget* made : {static_cast<QWidget*>(m_window->findChild<HelpWindow*>()),
                                    static_cast<QWidget*>(m_window->findChild<ReleaseDialog*>())}) {
            QVERIFY(made != nullptr && made->isVisible());
            speaks(*made);
        }
        speaks(PreferencesDialog());
        speaks(AboutDialog());
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

private:
    static void speaks(const QWidget& root) {
        const QStringList silent = silentControls(root);
        QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
    }
};

EPSILENS_UI_TEST(AccessibilityTest)
#include "accessibility_test.moc"
