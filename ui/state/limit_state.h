#pragma once

#include <vector>

#include <QObject>
#include <QString>

#include "core/calibration/limits.h"

namespace epsilens::ui {

class AnalysisState;

/// Whether the present setting meets the limits, as far as it is known.
struct LimitStatus {
    bool isKnown = false;  ///< measured at the present setting
    int met = 0;
    int all = 0;
    int onTexts = 0;  ///< further ones, which Trade-off judges; never counted as met

    [[nodiscard]] bool areAllMet() const { return isKnown && met == all && onTexts == 0; }
    bool operator==(const LimitStatus&) const = default;
};

/// "limits 1/2 ✗", "limits 2/2 ✓", "limits –/2" while unknown; with limits on texts "limits 2/2, 1
/// on texts". Empty without limits.
[[nodiscard]] QString limitStatusText(const LimitStatus& status);
/// The same in words, for screen readers: "1 of 2 limits met".
[[nodiscard]] QString limitStatusSentence(const LimitStatus& status);

/// Whether the limits are met: what the panels that show it share. Unknown for other limits.
class LimitState : public QObject {
    Q_OBJECT

public:
    explicit LimitState(const AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] const LimitStatus& status() const { return m_status; }
    /// Of the present setting, one per limit; empty while they are not known.
    [[nodiscard]] const std::vector<calibration::LimitCheck>& checks() const { return m_checks; }
    /// checks  of the present setting, one per limit
    void setChecks(const std::vector<calibration::LimitCheck>& checks);
    void forgetChecks();

Q_SIGNALS:
    void statusChanged();
    /// The values held against the limits are others.
    void checksChanged();

private:
    void setStatus(const LimitStatus& status);
    [[nodiscard]] LimitStatus unknown() const;

    const AnalysisState& m_state;
    LimitStatus m_status;
    std::vector<calibration::LimitCheck> m_checks{};
};

}  // namespace epsilens::ui
