#include "ui/widgets/animations.h"

#include <QStyle>
#include <QWidget>

namespace epsilens::ui {

namespace {

bool& areAllowed() {
    static bool allowed = true;
    return allowed;
}

}  // namespace

void allowAnimations(bool allowed) {
    areAllowed() = allowed;
}

int animationDuration(const QWidget& widget) {
    return areAllowed()
               ? widget.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &widget)
               : 0;
}

}  // namespace epsilens::ui
