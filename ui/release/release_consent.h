#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;

namespace epsilens::ui {

class AnalysisState;
class LimitState;

/// Which limits are met, a line each, and what has to be ticked before a text is released in spite
/// of what is known of the setting: that it guarantees nothing, or that it is not known to meet the
/// limits. Nothing where neither is so.
class ReleaseConsent : public QWidget {
    Q_OBJECT

public:
    ReleaseConsent(const AnalysisState& state, const LimitState& limits, QWidget* parent = nullptr);

    /// Whether everything is ticked that has to be.
    [[nodiscard]] bool isGiven() const;
    [[nodiscard]] bool isWithoutGuarantee() const;
    /// What is ticked, in words; empty where nothing is or need be.
    [[nodiscard]] QString given() const;
    /// Asks for what the present setting makes necessary; all anew where it is another one.
    void follow(bool isOtherSetting);

Q_SIGNALS:
    void changed();

private:
    void followLimits();
    void showLimits();

    const AnalysisState& m_state;
    const LimitState& m_limits;
    QLabel* m_met;
    QCheckBox* m_withoutGuarantee;
    QCheckBox* m_outsideLimits;
};

}  // namespace epsilens::ui
