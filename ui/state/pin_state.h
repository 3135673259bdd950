#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "core/mechanism/mechanism.h"

namespace epsilens::ui {

/// "Mahalanobis λ 0.50, ε 10"
[[nodiscard]] QString pinTitle(const mechanism::Setting& pin);

/// The setting that curves, outputs and contours are compared with. Words, draws and seed are
/// always those set, so that only the mechanism differs.
class PinState : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const std::optional<mechanism::Setting>& pin() const { return m_pin; }
    /// Nothing unpins.
    void setPin(std::optional<mechanism::Setting> pin);
    /// Unpins within a change that is not told of yet: pinChanged() is left to the caller. Returns
    /// whether there was a pin.
    bool forget();

Q_SIGNALS:
    void pinChanged();

private:
    std::optional<mechanism::Setting> m_pin;
};

}  // namespace epsilens::ui
