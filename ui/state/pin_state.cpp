#include "ui/state/pin_state.h"

#include <utility>

#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
constexpr int kEpsilonDigits = 3;
}  // namespace

QString pinTitle(const mechanism::Setting& pin) {
    return PinState::tr("%1, ε %2")
        .arg(shortTitle(pin.mechanism), significant(pin.epsilon, kEpsilonDigits));
}

void PinState::setPin(std::optional<mechanism::Setting> pin) {
    if (pin == m_pin) {
        return;
    }
    m_pin = pin;
    Q_EMIT pinChanged();
}

bool PinState::forget() {
    return std::exchange(m_pin, std::nullopt).has_value();
}

}  // namespace epsilens::ui
