#include "ui/shell/dial_bar.h"

#include <vector>

#include <QAction>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>

#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/help/help_topics.h"
#include "ui/help/show_help.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/setting_bar.h"
#include "ui/state/limits_model.h"
#include "ui/state/quick_measurement.h"

namespace epsilens::ui {

namespace {

/// What Tab stops at within a widget, in its order.
std::vector<QWidget*> stopsOf(QWidget& group) {
    std::vector<QWidget*> stops;
    for (QWidget* next = group.nextInFocusChain(); next != &group;
         next = next->nextInFocusChain()) {
        if (group.isAncestorOf(next) && (next->focusPolicy() & Qt::TabFocus) != 0) {
            stops.push_back(next);
        }
    }
    return stops;
}

/// Tab goes as the eye does: from the bar to the tabs and the dial below it, which was made after
/// the panels.
void letTabFollow(QWidget& bar, QWidget& tabs, QWidget& dial) {
    const std::vector<QWidget*> before = stopsOf(bar);
    QWidget* last = before.empty() ? &bar : before.back();
    QWidget::setTabOrder(last, &tabs);
    last = &tabs;
    for (QWidget* stop : stopsOf(dial)) {
        QWidget::setTabOrder(last, stop);
        last = stop;
    }
}

}  // namespace

DialPanel& addDial(MainWindow& window) {
    AnalysisState& state = window.state();
    auto& setup = *window.findChild<SetupPanel*>();
    QuickMeasurement& measurement = window.measurement();
    auto* search = new LimitsModel(state, setup.limits(), measurement, &setup);
    auto* model =
        new DialModel(state, setup.guarantee(), setup.limits(), *search, measurement, &setup);

    auto* bar = new QToolBar(DialPanel::tr("Dial"), &window);
    bar->setObjectName(QStringLiteral("dialToolBar"));
    bar->setMovable(false);
    bar->toggleViewAction()->setVisible(false);
    auto* dial = new DialPanel(*model, bar);
    bar->addWidget(dial);
    explainControls(*bar);
    window.addToolBarBreak(Qt::TopToolBarArea);
    window.addToolBar(Qt::TopToolBarArea, bar);
    // What the dial shows goes with the set-up, which the window takes down first.
    QObject::connect(&setup, &QObject::destroyed, bar, [bar] { delete bar; });

    const auto show = [&state, bar] { bar->setVisible(state.embedding() != nullptr); };
    QObject::connect(&state, &AnalysisState::embeddingChanged, bar, show);
    show();
    const auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("tabs"));
    QObject::connect(tabs, &QTabWidget::currentChanged, dial,
                     [dial](int index) { dial->setLarge(index <= 0); });
    QObject::connect(window.actions().focusEpsilon, &QAction::triggered, dial,
                     &DialPanel::focusEpsilon);
    QObject::connect(dial, &DialPanel::promiseHelpRequested, &window, [&window] {
        showHelp(window, QStringLiteral("guarantees#looks-private-promises-little"));
        window.showMessage(
            MainWindow::tr("The help explains it, in its own window; Esc closes that."));
    });
    letTabFollow(*window.findChild<SettingBar*>(),
                 *window.findChild<QTabBar*>(QStringLiteral("tabBar")), *dial);
    return *dial;
}

}  // namespace epsilens::ui
