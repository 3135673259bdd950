#include "core/report/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

constexpr double kMarkerRadius = 3.5;  ///< in pixels
constexpr double kSample = 24.0;       ///< width of what stands before a label of the legend

std::string_view dashAttribute(Dash dash) {
    return dash == Dash::dashed   ? " stroke-dasharray=\"7,4\""
           : dash == Dash::dotted ? " stroke-dasharray=\"2,3\""
                                  : "";
}

std::string markerShape(Marker marker, double x, double y, std::string_view colour, double r) {
    const auto polygon = [&](std::vector<PlotPoint> corners) {
        for (PlotPoint& corner : corners) {
            corner = {x + r * corner.x, y + r * corner.y};
        }
        return svgPolygon(corners, colour);
    };
    switch (marker) {
        case Marker::circle:
            return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", x, y,
                               r, colour);
        case Marker::square:
            return svgRectangle({x - r, y - r, x + r, y + r}, colour);
        case Marker::triangle:
            return polygon({{0.0, -1.2}, {-1.2, 1.0}, {1.2, 1.0}});
        case Marker::diamond:
            return polygon({{0.0, -1.4}, {1.4, 0.0}, {0.0, 1.4}, {-1.4, 0.0}});
        case Marker::triangleDown:
            return polygon({{0.0, 1.2}, {-1.2, -1.0}, {1.2, -1.0}});
        case Marker::none:
            break;
    }
    return {};
}

/// Draws the parts of one plot.
class Drawing {
public:
    explicit Drawing(const Plot& plot) : m_plot(plot), m_frame(plot) {}

    [[nodiscard]] std::string render() {
        m_text = label(PlotFrame::kLeft, 20.0, "start", m_plot.title, " font-weight=\"bold\"");
        axes();
        const auto drawAll = [this](const auto& parts) {
            for (const auto& part : parts) {
                draw(part);
            }
        };
        drawAll(m_plot.bands);
        drawAll(m_plot.rules);
        drawAll(m_plot.lines);
        drawAll(m_plot.points);
        for (const PlotLine& line : m_plot.lines) {
            for (std::size_t i = 0; i < std::min(line.names.size(), line.points.size()); ++i) {
                drawName(line.names[i], line.points[i]);
            }
        }
        const double width = legend();
        const double height = m_frame.bottom() + PlotFrame::kBelow;
        return svgDocument(width, height, 12.0, m_plot.title, m_plot.description,
                           svgRectangle({0.0, 0.0, width, height}, "#FFFFFF") + m_text);
    }

private:
    /// What stands before a label, from a place at its left on.
    using Sample = std::function<std::string(PlotPoint)>;

    static std::string label(double x, double y, std::string_view anchor, std::string_view text,
                             std::string_view more = {}) {
        return svgText(x, y, text, anchor, "#222222", more);
    }

    [[nodiscard]] PlotPoint placeOf(PlotPoint point) const {
        return {m_frame.x(point.x), m_frame.y(point.y)};
    }

    void axes() {
        constexpr std::string_view kGrid = "#E0E0E0";
        const PictureArea frame{PlotFrame::kLeft, PlotFrame::kTop, PlotFrame::kRight,
                                m_frame.bottom()};
        for (const double tick : plotTicks(m_frame.rangeX(), m_plot.x.logarithmic)) {
            const double x = m_frame.x(tick);
            m_text += svgLine({x, frame.top}, {x, frame.bottom}, kGrid, 1);
            m_text += label(x, frame.bottom + 17.0, "middle", formatNumber(tick));
        }
        for (const double tick : plotTicks(m_frame.rangeY(), m_plot.y.logarithmic)) {
            const double y = m_frame.y(tick);
            m_text += svgLine({frame.left, y}, {frame.right, y}, kGrid, 1);
            m_text += label(frame.left - 7.0, y + 4.0, "end", formatNumber(tick));
        }
        m_text += svgRectangle(frame, "none", fmt::format(" stroke=\"{}\"", kGrey));
        m_text +=
            label(0.5 * (frame.left + frame.right), frame.bottom + 40.0, "middle", m_plot.x.title);
        m_text += label(16.0, frame.middle(), "middle", m_plot.y.title,
                        fmt::format(" transform=\"rotate(-90 16 {:.2f})\"", frame.middle()));
    }

