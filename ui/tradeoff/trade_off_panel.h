#pragma once

#include "ui/tradeoff/goal_search.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

/// The Texts tab: what the analyst's own texts are still good for, and what an attacker still
/// learns from them, over the grid of epsilon and lambda.
class TradeOffPanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    [[nodiscard]] virtual TradeOffModel& model() const = 0;
    [[nodiscard]] virtual GoalSearch& goals() const = 0;
    virtual void measureOrOpen() = 0;
    virtual void chooseFile() = 0;
    virtual void chooseFolder() = 0;
};

/// state  must outlive the panel
[[nodiscard]] TradeOffPanel* newTradeOffPanel(
    AnalysisState& state, GoalSearchFunction search = evaluation::recommendWithin);

}  // namespace epsilens::ui
