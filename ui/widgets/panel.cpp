#include "ui/widgets/panel.h"

namespace epsilens::ui {

bool Panel::handles(PanelCommand /*command*/) const {
    return false;
}

void Panel::execute(PanelCommand /*command*/) {}

}  // namespace epsilens::ui
