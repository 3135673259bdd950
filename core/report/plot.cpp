#include "core/report/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

using Range = std::array<double, 2>;

constexpr double kWidth = 640.0;  ///< the least, where the legend leaves room
constexpr double kBelow = 54.0;   ///< for the numbers and the title of x

/// What the values take up, with a margin; some range also without values.
Range rangeOf(const PlotAxis& axis, std::vector<double> values) {
    constexpr double kMargin = 0.05;  // share of the range on each side of the data
    std::erase_if(values, [&axis](double value) {
        return !std::isfinite(value) || (axis.isLogarithmic && value <= 0.0);
    });
    if (axis.range || values.empty()) {
        return axis.range.value_or(axis.isLogarithmic ? Range{1.0, 10.0} : Range{0.0, 1.0});
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const auto [low, high] = Range{*least, *most};
    if (axis.isLogarithmic) {
        const double factor = low < high ? std::pow(high / low, kMargin) : 2.0;
        return {low / factor, high * factor};
    }
    const double margin = kMargin * (low < high ? high - low : std::max(std::abs(low), 1.0));
    // A quantity that is never negative keeps its axis at 0.
    return {low >= 0.0 ? std::max(low - margin, 0.0) : low - margin, high + margin};
}

/// Without what arithmetic adds to a number of few digits: 3 * 0.1 is 0.3.
double rounded(double value, int digits) {
    return parseNumber(formatSignificant(value, digits), "tick").value_or(value);
}

std::vector<double> linearTicks(Range range) {
    constexpr double kWanted = 6.0;
    const double rough = (range[1] - range[0]) / kWanted;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {2.0, 5.0, 10.0}) {
        step = step >= rough ? step : factor * power;
    }
    std::vector<double> ticks;
    const auto last = static_cast<std::int64_t>(std::floor(range[1] / step + 1e-9));
    for (auto i = static_cast<std::int64_t>(std::ceil(range[0] / step - 1e-9)); i <= last; ++i) {
        ticks.push_back(rounded(static_cast<double>(i) * step, 6));
    }
    return ticks;
}

std::vector<double> decadeTicks(Range range, std::initializer_list<double> factors) {
    std::vector<double> ticks;
    const int last = static_cast<int>(std::ceil(std::log10(range[1])));
    for (int power = static_cast<int>(std::floor(std::log10(range[0]))); power <= last; ++power) {
        for (const double factor : factors) {
            const double value = factor * std::pow(10.0, power);
            if (value >= range[0] * (1 - 1e-9) && value <= range[1] * (1 + 1e-9)) {
                ticks.push_back(rounded(value, 3));
            }
        }
    }
    return ticks;
}

std::string_view dashAttribute(Dash dash) {
    return dash == Dash::dashed   ? " stroke-dasharray=\"7,4\""
           : dash == Dash::dotted ? " stroke-dasharray=\"2,3\""
                                  : "";
}

std::string cornersText(const std::vector<PlotPoint>& corners) {
    std::string text;
    for (const PlotPoint& corner : corners) {
        text += fmt::format("{:.2f},{:.2f} ", corner.x, corner.y);
    }
    return text;
}

