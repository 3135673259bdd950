#pragma once

#include <QColor>
#include <QRectF>
#include <QSharedPointer>
#include <QString>

class QCPAxisTicker;
class QCPItemText;
class QCPScatterStyle;

namespace epsilens::ui {

struct Theme;

/// A value in at most five significant digits, fewer when fewer say it exactly: "83", "0.25".
[[nodiscard]] QString brief(double value);

/// Ground of texts that lie on curves: these only just show through.
[[nodiscard]] QColor behindTexts(const Theme& theme);

/// Marker of one of several curves at its points; ten in a row differ in shape or filling.
[[nodiscard]] QCPScatterStyle curveMarker(int index, const QColor& colour, const QColor& surface);

/// Ring around the marker of a point that is the present setting.
[[nodiscard]] QCPScatterStyle markedPoint(const QColor& colour);

/// Ticks at 1, 2 and 5 of each decade while few decades are shown, at powers of ten where many are;
/// at even steps where the axis shows less than two of those.
[[nodiscard]] QSharedPointer<QCPAxisTicker> fewDecadesTicker();

}  // namespace epsilens::ui