    void draw(const PlotBand& band) {
        static constexpr std::string_view kOpacity = " fill-opacity=\"0.3\"";
        std::vector<PlotPoint> corners;
        for (std::size_t i = 0; i < band.x.size(); ++i) {
            const PlotPoint low{band.x[i], band.low[i]};
            const PlotPoint high{band.x[i], band.high[i]};
            if (m_frame.holds(low) && m_frame.holds(high)) {
                // Low ends on the way there, high ones on the way back.
                const auto middle = corners.begin() + std::ssize(corners) / 2;
                corners.insert(middle, {placeOf(low), placeOf(high)});
            }
        }
        m_text += svgPolygon(corners, band.colour, kOpacity);
        name(band.label, [&band](PlotPoint at) {
            return svgRectangle({at.x, at.y - 5.0, at.x + kSample, at.y + 5.0}, band.colour,
                                kOpacity);
        });
    }

    void draw(const PlotRule& rule) {
        m_text += rule.horizontal ? svgLine({PlotFrame::kLeft, m_frame.y(rule.at)},
                                            {PlotFrame::kRight, m_frame.y(rule.at)}, rule.colour,
                                            1.5, dashAttribute(rule.dash))
                                  : svgLine({m_frame.x(rule.at), PlotFrame::kTop},
                                            {m_frame.x(rule.at), m_frame.bottom()}, rule.colour,
                                            1.5, dashAttribute(rule.dash));
        nameLine(rule.label, rule.colour, rule.dash, Marker::none);
    }

    void draw(const PlotLine& line) {
        std::string corners;
        const auto stroke = [&] {
            if (!corners.empty()) {
                m_text += fmt::format(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                    std::exchange(corners, {}), line.colour, dashAttribute(line.dash));
            }
        };
        for (const PlotPoint& point : line.points) {
            if (m_frame.holds(point)) {
                corners += fmt::format("{:.2f},{:.2f} ", placeOf(point).x, placeOf(point).y);
            } else {
                stroke();
            }
        }
        stroke();
        mark(line.marked.empty() ? line.points : line.marked, line.marker, line.colour,
             kMarkerRadius);
        nameLine(line.label, line.colour, line.dash, line.marker);
    }

    void draw(const PlotPoints& points) {
        mark(points.points, points.marker, points.colour, points.radius);
        name(points.label, [&points](PlotPoint at) {
            return markerShape(points.marker, at.x + 0.5 * kSample, at.y, points.colour,
                               points.radius);
        });
    }

    void mark(const std::vector<PlotPoint>& points, Marker marker, std::string_view colour,
              double radius) {
        for (const PlotPoint& point : points) {
            if (m_frame.holds(point)) {
                m_text += markerShape(marker, placeOf(point).x, placeOf(point).y, colour, radius);
            }
        }
    }

    /// Below or above a point, right or left of it, where there is room.
    void drawName(const std::string& name, PlotPoint point) {
        constexpr double kHeight = 11.0;
        constexpr double kLetterWidth = 6.4;
        constexpr double kGap = 6.0;
        const auto [x, y] = placeOf(point);
        const double width = kLetterWidth * static_cast<double>(displayWidth(name));
        for (const double left : {x + kGap, x - kGap - width}) {
            for (const double bottom : {y + kGap + kHeight, y - kGap}) {
                const bool isFree =
                    m_frame.holds(point) && left >= PlotFrame::kLeft &&
                    left + width <= PlotFrame::kRight && bottom - kHeight >= PlotFrame::kTop &&
                    bottom <= m_frame.bottom() &&
                    std::none_of(m_names.begin(), m_names.end(), [&](const auto& other) {
                        return left < other[0] + other[2] && other[0] < left + width &&
                               std::abs(bottom - other[1]) < kHeight;
                    });
                if (isFree) {
                    m_names.push_back({left, bottom, width});
                    m_text += label(left, bottom, "start", name, " font-size=\"10\"");
                    return;
                }
            }
        }
    }