/// Corners of a marker around its place, in radii.
std::vector<PlotPoint> cornersOf(Marker marker) {
    switch (marker) {
        case Marker::circle:
            return {{-0.4, -1.0}, {0.4, -1.0}, {1.0, -0.4}, {1.0, 0.4},
                    {0.4, 1.0},   {-0.4, 1.0}, {-1.0, 0.4}, {-1.0, -0.4}};
        case Marker::square:
            return {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
        case Marker::triangle:
            return {{0.0, -1.2}, {-1.2, 1.0}, {1.2, 1.0}};
        case Marker::diamond:
            return {{0.0, -1.4}, {1.4, 0.0}, {0.0, 1.4}, {-1.4, 0.0}};
        case Marker::triangleDown:
            return {{0.0, 1.2}, {-1.2, -1.0}, {1.2, -1.0}};
        case Marker::none:
            break;
    }
    return {};
}

/// Draws the parts of one plot, each with its entry in the legend: one below the other beside the
/// frame.
class Drawing {
public:
    explicit Drawing(const Plot& plot) : m_plot(plot), m_frame(plot) {}

    [[nodiscard]] std::string render() {
        addText({PlotFrame::kLeft, 20.0}, "start", m_plot.title, " font-weight=\"bold\"");
        drawAxes();
        for (const PlotBand& band : m_plot.bands) {
            drawBand(band);
        }
        for (const PlotRule& rule : m_plot.rules) {
            const PlotPoint at = placeOf({rule.at, rule.at});
            m_picture.line({rule.isHorizontal ? PlotFrame::kLeft : at.x,
                            rule.isHorizontal ? at.y : PlotFrame::kTop},
                           {rule.isHorizontal ? PlotFrame::kRight : at.x,
                            rule.isHorizontal ? at.y : PlotFrame::kBottom},
                           rule.colour, 1.5, dashAttribute(rule.dash));
            addLineEntry(rule.label, rule.colour, rule.dash, Marker::none);
        }
        for (const PlotLine& line : m_plot.lines) {
            drawLine(line);
        }
        return m_picture.render(m_width, m_height, 12.0, m_plot.title, m_plot.description);
    }

private:
    static constexpr double kSample = 24.0;  ///< width of what stands before a label of the legend

    void addText(PlotPoint at, std::string_view anchor, std::string_view text,
                 std::string_view more = {}) {
        m_picture.text(at, text, anchor, "#222222", more);
    }

    void addMarker(Marker marker, PlotPoint at, std::string_view colour) {
        constexpr double kRadius = 3.5;
        std::vector<PlotPoint> corners = cornersOf(marker);
        for (PlotPoint& corner : corners) {
            corner = {at.x + kRadius * corner.x, at.y + kRadius * corner.y};
        }
        if (!corners.empty()) {
            m_picture.polygon(corners, colour);
        }
    }

    [[nodiscard]] PlotPoint placeOf(PlotPoint point) const {
        return {m_frame.x.place(point.x), m_frame.y.place(point.y)};
    }

    void drawAxes() {
        constexpr std::string_view kGrid = "#E0E0E0";
        constexpr PictureArea kFrame{PlotFrame::kLeft, PlotFrame::kTop, PlotFrame::kRight,
                                     PlotFrame::kBottom};
        for (const double tick : plotTicks(m_frame.x.range, m_plot.x.isLogarithmic)) {
            const double x = m_frame.x.place(tick);
            m_picture.line({x, kFrame.top}, {x, kFrame.bottom}, kGrid, 1);
            addText({x, kFrame.bottom + 17.0}, "middle", formatNumber(tick));
        }
        for (const double tick : plotTicks(m_frame.y.range, m_plot.y.isLogarithmic)) {
            const double y = m_frame.y.place(tick);
            m_picture.line({kFrame.left, y}, {kFrame.right, y}, kGrid, 1);
            addText({kFrame.left - 7.0, y + 4.0}, "end", formatNumber(tick));
        }
        m_picture.rectangle(kFrame, "none", fmt::format(" stroke=\"{}\"", kGrey));
        addText({0.5 * (kFrame.left + kFrame.right), kFrame.bottom + 40.0}, "middle",
                m_plot.x.title);
        addText({16.0, kFrame.middle()}, "middle", m_plot.y.title,
                fmt::format(" transform=\"rotate(-90 16 {:.2f})\"", kFrame.middle()));
    }

    void drawBand(const PlotBand& band) {
        constexpr std::string_view kOpacity = " fill-opacity=\"0.3\"";
        std::vector<PlotPoint> corners;
        for (std::size_t i = 0; i < band.low.size(); ++i) {
            if (m_frame.holds(band.low[i]) && m_frame.holds(band.high[i])) {
                // Low ends on the way there, high ones on the way back.
                const auto middle = corners.begin() + std::ssize(corners) / 2;
                corners.insert(middle, {placeOf(band.low[i]), placeOf(band.high[i])});
            }
        }
        m_picture.polygon(corners, band.colour, kOpacity);
        if (const auto at = addEntry(band.label)) {
            m_picture.rectangle({at->x, at->y - 5.0, at->x + kSample, at->y + 5.0}, band.colour,
                                kOpacity);
        }
    }

    void drawLine(const PlotLine& line) {
        std::vector<PlotPoint> corners;
        const auto stroke = [&] {
            if (!corners.empty()) {
                m_picture.polyline(std::exchange(corners, {}), line.colour,
                                   dashAttribute(line.dash));
            }
        };
        for (const PlotPoint& point : line.points) {
            if (m_frame.holds(point)) {
                corners.push_back(placeOf(point));
            } else {
                stroke();
            }
        }
        stroke();
        for (const PlotPoint& point : line.marked.empty() ? line.points : line.marked) {
            if (m_frame.holds(point)) {
                addMarker(line.marker, placeOf(point), line.colour);
            }
        }
        addLineEntry(line.label, line.colour, line.dash, line.marker);
    }

    void addLineEntry(const std::string& label, std::string_view colour, Dash dash, Marker marker) {
        if (const auto at = addEntry(label)) {
            m_picture.line(*at, {at->x + kSample, at->y}, colour, 2, dashAttribute(dash));
            addMarker(marker, {at->x + 0.5 * kSample, at->y}, colour);
        }
    }

    /// Writes a label into the legend; the picture gets room for it. Returns the place at its left
    /// for what it stands for; nothing without a label.
    [[nodiscard]] std::optional<PlotPoint> addEntry(const std::string& label) {
        constexpr double kLine = 18.0;
        constexpr double kLeft = PlotFrame::kRight + 14.0;
        constexpr double kLabel = kLeft + kSample + 6.0;
        // Of 11 pixels in DejaVu Sans, the widest of the fonts asked for, on average.
        constexpr double kLetterWidth = 6.7;
        if (label.empty()) {
            return std::nullopt;
        }
        const double y = PlotFrame::kTop + 12.0 + kLine * m_entries++;
        addText({kLabel, y}, "start", label, " font-size=\"11\"");
        m_width = std::max(
            m_width, kLabel + std::ceil(kLetterWidth * static_cast<double>(displayWidth(label))));
        m_height = std::max(m_height, y + 12.0);
        return PlotPoint{kLeft, y - 4.0};
    }

    const Plot& m_plot;
    PlotFrame m_frame;
    int m_entries = 0;  ///< of the legend
    double m_width = kWidth;
    double m_height = PlotFrame::kBottom + kBelow;
    Picture m_picture{};
};

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

double PlotScale::place(double value) const {
    const double share = isLogarithmic ? std::log(value / range[0]) / std::log(range[1] / range[0])
                                       : (value - range[0]) / (range[1] - range[0]);
    return start + share * (end - start);
}

bool PlotScale::holds(double value) const {
    return std::isfinite(value) && value >= range[0] && value <= range[1];
}

PlotFrame::PlotFrame(const Plot& plot) {
    std::vector<double> ofX;
    std::vector<double> ofY;
    const auto add = [&](const std::vector<PlotPoint>& points) {
        for (const PlotPoint& point : points) {
            ofX.push_back(point.x);
            ofY.push_back(point.y);
        }
    };
    for (const PlotBand& band : plot.bands) {
        add(band.low);
        add(band.high);
    }
    for (const PlotLine& line : plot.lines) {
        add(line.points);
    }
    for (const PlotRule& rule : plot.rules) {
        (rule.isHorizontal ? ofY : ofX).push_back(rule.at);
    }
    x = {rangeOf(plot.x, std::move(ofX)), plot.x.isLogarithmic, kLeft, kRight};
    y = {rangeOf(plot.y, std::move(ofY)), plot.y.isLogarithmic, kBottom, kTop};
}

std::vector<double> plotTicks(std::array<double, 2> range, bool isLogarithmic) {
    if (!isLogarithmic) {
        return linearTicks(range);
    }
    constexpr std::size_t kFew = 3;
    std::vector<double> ticks = decadeTicks(range, {1.0});
    if (ticks.size() < kFew) {
        ticks = decadeTicks(range, {1.0, 2.0, 5.0});
    }
    return ticks.size() < 2 ? linearTicks(range) : ticks;
}

std::string svgPlot(const Plot& plot) {
    return Drawing(plot).render();
}

void Picture::rectangle(const PictureArea& area, std::string_view fill, std::string_view more) {
    m_elements += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"{}/>\n",
        area.left, area.top, area.width(), area.height(), fill, more);
}

