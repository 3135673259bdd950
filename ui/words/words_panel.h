#pragma once

#include <optional>

#include "ui/state/quick_measurement.h"
#include "ui/state/word.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class AnalysisState;
class SessionResults;

/// The Words tab: the words of the current measurement one by one at the epsilon of the dial, to
/// sort, filter, search and write out. Whatever touches every word runs in the background.
class WordsPanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// The analyst's own texts, whose words a preset shows.
    ///
    /// measured  nothing while the present setting is not measured on them
    /// exist     whether there are such texts; where there are none, all words are shown
    virtual void setOwnTexts(std::optional<MeasuredText> measured, bool exist) = 0;
    [[nodiscard]] virtual JobRunnerBase* exporter() = 0;

Q_SIGNALS:
    void wordActivated(const epsilens::ui::Word& word);
};

/// The arguments must outlive the panel.
[[nodiscard]] WordsPanel* newWordsPanel(AnalysisState& state, SessionResults& results,
                                        QuickMeasurement& measurement);

}  // namespace epsilens::ui
