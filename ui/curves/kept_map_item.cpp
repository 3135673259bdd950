#include "ui/curves/kept_map_item.h"

#include <array>
#include <cmath>
#include <utility>

#include "ui/curves/limit_lines.h"

namespace epsilens::ui {

namespace {

constexpr std::array kEqualShares{0.25, 0.5, 0.75};
constexpr double kGap = 1.0;  ///< pixels between rows
constexpr int kHatchAlpha = 150;

QColor between(const QColor& low, const QColor& high, double share) {
    const auto mixed = [share](int from, int to) {
        return static_cast<int>(std::lround(from + share * (to - from)));
    };
    return QColor(mixed(low.red(), high.red()), mixed(low.green(), high.green()),
                  mixed(low.blue(), high.blue()));
}

}  // namespace

std::optional<KeptPlace> keptPlace(const RunCurves& run, const Reading& reading,
                                   const std::vector<calibration::Limit>& limits) {
    if (!reading.nw) {
        return std::nullopt;
    }
    const int draws = run.summary().draws;
    return KeptPlace{reading.nw->over.mean / draws, meetsLimits(limits, draws, reading)};
}

void KeptMapItem::show(RunCurvesHandle run, std::vector<calibration::Limit> limits, int framed,
                       const Colours& colours) {
    m_run = std::move(run);
    m_limits = std::move(limits);
    m_framed = framed;
    m_colours = colours;
}

void KeptMapItem::draw(QCPPainter* painter) {
    if (!m_run) {
        return;
    }
    QCPAxisRect& rect = *parentPlot()->axisRect();
    const QCPAxis& epsilons = *rect.axis(QCPAxis::atBottom);
    const QCPAxis& heights = *rect.axis(QCPAxis::atLeft);
    std::vector<Row> rows(m_run->nw.size());
    for (int x = rect.left(); x <= rect.right(); ++x) {
        const auto readings = calibration::readAt(*m_run, epsilons.pixelToCoord(x + 0.5));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            rows[row].push_back(keptPlace(*m_run, readings[row], m_limits));
        }
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto height = static_cast<double>(row);
        const double top = heights.coordToPixel(height + 0.5) + kGap;
        const double bottom = heights.coordToPixel(height - 0.5) - kGap;
        const QRectF area(rect.left(), top, rect.width(), bottom - top);
        paintShares(*painter, rows[row], area);
        paintOutside(*painter, rows[row], area);
        paintEqualShares(*painter, rows[row], area, row + 1 == rows.size());
        if (static_cast<int>(row) == m_framed && rows.size() > 1) {
            painter->setPen(QPen(m_colours.frame, 2.0));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(area.adjusted(1.0, 0.0, -1.0, 0.0));
        }
    }
}

void KeptMapItem::paintShares(QCPPainter& painter, const Row& row, const QRectF& area) const {
    painter.setAntialiasing(false);  // smoothed columns would let the ground through
    for (std::size_t x = 0; x < row.size(); ++x) {
        if (row[x]) {
            painter.fillRect(
                QRectF(area.left() + static_cast<double>(x), area.top(), 1.0, area.height()),
                between(m_colours.none, m_colours.all, row[x]->share));
        }
    }
    painter.setAntialiasing(true);
}

void KeptMapItem::paintOutside(QCPPainter& painter, const Row& row, const QRectF& area) const {
    const auto isOutside = [&row](std::size_t x) { return row[x] && row[x]->met == false; };
    QColor hatch = m_colours.line;
    hatch.setAlpha(kHatchAlpha);
    for (std::size_t first = 0; first < row.size();) {
        if (!isOutside(first)) {
            ++first;
            continue;
        }
        std::size_t end = first;
        while (end < row.size() && isOutside(end)) {
            ++end;
        }
        const double left = area.left() + static_cast<double>(first);
        const QRectF part(left, area.top(), static_cast<double>(end - first), area.height());
        painter.fillRect(part, QBrush(hatch, Qt::BDiagPattern));
        painter.setPen(QPen(m_colours.line, 2.0));
        if (first > 0) {
            painter.drawLine(part.topLeft(), part.bottomLeft());
        }
        if (end < row.size()) {
            painter.drawLine(part.topRight(), part.bottomRight());
        }
        first = end;
    }
}

/// Numbers say what colours mean.
void KeptMapItem::paintEqualShares(QCPPainter& painter, const Row& row, const QRectF& area,
                                   bool isLabelled) const {
    painter.setPen(QPen(m_colours.line, 1.0, Qt::DotLine));
    for (const double share : kEqualShares) {
        for (std::size_t x = 1; x < row.size(); ++x) {
            if (!row[x - 1] || !row[x] || (row[x - 1]->share < share) == (row[x]->share < share)) {
                continue;
            }
            const double at = area.left() + static_cast<double>(x);
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
            if (isLabelled) {
                const QString label = QString::number(100.0 * share, 'f', 0);
                const double width = painter.fontMetrics().horizontalAdvance(label);
                painter.drawText(QPointF(at - 0.5 * width, area.top() - 3.0), label);
            }
        }
    }
}

}  // namespace epsilens::ui