void Picture::polygon(const std::vector<PlotPoint>& corners, std::string_view fill,
                      std::string_view more) {
    m_elements +=
        fmt::format("<polygon points=\"{}\" fill=\"{}\"{}/>\n", cornersText(corners), fill, more);
}

void Picture::polyline(const std::vector<PlotPoint>& points, std::string_view colour,
                       std::string_view more) {
    m_elements +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                    cornersText(points), colour, more);
}

void Picture::line(PlotPoint from, PlotPoint to, std::string_view colour, double width,
                   std::string_view more) {
    m_elements += fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"{}/>\n",
        from.x, from.y, to.x, to.y, colour, width, more);
}

void Picture::text(PlotPoint at, std::string_view words, std::string_view anchor,
                   std::string_view colour, std::string_view more) {
    m_elements +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
                    at.x, at.y, anchor, colour, more, xmlText(words));
}

void Picture::strokes(const std::string& steps, std::string_view colour, double width) {
    if (!steps.empty()) {
        m_elements +=
            fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", steps,
                        colour, width);
    }
}

std::string Picture::render(double width, double height, double letters, std::string_view title,
                            std::string_view description) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"{2}\">\n"
        "<title>{3}</title>\n<desc>{4}</desc>\n{5}</svg>\n",
        width, height, letters, xmlText(title), xmlText(description), m_elements);
}

}  // namespace epsilens::report
