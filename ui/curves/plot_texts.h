#pragma once

#include <QColor>
#include <QRectF>

class QCPItemText;

namespace epsilens::ui {

struct Theme;

/// Ground of texts that lie on curves: these only just show through.
[[nodiscard]] QColor behindTexts(const Theme& theme);

/// Where a text with its ground lies in its plot.
[[nodiscard]] QRectF boundsOf(const QCPItemText& text);

}  // namespace epsilens::ui