    void nameLine(const std::string& label, std::string_view colour, Dash dash, Marker marker) {
        name(label, [=](PlotPoint at) {
            return svgLine(at, {at.x + kSample, at.y}, colour, 2, dashAttribute(dash)) +
                   markerShape(marker, at.x + 0.5 * kSample, at.y, colour, kMarkerRadius);
        });
    }

    void name(const std::string& label, Sample sample) {
        if (!label.empty()) {
            m_legend.emplace_back(label, std::move(sample));
        }
    }

    /// One entry below the other beside the frame, in as many columns as they take. Returns the
    /// width of a picture that has room for all of it.
    [[nodiscard]] double legend() {
        constexpr double kLine = 18.0;
        constexpr double kLeft = PlotFrame::kRight + 14.0;
        constexpr double kLowest = 12.0;  // below the last line
        constexpr double kLabelOffset = kSample + 6.0;
        // Of 11 pixels in DejaVu Sans, the widest of the fonts asked for, on average.
        constexpr double kLetterWidth = 6.7;
        double columnWidth = 0.0;
        for (const auto& [text, sample] : m_legend) {
            columnWidth = std::max(
                columnWidth, kLabelOffset + kLetterWidth * static_cast<double>(displayWidth(text)));
        }
        const std::size_t rows = std::max<std::size_t>(
            1,
            static_cast<std::size_t>((m_plot.frameHeight + PlotFrame::kBelow - kLowest) / kLine));
        for (std::size_t i = 0; i < m_legend.size(); ++i) {
            const std::size_t before = i / rows;
            const double x = kLeft + columnWidth * static_cast<double>(before);
            const double y = PlotFrame::kTop + 12.0 + kLine * static_cast<double>(i % rows);
            m_text += m_legend[i].second({x, y - 4.0});
            m_text += label(x + kLabelOffset, y, "start", m_legend[i].first, " font-size=\"11\"");
        }
        const std::size_t columns = (m_legend.size() + rows - 1) / rows;
        return std::max(PlotFrame::kWidth,
                        kLeft + std::ceil(columnWidth * static_cast<double>(columns)));
    }

    const Plot& m_plot;
    PlotFrame m_frame;
    std::vector<std::array<double, 3>> m_names{};  ///< left, bottom and width of those drawn
    std::vector<std::pair<std::string, Sample>> m_legend{};
    std::string m_text{};
};

}  // namespace

std::string svgPlot(const Plot& plot) {
    return Drawing(plot).render();
}

std::string svgRectangle(const PictureArea& area, std::string_view fill, std::string_view more) {
    return fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"{}/>\n",
        area.left, area.top, area.width(), area.height(), fill, more);
}

std::string svgPolygon(const std::vector<PlotPoint>& corners, std::string_view fill,
                       std::string_view more) {
    std::string points;
    for (const PlotPoint& corner : corners) {
        points += fmt::format("{:.2f},{:.2f} ", corner.x, corner.y);
    }
    return fmt::format("<polygon points=\"{}\" fill=\"{}\"{}/>\n", points, fill, more);
}

std::string svgLine(PlotPoint from, PlotPoint to, std::string_view colour, double width,
                    std::string_view more) {
    return fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"{}/>\n",
        from.x, from.y, to.x, to.y, colour, width, more);
}

std::string svgText(double x, double y, std::string_view text, std::string_view anchor,
                    std::string_view colour, std::string_view more) {
    return fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y,
        anchor, colour, more, xmlText(text));
}

std::string svgDocument(double width, double height, double letters, std::string_view title,
                        std::string_view description, std::string_view elements) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"{2}\">\n"
        "<title>{3}</title>\n<desc>{4}</desc>\n{5}</svg>\n",
        width, height, letters, xmlText(title), xmlText(description), elements);
}

}  // namespace epsilens::report
