#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;

namespace epsilens::ui {

class LimitState;

/// Which limits are met, a line each, and what has to be ticked before a text is released with a
/// setting that is not known to meet them.
class ReleaseConsent : public QWidget {
    Q_OBJECT

public:
    explicit ReleaseConsent(const LimitState& limits, QWidget* parent = nullptr);

    /// Whether what has to be ticked is.
    [[nodiscard]] bool isGiven() const;
    /// What is ticked, in words; empty where nothing is or need be.
    [[nodiscard]] QString given() const;
    /// Asks where the limits make it necessary; anew for another setting.
    void follow(bool isOtherSetting);

Q_SIGNALS:
    void changed();

private:
    void followLimits();
    void showLimits();

    const LimitState& m_limits;
    QLabel* m_met;
    QCheckBox* m_outsideLimits;
};

}  // namespace epsilens::ui
