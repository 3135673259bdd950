#pragma once

#include "ui/choose/choose_model.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui::choose {

/// The page Choose: a text, under it word by word what comes out and what an attacker guesses, the
/// table of its words, and the usual limit as a sentence to fill in.
class ChoosePanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// Takes over keys that have not been answered yet.
    virtual void commitText() = 0;
    [[nodiscard]] virtual ChooseModel& model() = 0;
};

[[nodiscard]] ChoosePanel* newChoosePanel(AnalysisState& state);

}  // namespace epsilens::ui::choose
