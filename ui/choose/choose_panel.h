#pragma once

#include "ui/choose/choose_model.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui::choose {

class ChoosePanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// Takes over keys that have not been answered yet.
    virtual void commitText() = 0;
    [[nodiscard]] virtual ChooseModel& model() = 0;

Q_SIGNALS:
    void limitsRequested();
};

[[nodiscard]] ChoosePanel* newChoosePanel(AnalysisState& state);

}  // namespace epsilens::ui::choose
