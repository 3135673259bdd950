#include "core/report/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

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
    for (const PlotRule& rule : plot.rules) {
        (rule.horizontal ? y : x).add(rule.at);
    }
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

PlotLine plotLine(std::string label, std::size_t place) {
    constexpr std::array kColours{kBlue, kVermillion, kGreen, kPurple, kBlack};
    constexpr std::array kMarkers{Marker::circle, Marker::square, Marker::triangle, Marker::diamond,
                                  Marker::triangleDown};
    constexpr std::array kDashes{Dash::solid, Dash::dashed, Dash::dotted};
    static_assert(kColours.size() == kMarkers.size());
    return {std::move(label),
            kColours.at(place % kColours.size()),
            {},
            kDashes.at(place / kColours.size() % kDashes.size()),
            kMarkers.at(place % kMarkers.size())};
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
    m_x = {plot.x.range.value_or(extentX.range()), plot.x.logarithmic, kLeft, kRight};
    m_y = {plot.y.range.value_or(extentY.range()), plot.y.logarithmic, kTop + plot.frameHeight,
           kTop};
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
