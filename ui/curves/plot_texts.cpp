#include "ui/curves/plot_texts.h"

#include <qcustomplot.h>

#include "ui/widgets/theme.h"

namespace epsilens::ui {

QColor behindTexts(const Theme& theme) {
    constexpr int kAlpha = 220;
    QColor ground = theme.surface;
    ground.setAlpha(kAlpha);
    return ground;
}

QRectF boundsOf(const QCPItemText& text) {
    return {text.topLeft->pixelPosition(), text.bottomRight->pixelPosition()};
}

}  // namespace epsilens::ui
