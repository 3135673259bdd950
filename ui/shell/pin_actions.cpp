#include "ui/shell/pin_actions.h"

#include <QAction>

#include "ui/shell/field_keys.h"
#include "ui/shell/main_window.h"

namespace epsilens::ui {

void connectPins(MainWindow& window) {
    AnalysisState& state = window.state();
    QAction* pin = window.actions().pin;
    QAction* unpin = window.actions().unpin;
    const auto update = [&state, pin, unpin] {
        pin->setEnabled(state.embedding() != nullptr);
        unpin->setEnabled(state.pins().pin().has_value());
    };
    connectCommand(*pin, window, [&window, &state] {
        state.pinCurrent();
        window.showMessage(MainWindow::tr("Pinned: %1. Change a setting to compare.")
                               .arg(pinTitle(*state.pins().pin())));
    });
    QObject::connect(unpin, &QAction::triggered, &window,
                     [&state] { state.pins().setPin(std::nullopt); });
    QObject::connect(&state, &AnalysisState::embeddingChanged, &window, update);
    QObject::connect(&state.pins(), &PinState::pinChanged, &window, update);
    update();
}

}  // namespace epsilens::ui
