#include "ui/dial/pin_painting.h"

#include <algorithm>

#include <QPainter>
#include <QPolygonF>

namespace epsilens::ui {

double drawPin(QPainter& painter, const DialPin& pin, const ValueScale& axis, const QRectF& plot,
               const Theme& theme) {
    const auto xOf = [&](double epsilon) {
        return plot.left() + axis.position(epsilon) * plot.width();
    };
    QPolygonF line;
    double share = 0.5;
    for (std::size_t i = 0; i < pin.shares.kept.size(); ++i) {
        const double epsilon = pin.shares.epsilons[i];
        line.append({xOf(epsilon), plot.bottom() - pin.shares.kept[i] * plot.height()});
        share = epsilon <= std::min(pin.epsilon, axis.high) ? pin.shares.kept[i] : share;
    }
    painter.save();
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    QColor halo = theme.surface;
    halo.setAlphaF(0.7F);
    // Read on every hue below it.
    for (const QPen& pen : {QPen(halo, 4.0), QPen(theme.pinned, 2.0, Qt::DashLine)}) {
        painter.setPen(pen);
        painter.drawPolyline(line);
        if (pin.epsilon >= axis.low && pin.epsilon <= axis.high) {
            painter.drawLine(QPointF(xOf(pin.epsilon), plot.top()),
                             QPointF(xOf(pin.epsilon), plot.bottom()));
        }
    }
    painter.restore();
    return share;
}

}  // namespace epsilens::ui
