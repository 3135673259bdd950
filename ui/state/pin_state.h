#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "ui/state/mechanism_choice.h"

namespace epsilens::ui {

/// A mechanism with all its parameters, kept to be compared with what is set.
struct PinnedSetting {
    MechanismChoice choice{};  ///< normalised
    double epsilon = 0.0;      ///< per unit of the distance of the choice

    [[nodiscard]] bool operator==(const PinnedSetting&) const = default;
};

/// "Mahalanobis λ 0.50, ε 10"
[[nodiscard]] QString pinTitle(const PinnedSetting& pin);

/// The setting that curves, outputs and contours are compared with. Words, draws and seed are
/// always those set, so that only the mechanism differs.
class PinState : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const std::optional<PinnedSetting>& pin() const { return m_pin; }
    /// Nothing unpins.
    void setPin(std::optional<PinnedSetting> pin);
    /// Unpins within a change that is not told of yet: pinChanged() is left to the caller. Returns
    /// whether there was a pin.
    bool forget();

Q_SIGNALS:
    void pinChanged();

private:
    std::optional<PinnedSetting> m_pin;
};

}  // namespace epsilens::ui
