#pragma once

#include <optional>

#include "ui/state/current_measurement.h"
#include "ui/state/word.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class AnalysisState;
class SessionResults;

/// The page Words: the measured words at the present epsilon, sorted and filtered.
class WordsPanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// measured  nothing while the present setting is not measured on them
    virtual void setOwnTexts(std::optional<MeasuredText> measured, bool exist) = 0;
    [[nodiscard]] virtual JobRunnerBase* exporter() = 0;

Q_SIGNALS:
    void wordActivated(const epsilens::ui::Word& word);
};

[[nodiscard]] WordsPanel* newWordsPanel(AnalysisState& state, SessionResults& results,
                                        CurrentMeasurement& measurement);

}  // namespace epsilens::ui
