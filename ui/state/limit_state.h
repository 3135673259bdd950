#pragma once

#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/calibration/limits.h"
#include "core/experiment/figure_limit.h"

namespace epsilens::ui {

class AnalysisState;

/// Whether the present setting meets the limits, as far as it is known.
struct LimitStatus {
    bool isKnown = false;  ///< measured at the present setting
    int met = 0;
    int all = 0;
    int onTexts = 0;                  ///< further ones, which Trade-off judges
    std::optional<int> metOnTexts{};  ///< of these; nothing: not measured at the present setting

    /// Whether it is known of each limit if it is met.
    [[nodiscard]] bool isAllKnown() const {
        return (all == 0 || isKnown) && (onTexts == 0 || metOnTexts);
    }
    [[nodiscard]] bool areAllMet() const {
        return isAllKnown() && met + metOnTexts.value_or(0) == all + onTexts;
    }
    bool operator==(const LimitStatus&) const = default;
};

/// "limits 1/2 ✗", "limits 2/2 ✓", "limits –/2" while unknown; with limits on texts that are not
/// measured there "limits 2/2, 1 on texts". Empty without limits.
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
    /// Of the present setting, one per limit on texts; empty while they are not known.
    [[nodiscard]] const std::vector<experiment::FigureCheck>& textChecks() const {
        return m_textChecks;
    }
    /// checks  of the present setting, one per limit on texts; empty: not known
    void setTextChecks(std::vector<experiment::FigureCheck> checks);
    /// "✓ an attacker guesses at most 5 of 100 words: yes, 4.2 (3.9 to 4.5)": each limit whose
    /// value is known, with the interval of that where it has one.
    [[nodiscard]] QStringList lines() const;

Q_SIGNALS:
    void statusChanged();
    /// The values held against the limits are others.
    void checksChanged();

private:
    void setStatus(const LimitStatus& status);
    [[nodiscard]] LimitStatus unknown() const;

    const AnalysisState& m_state;
    std::vector<calibration::LimitCheck> m_checks{};
    std::vector<experiment::FigureCheck> m_textChecks{};
    LimitStatus m_status;
};

}  // namespace epsilens::ui
