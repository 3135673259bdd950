#pragma once

#include <optional>

#include "ui/state/measured_text.h"
#include "ui/state/quick_measurement.h"

namespace epsilens::ui {

class LabelledSource;

/// What the current setting does to the analyst's own texts: how many of their words survive,
/// measured by itself on some of their tokens and known at every epsilon.
class OwnText : public QObject {
    Q_OBJECT

public:
    /// state, jobs, source  must outlive this object
    OwnText(AnalysisState& state, JobBoard& jobs, const LabelledSource& source,
            QObject* parent = nullptr);

    /// Nothing where the current setting is not measured on them.
    [[nodiscard]] std::optional<MeasuredText> measuredText() const;

    /// Those whose measurement was cancelled; nothing otherwise.
    [[nodiscard]] std::optional<UnmeasuredText> unmeasuredText() const;
    /// Measures them.
    void measure() { m_measurement.measure(); }

Q_SIGNALS:
    /// measuredText() may be another one.
    void changed();

private:
    AnalysisState& m_state;
    const LabelledSource& m_source;
    QuickMeasurement m_measurement;
};

}  // namespace epsilens::ui
