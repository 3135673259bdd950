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

constexpr std::string_view kTextInk = "#222222";

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
        // Without what arithmetic adds to a number of few digits: 3 * 0.1 is 0.3.
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

/// What a label of the legend stands for.
struct Key {
    std::string label{};
    std::string_view colour{};
    bool isArea = false;
    Dash dash = Dash::solid;
    Marker marker = Marker::none;
};

constexpr std::string_view kOpacity = " fill-opacity=\"0.3\"";

void addMarker(Picture& picture, Marker marker, PlotPoint at, std::string_view colour) {
    constexpr double kRadius = 3.5;
    std::vector<PlotPoint> corners = cornersOf(marker);
    for (PlotPoint& corner : corners) {
        corner = {at.x + kRadius * corner.x, at.y + kRadius * corner.y};
    }
    if (!corners.empty()) {
        picture.polygon(corners, colour);
    }
}

/// Draws the parts of one plot.
class PlotDrawing {
public:
    PlotDrawing(const Plot& plot, std::size_t place, Picture& picture, std::vector<Key>& keys)
        : m_plot(plot), m_frame(plot, place), m_picture(picture), m_keys(keys) {}

    void draw() {
        drawAxes();
        for (const PlotBand& band : m_plot.bands) {
            drawBand(band);
        }
        for (const PlotRule& rule : m_plot.rules) {
            const PlotPoint at = placeOf({rule.at, rule.at});
            m_picture.line({rule.isHorizontal ? m_frame.x.start : at.x,
                            rule.isHorizontal ? at.y : PlotFrame::kTop},
                           {rule.isHorizontal ? m_frame.x.end : at.x,
                            rule.isHorizontal ? at.y : PlotFrame::kBottom},
                           rule.colour, 1.5, dashAttribute(rule.dash));
            m_keys.push_back({rule.label, rule.colour, false, rule.dash});
        }
        for (const PlotLine& line : m_plot.lines) {
            drawLine(line);
        }
    }

private:
    void addText(PlotPoint at, std::string_view anchor, std::string_view text,
                 std::string_view more = {}) {
        m_picture.text(at, text, anchor, kTextInk, more);
    }

    [[nodiscard]] PlotPoint placeOf(PlotPoint point) const {
        return {m_frame.x.place(point.x), m_frame.y.place(point.y)};
    }

    void drawAxes() {
        constexpr std::string_view kGrid = "#E0E0E0";
        const PictureArea frame{m_frame.x.start, PlotFrame::kTop, m_frame.x.end,
                                PlotFrame::kBottom};
        addText({frame.left, frame.top - 12.0}, "start", m_plot.title, " font-weight=\"bold\"");
        for (const double tick : plotTicks(m_frame.x.range, m_plot.x.isLogarithmic)) {
            const double x = m_frame.x.place(tick);
            m_picture.line({x, frame.top}, {x, frame.bottom}, kGrid, 1);
            addText({x, frame.bottom + 17.0}, "middle", formatNumber(tick));
        }
        for (const double tick : plotTicks(m_frame.y.range, m_plot.y.isLogarithmic)) {
            const double y = m_frame.y.place(tick);
            m_picture.line({frame.left, y}, {frame.right, y}, kGrid, 1);
            addText({frame.left - 7.0, y + 4.0}, "end", formatNumber(tick));
        }
        m_picture.rectangle(frame, "none", fmt::format(" stroke=\"{}\"", kGrey));
        addText({frame.right, frame.bottom + 33.0}, "end", m_plot.xTitle);
    }

    void drawBand(const PlotBand& band) {
        std::vector<PlotPoint> corners;
        for (std::size_t i = 0; i < band.low.size(); ++i) {
            if (m_frame.holds(band.low[i]) && m_frame.holds(band.high[i])) {
                // Low ends on the way there, high ones on the way back.
                const auto middle = corners.begin() + std::ssize(corners) / 2;
                corners.insert(middle, {placeOf(band.low[i]), placeOf(band.high[i])});
            }
        }
        m_picture.polygon(corners, band.colour, kOpacity);
        m_keys.push_back({band.label, band.colour, true});
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
                addMarker(m_picture, line.marker, placeOf(point), line.colour);
            }
        }
        m_keys.push_back({line.label, line.colour, false, line.dash, line.marker});
    }

    const Plot& m_plot;
    PlotFrame m_frame;
    Picture& m_picture;
    std::vector<Key>& m_keys;
};

/// The legend in columns below the plots; both become larger where it needs that.
void drawLegend(Picture& picture, const std::vector<Key>& keys, double& width, double& height) {
    constexpr double kSample = 24.0;  // width of what stands before a label
    constexpr double kBetween = 6.0;
    constexpr double kLine = 18.0;
    // In DejaVu Sans, the widest of the fonts asked for, on average.
    constexpr double kLetterWidth = 7.4;
    std::vector<const Key*> shown;
    double widest = 0.0;
    for (const Key& key : keys) {
        if (!key.label.empty() && std::ranges::find(shown, key.label, &Key::label) == shown.end()) {
            shown.push_back(&key);
            widest = std::max(widest, static_cast<double>(displayWidth(key.label)));
        }
    }
    const double column = kSample + 3.0 * kBetween + std::ceil(kLetterWidth * widest);
    width = std::max(width, PlotFrame::kLeft + column);
    const auto columns = static_cast<std::size_t>((width - PlotFrame::kLeft) / column);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Key& key = *shown[i];
        const std::size_t row = i / columns;
        const PlotPoint at{PlotFrame::kLeft + column * static_cast<double>(i - columns * row),
                           height + kLine * (0.5 + static_cast<double>(row))};
        if (key.isArea) {
            picture.rectangle({at.x, at.y - 5.0, at.x + kSample, at.y + 5.0}, key.colour, kOpacity);
        } else {
            picture.line(at, {at.x + kSample, at.y}, key.colour, 2, dashAttribute(key.dash));
            addMarker(picture, key.marker, {at.x + 0.5 * kSample, at.y}, key.colour);
        }
        picture.text({at.x + kSample + kBetween, at.y + 4.0}, key.label, "start", kTextInk);
    }
    const std::size_t rows = (shown.size() + columns - 1) / columns;
    height += kLine * static_cast<double>(rows);
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

double PlotScale::place(double value) const {
    const double share = isLogarithmic ? std::log(value / range[0]) / std::log(range[1] / range[0])
                                       : (value - range[0]) / (range[1] - range[0]);
    return start + share * (end - start);
}

bool PlotScale::holds(double value) const {
    return std::isfinite(value) && value >= range[0] && value <= range[1];
}

PlotFrame::PlotFrame(const Plot& plot, std::size_t place) {
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
    const double left = kStep * static_cast<double>(place);
    x = {rangeOf(plot.x, std::move(ofX)), plot.x.isLogarithmic, left + kLeft, left + kRight};
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

std::string svgPlots(const std::vector<Plot>& plots, std::string_view title,
                     std::string_view description) {
    constexpr double kLetters = 13.0;  // 8 points on a page of A4
    constexpr double kBelow = 42.0;    // for the numbers and the title of x
    Picture picture;
    std::vector<Key> keys;
    for (std::size_t place = 0; place < plots.size(); ++place) {
        PlotDrawing(plots[place], place, picture, keys).draw();
    }
    double width = PlotFrame::kStep * static_cast<double>(plots.size());
    double height = PlotFrame::kBottom + kBelow;
    drawLegend(picture, keys, width, height);
    return picture.render(width, height, kLetters, title, description);
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
