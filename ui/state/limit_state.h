#pragma once

#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/calibration/limits.h"
#include "core/document/report_document.h"

namespace epsilens::ui {

class AnalysisState;

/// "limits 1/2 ✗", "limits 2/2 ✓", "limits –/2" while nothing is known, "limits 1/2, 1 open" where
/// none is known to be missed. Empty without limits.
[[nodiscard]] QString limitStatusText(const document::LimitCounts& status);
/// The same in words, for screen readers: "1 of 2 limits met".
[[nodiscard]] QString limitStatusSentence(const document::LimitCounts& status);

/// Whether the limits are met: what the panels that show it share. Unknown for other limits.
class LimitState : public QObject {
    Q_OBJECT

public:
    explicit LimitState(const AnalysisState& state, QObject* parent = nullptr);

    /// How many limits the present setting meets and misses, as far as it is known.
    [[nodiscard]] const document::LimitCounts& status() const { return m_status; }
    /// checks  of the present setting, one per limit on words
    void setChecks(const std::vector<calibration::LimitCheck>& checks);
    /// findings  the same, one per limit on texts; empty before anything is known
    void setOnTexts(std::vector<document::FigureFinding> findings);
    /// "✓ an attacker guesses at most 5 of 100 words: yes, 4.2 (3.9 to 4.5)": each limit whose
    /// value is known, with the interval of that where it has one.
    [[nodiscard]] QStringList lines() const;

Q_SIGNALS:
    void statusChanged();
    void checksChanged();

private:
    void refresh();

    const AnalysisState& m_state;
    std::vector<calibration::LimitCheck> m_checks{};
    std::vector<document::FigureFinding> m_onTexts{};
    document::LimitCounts m_status{};
};

}  // namespace epsilens::ui
