#pragma once

#include "ui/live/live_model.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui::live {

/// The first tab, Choose: a text, its sampled outputs, a table of its words, the chosen word in
/// full, and the first limit. LiveModel has the substance.
class LivePanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// Takes over keys that have not been answered yet.
    virtual void commitText() = 0;
    [[nodiscard]] virtual LiveModel& model() = 0;

Q_SIGNALS:
    /// The analyst wants to see, or add, limits that a sentence does not say.
    void limitsRequested();
};

/// state  must outlive the panel
[[nodiscard]] LivePanel* newLivePanel(AnalysisState& state);

}  // namespace epsilens::ui::live
