#include "ui/shell/window_factory.h"

#include <QSettings>

#include "ui/common/theme.h"
#include "ui/curves/curves_panel.h"
#include "ui/live/live_panel.h"
#include "ui/space/space_panel.h"

namespace epsilens::ui {

std::unique_ptr<MainWindow> createWindow(const LoadFunctions& functions) {
    auto window = std::make_unique<MainWindow>(functions);
    AnalysisState& state = window->state();
    window->addPanel(new live::LivePanel(state));
    auto* curves = new CurvesPanel(state);
    window->addPanel(curves);
    window->jobs().watch(curves->runner());
    window->jobs().watch(curves->refiner());
    window->addPanel(new SpacePanel(state));
    return window;
}

void applyRememberedTheme() {
    const int choice = QSettings().value(QStringLiteral("window/theme"), 0).toInt();
    const bool known = choice >= 0 && choice <= static_cast<int>(ThemeChoice::dark);
    applyTheme(known ? static_cast<ThemeChoice>(choice) : ThemeChoice::system);
}

}  // namespace epsilens::ui
