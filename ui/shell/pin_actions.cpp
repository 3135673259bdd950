#include "ui/shell/pin_actions.h"

#include <QAction>

#include "ui/shell/field_keys.h"
#include "ui/shell/main_window.h"
#include "ui/state/mechanism_view.h"

namespace epsilens::ui {

void connectPins(MainWindow& window) {
    AnalysisState& state = window.state();
    QAction* pin = window.actions().pin;
    QAction* unpin = window.actions().unpin;
    const auto update = [&state, pin, unpin] {
        pin->setEnabled(state.embedding() != nullptr);
        unpin->setEnabled(state.pin().has_value());
    };
    connectCommand(*pin, window, [&window, &state] {
        state.edit(&AnalysisSettings::pinPresent);
        window.showMessage(
            MainWindow::tr("Pinned: %1. Change a setting to compare.").arg(pinTitle(*state.pin())));
    });
    QObject::connect(unpin, &QAction::triggered, &window,
                     [&state] { state.edit(&AnalysisSettings::pin, std::nullopt); });
    QObject::connect(&state, &AnalysisState::embeddingChanged, &window, update);
    state.onChange(&AnalysisSettings::pin, &window, update);
    update();
}

}  // namespace epsilens::ui
