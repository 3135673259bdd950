#pragma once

#include "ui/live/live_model.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui::live {

class LivePanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// Takes over keys that have not been answered yet.
    virtual void commitText() = 0;
    [[nodiscard]] virtual LiveModel& model() = 0;

Q_SIGNALS:
    void limitsRequested();
};

[[nodiscard]] LivePanel* newLivePanel(AnalysisState& state);

}  // namespace epsilens::ui::live
