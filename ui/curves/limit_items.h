#pragma once

#include <vector>

#include <QRectF>

#include "ui/curves/limit_lines.h"
#include "ui/widgets/theme.h"

class QCPItemStraightLine;
class QCPItemText;
class QCPLayer;
class QCustomPlot;

namespace epsilens::ui {

/// Limits as labelled lines across a plot. Whether one is met shows by colour, dash and sign.
class LimitItems {
public:
    /// layer  of the plot, on which the lines lie
    LimitItems(QCustomPlot& plot, QCPLayer* layer) : m_plot(plot), m_layer(layer) {}

    [[nodiscard]] const std::vector<LimitLine>& lines() const { return m_lines; }
    void setLines(std::vector<LimitLine> lines) { m_lines = std::move(lines); }
    /// Places the lines for the range shown and gives them the colours of the theme.
    void draw(const Theme& theme);

private:
    struct Items {
        QCPItemStraightLine* line = nullptr;
        QCPItemText* label = nullptr;
    };

    [[nodiscard]] Items makeItems();
    void drawLine(const LimitLine& line, const Items& items, const Theme& theme);
    void placeLabel(const LimitLine& line, QCPItemText& label, bool isLeft);

    QCustomPlot& m_plot;
    QCPLayer* m_layer;
    std::vector<LimitLine> m_lines;
    std::vector<Items> m_items;
};

}  // namespace epsilens::ui
