#include "ui/space/plot_labels.h"

#include <cmath>

#include <qcustomplot.h>

#include "ui/space/label_layout.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

void PlotLabels::ensure(std::size_t count) {
    while (m_texts.size() < count) {
        auto* label = new QCPItemText(&m_plot);
        label->setLayer(m_layer);
        label->position->setType(QCPItemPosition::ptAbsolute);
        label->setPositionAlignment(Qt::AlignTop | Qt::AlignLeft);
        label->setPadding(QMargins(2, 0, 2, 0));
        m_texts.push_back(label);
    }
}

void PlotLabels::place(const std::vector<NamedPoint>& points, bool isBold, const QFont& font,
                       const Theme& theme) {
    ensure(points.size());
    QFont bold = font;
    bold.setBold(true);
    const auto fontOf = [&](std::size_t i) -> const QFont& {
        return i == 0 && isBold ? bold : font;
    };
    std::vector<LabelRequest> requests;
    for (std::size_t i = 0; i < points.size(); ++i) {
        // Texts are painted from a whole pixel on, and their sizes are whole.
        const QFontMetricsF metrics(fontOf(i));
        requests.push_back({{m_plot.xAxis->coordToPixel(points[i].point.x),
                             m_plot.yAxis->coordToPixel(points[i].point.y)},
                            {std::ceil(metrics.horizontalAdvance(points[i].name)) + 6.0,
                             std::ceil(metrics.height()) + 1.0}});
    }
    const QRectF view(m_plot.axisRect()->rect());
    const auto placed = placeLabels(requests, view, {QRectF(m_plot.legend->outerRect())});
    QColor behind = theme.surface;
    behind.setAlpha(200);
    m_leftOut = 0;
    for (std::size_t i = 0; i < m_texts.size(); ++i) {
        const bool isShown = i < placed.size() && placed[i];
        // Of points out of sight nobody misses the labels.
        const bool isMissed = i < placed.size() && !placed[i] && view.contains(requests[i].anchor);
        m_leftOut += isMissed ? 1 : 0;
        m_texts[i]->setVisible(isShown);
        if (!isShown) {
            continue;
        }
        m_texts[i]->setText(points[i].name);
        m_texts[i]->setFont(fontOf(i));
        m_texts[i]->setColor(theme.text);
        m_texts[i]->setBrush(behind);
        m_texts[i]->position->setCoords(placed[i]->topLeft());
    }
}

}  // namespace epsilens::ui
