#include "core/report/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "core/base/numbers.h"

namespace epsilens::report {
namespace {

using Range = std::array<double, 2>;

constexpr double kMargin = 0.05;  ///< share of the range on each side of the data

/// Gathers the extent of the data along one axis.
class Extent {
public:
    explicit Extent(bool logarithmic) : m_logarithmic(logarithmic) {}

    void add(double value) {
        if (std::isfinite(value) && (!m_logarithmic || value > 0.0)) {
            m_low = std::min(m_low, value);
            m_high = std::max(m_high, value);
        }
    }

    /// With a margin; some range also where there is no data, or a single value.
    [[nodiscard]] Range range() const {
        if (!(m_low <= m_high)) {
            return m_logarithmic ? Range{1.0, 10.0} : Range{0.0, 1.0};
        }
        if (m_logarithmic) {
            const double factor = m_low < m_high ? std::pow(m_high / m_low, kMargin) : 2.0;
            return {m_low / factor, m_high * factor};
        }
        const double width = m_low < m_high ? m_high - m_low : std::max(std::abs(m_low), 1.0);
        // A quantity that is never negative keeps its axis at 0.
        const double low = m_low - kMargin * width;
        return {m_low >= 0.0 ? std::max(low, 0.0) : low, m_high + kMargin * width};
    }

private:
    bool m_logarithmic;
    double m_low = std::numeric_limits<double>::infinity();
    double m_high = -std::numeric_limits<double>::infinity();
};

PlotPoint onEllipse(const PlotEllipse& ellipse, double turn) {
    const double along = ellipse.firstRadius * std::cos(turn);
    const double across = ellipse.secondRadius * std::sin(turn);
    const double cosine = std::cos(ellipse.angle);
    const double sine = std::sin(ellipse.angle);
    return {ellipse.centre.x + along * cosine - across * sine,
            ellipse.centre.y + along * sine + across * cosine};
}

constexpr int kEllipseCorners = 96;

void addAll(const std::vector<PlotPoint>& points, Extent& x, Extent& y) {
    for (const PlotPoint& point : points) {
        x.add(point.x);
        y.add(point.y);
    }
}

void addData(const Plot& plot, Extent& x, Extent& y) {
    for (const PlotBand& band : plot.bands) {
        for (std::size_t i = 0; i < band.x.size(); ++i) {
            addAll({{band.x[i], band.low[i]}, {band.x[i], band.high[i]}}, x, y);
        }
    }
    for (const PlotLine& line : plot.lines) {
        addAll(line.points, x, y);
    }
    for (const PlotPoints& points : plot.points) {
        addAll(points.points, x, y);
    }
    for (const PlotEllipse& ellipse : plot.ellipses) {
        addAll(ellipseOutline(ellipse).points, x, y);
    }
    for (const PlotRule& rule : plot.rules) {
        (rule.horizontal ? y : x).add(rule.at);
    }
}

/// Widens the range whose units are longer until they are equally long on both axes.
void equalise(Range& x, Range& y, double height) {
    const double perX = (PlotFrame::kRight - PlotFrame::kLeft) / (x[1] - x[0]);
    const double perY = height / (y[1] - y[0]);
    Range& wider = perX > perY ? x : y;
    const double factor = std::max(perX, perY) / std::min(perX, perY);
    const double middle = 0.5 * (wider[0] + wider[1]);
    const double half = 0.5 * (wider[1] - wider[0]) * factor;
    wider = {middle - half, middle + half};
}

std::vector<double> linearTicks(Range range) {
    constexpr double kWanted = 6.0;
    const double rough = (range[1] - range[0]) / kWanted;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10.0 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough) {
            step = factor * power;
            break;
        }
    }
    std::vector<double> ticks;
    const auto last = static_cast<std::int64_t>(std::floor(range[1] / step + 1e-9));
    for (auto i = static_cast<std::int64_t>(std::ceil(range[0] / step - 1e-9)); i <= last; ++i) {
        // Through text, so that 3 * 0.1 is 0.3.
        const double value = static_cast<double>(i) * step;
        ticks.push_back(parseNumber(formatSignificant(value, 6), "tick").value_or(value));
    }
    return ticks;
}

std::vector<double> decadeTicks(Range range, std::initializer_list<double> factors) {
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range[0])));
    const int last = static_cast<int>(std::ceil(std::log10(range[1])));
    for (int exponent = first; exponent <= last; ++exponent) {
        for (const double factor : factors) {
            const double value = factor * std::pow(10.0, exponent);
            if (value >= range[0] * (1 - 1e-9) && value <= range[1] * (1 + 1e-9)) {
                ticks.push_back(parseNumber(formatSignificant(value, 3), "tick").value_or(value));
            }
        }
    }
    return ticks;
}

}  // namespace

PlotLine ellipseOutline(const PlotEllipse& ellipse) {
    PlotLine line{ellipse.label, ellipse.colour, {}, ellipse.dash, Marker::none};
    constexpr double kTurn = 6.283185307179586;
    for (int i = 0; i <= kEllipseCorners; ++i) {
        line.points.push_back(onEllipse(ellipse, kTurn * i / kEllipseCorners));
    }
    return line;
}

double PlotFrame::Scale::place(double value) const {
    const double share = logarithmic ? std::log(value / range[0]) / std::log(range[1] / range[0])
                                     : (value - range[0]) / (range[1] - range[0]);
    return start + share * (end - start);
}

bool PlotFrame::Scale::holds(double value) const {
    return std::isfinite(value) && value >= range[0] && value <= range[1];
}

PlotFrame::PlotFrame(const Plot& plot) {
    Extent extentX(plot.x.logarithmic);
    Extent extentY(plot.y.logarithmic);
    addData(plot, extentX, extentY);
    Range x = plot.x.range.value_or(extentX.range());
    Range y = plot.y.range.value_or(extentY.range());
    if (plot.equalAspect) {
        equalise(x, y, plot.frameHeight);
    }
    m_x = {x, plot.x.logarithmic, kLeft, kRight};
    m_y = {y, plot.y.logarithmic, kTop + plot.frameHeight, kTop};
}

bool PlotFrame::holds(const PlotPoint& point) const {
    return m_x.holds(point.x) && m_y.holds(point.y);
}

std::vector<double> plotTicks(std::array<double, 2> range, bool logarithmic) {
    if (!logarithmic) {
        return linearTicks(range);
    }
    constexpr std::size_t kFew = 3;
    std::vector<double> ticks = decadeTicks(range, {1.0});
    if (ticks.size() < kFew) {
        ticks = decadeTicks(range, {1.0, 2.0, 5.0});
    }
    return ticks.size() < 2 ? linearTicks(range) : ticks;
}

}  // namespace epsilens::report
