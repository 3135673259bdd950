#include "core/report/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

constexpr double kMarkerRadius = 3.5;  ///< in pixels

std::string dashAttribute(Dash dash) {
    switch (dash) {
        case Dash::dashed:
            return " stroke-dasharray=\"7,4\"";
        case Dash::dotted:
            return " stroke-dasharray=\"2,3\"";
        case Dash::solid:
            break;
    }
    return {};
}

std::string markerShape(Marker marker, double x, double y, std::string_view colour,
                        double r = kMarkerRadius) {
    switch (marker) {
        case Marker::circle:
            return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", x, y,
                               r, colour);
        case Marker::square:
            return fmt::format(
                "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x - r,
                y - r, 2 * r, 2 * r, colour);
        case Marker::triangle:
            return fmt::format(
                "<polygon points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" "
                "fill=\"{}\"/>\n",
                x, y - 1.2 * r, x - 1.2 * r, y + r, x + 1.2 * r, y + r, colour);
        case Marker::diamond:
            return fmt::format(
                "<polygon points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" "
                "fill=\"{}\"/>\n",
                x, y - 1.4 * r, x + 1.4 * r, y, x, y + 1.4 * r, x - 1.4 * r, y, colour);
        case Marker::triangleDown:
            return fmt::format(
                "<polygon points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" "
                "fill=\"{}\"/>\n",
                x, y + 1.2 * r, x + 1.2 * r, y - r, x - 1.2 * r, y - r, colour);
        case Marker::none:
            break;
    }
    return {};
}

std::string strokedLine(double x1, double y1, double x2, double y2, std::string_view colour,
                        double width, Dash dash = Dash::solid) {
    return fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" "
        "stroke=\"{}\" stroke-width=\"{}\"{}/>\n",
        x1, y1, x2, y2, colour, width, dashAttribute(dash));
}

std::string label(double x, double y, std::string_view anchor, std::string_view text,
                  std::string_view more = {}) {
    return fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" fill=\"#222222\"{}>{}"
        "</text>\n",
        x, y, anchor, more, xmlText(text));
}

/// Where the entries of the legend stand: one below the other beside the frame, in as many columns
/// as they take.
class Legend {
public:
    static constexpr double kSample = 24.0;  ///< width of what stands before a label

    explicit Legend(const Plot& plot)
        : m_rows(std::max(
              1, static_cast<int>((plot.frameHeight + PlotFrame::kBelow - kLowest) / kLine))) {
        add(plot.bands);
        add(plot.rules);
        add(plot.lines);
        add(plot.points);
    }

    /// Of the next entry.
    [[nodiscard]] double left() const {
        const int column = m_next / m_rows;
        return kLeft + m_columnWidth * column;
    }
    [[nodiscard]] double baseline() const { return kTop + kLine * (m_next % m_rows); }
    [[nodiscard]] double labelLeft() const { return left() + kLabelOffset; }
    void advance() { ++m_next; }

    /// Of a picture that has room for all of it.
    [[nodiscard]] double pictureWidth() const {
        const int columns = (m_entries + m_rows - 1) / m_rows;
        return std::max(PlotFrame::kWidth, kLeft + std::ceil(m_columnWidth * columns));
    }

private:
    static constexpr double kLine = 18.0;
    static constexpr double kLeft = PlotFrame::kRight + 14.0;
    static constexpr double kTop = PlotFrame::kTop + 12.0;
    static constexpr double kLowest = 12.0;  ///< below the last line
    static constexpr double kLabelOffset = kSample + 6.0;
    /// Of 11 pixels in DejaVu Sans, the widest of the fonts asked for, on average.
    static constexpr double kLetterWidth = 6.7;

    template <typename Part>
    void add(const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            if (!part.label.empty()) {
                ++m_entries;
                m_columnWidth = std::max(
                    m_columnWidth,
                    kLabelOffset + kLetterWidth * static_cast<double>(displayWidth(part.label)));
            }
        }
    }

    int m_rows;
    int m_entries = 0;
    int m_next = 0;
    double m_columnWidth = 0.0;
};

/// Writes the parts of one plot.
class Drawing {
public:
    explicit Drawing(const Plot& plot) : m_plot(plot), m_frame(plot), m_legend(plot) {}

    [[nodiscard]] std::string render() {
        open();
        axes();
        for (const PlotBand& band : m_plot.bands) {
            draw(band);
        }
        for (const PlotRule& rule : m_plot.rules) {
            draw(rule);
        }
        for (const PlotLine& line : m_plot.lines) {
            draw(line);
        }
        for (const PlotPoints& points : m_plot.points) {
            draw(points);
        }
        for (const PlotLine& line : m_plot.lines) {
            drawNames(line);
        }
        return m_text + "</svg>\n";
    }

private:
    void open() {
        m_text = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
            "height=\"{1}\" role=\"img\" font-family=\"DejaVu Sans, sans-serif\" "
            "font-size=\"12\">\n<title>{2}</title>\n<desc>{3}</desc>\n"
            "<rect x=\"0\" y=\"0\" width=\"{0}\" height=\"{1}\" fill=\"#FFFFFF\"/>\n",
            m_legend.pictureWidth(), m_frame.bottom() + PlotFrame::kBelow, xmlText(m_plot.title),
            xmlText(m_plot.description));
        m_text += label(PlotFrame::kLeft, 20.0, "start", m_plot.title, " font-weight=\"bold\"");
    }

    void axes() {
        constexpr std::string_view kGrid = "#E0E0E0";
        for (const double tick : plotTicks(m_frame.rangeX(), m_plot.x.logarithmic)) {
            const double x = m_frame.x(tick);
            m_text += strokedLine(x, PlotFrame::kTop, x, m_frame.bottom(), kGrid, 1);
            m_text += label(x, m_frame.bottom() + 17.0, "middle", formatNumber(tick));
        }
        for (const double tick : plotTicks(m_frame.rangeY(), m_plot.y.logarithmic)) {
            const double y = m_frame.y(tick);
            m_text += strokedLine(PlotFrame::kLeft, y, PlotFrame::kRight, y, kGrid, 1);
            m_text += label(PlotFrame::kLeft - 7.0, y + 4.0, "end", formatNumber(tick));
        }
        m_text += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\"/>\n",
            PlotFrame::kLeft, PlotFrame::kTop, PlotFrame::kRight - PlotFrame::kLeft,
            m_frame.bottom() - PlotFrame::kTop, kGrey);
        m_text += label(0.5 * (PlotFrame::kLeft + PlotFrame::kRight), m_frame.bottom() + 40.0,
                        "middle", m_plot.x.title);
        const double middle = 0.5 * (PlotFrame::kTop + m_frame.bottom());
        m_text += label(16.0, middle, "middle", m_plot.y.title,
                        fmt::format(" transform=\"rotate(-90 16 {:.2f})\"", middle));
    }

    void draw(const PlotBand& band) {
        std::string forth;
        std::string back;
        for (std::size_t i = 0; i < band.x.size(); ++i) {
            if (m_frame.holds({band.x[i], band.low[i]}) &&
                m_frame.holds({band.x[i], band.high[i]})) {
                forth += corner({band.x[i], band.low[i]});
                back.insert(0, corner({band.x[i], band.high[i]}));
            }
        }
        m_text += fmt::format("<polygon points=\"{}{}\" fill=\"{}\" fill-opacity=\"0.3\"/>\n",
                              forth, back, band.colour);
        if (!band.label.empty()) {
            m_text += fmt::format(
                "<rect x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"10\" "
                "fill=\"{}\" fill-opacity=\"0.3\"/>\n",
                m_legend.left(), m_legend.baseline() - 9.0, Legend::kSample, band.colour);
            legendText(band.label);
        }
    }

    void draw(const PlotRule& rule) {
        const double at = rule.horizontal ? m_frame.y(rule.at) : m_frame.x(rule.at);
        if (rule.horizontal) {
            m_text += strokedLine(PlotFrame::kLeft, at, PlotFrame::kRight, at, rule.colour, 1.5,
                                  rule.dash);
        } else {
            m_text +=
                strokedLine(at, PlotFrame::kTop, at, m_frame.bottom(), rule.colour, 1.5, rule.dash);
        }
        if (!rule.label.empty()) {
            legendLine(rule.colour, rule.dash, Marker::none);
            legendText(rule.label);
        }
    }

    void draw(const PlotLine& line) {
        std::string corners;
        for (const PlotPoint& point : line.points) {
            if (!m_frame.holds(point)) {
                stroke(corners, line);
                continue;
            }
            corners += corner(point);
        }
        stroke(corners, line);
        for (const PlotPoint& point : line.marked.empty() ? line.points : line.marked) {
            if (m_frame.holds(point)) {
                m_text +=
                    markerShape(line.marker, m_frame.x(point.x), m_frame.y(point.y), line.colour);
            }
        }
        if (!line.label.empty()) {
            legendLine(line.colour, line.dash, line.marker);
            legendText(line.label);
        }
    }

    void drawNames(const PlotLine& line) {
        for (std::size_t i = 0; i < std::min(line.names.size(), line.points.size()); ++i) {
            if (m_frame.holds(line.points[i])) {
                drawName(line.names[i], m_frame.x(line.points[i].x), m_frame.y(line.points[i].y));
            }
        }
    }

    /// Below or above a point, right or left of it, where there is room.
    void drawName(const std::string& name, double x, double y) {
        constexpr double kHeight = 11.0;
        constexpr double kLetterWidth = 6.4;
        constexpr double kGap = 6.0;
        const double width = kLetterWidth * static_cast<double>(displayWidth(name));
        for (const double left : {x + kGap, x - kGap - width}) {
            for (const double bottom : {y + kGap + kHeight, y - kGap}) {
                const bool isFree =
                    left >= PlotFrame::kLeft && left + width <= PlotFrame::kRight &&
                    bottom - kHeight >= PlotFrame::kTop && bottom <= m_frame.bottom() &&
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

    void draw(const PlotPoints& points) {
        for (const PlotPoint& point : points.points) {
            if (m_frame.holds(point)) {
                m_text += markerShape(points.marker, m_frame.x(point.x), m_frame.y(point.y),
                                      points.colour, points.radius);
            }
        }
        if (!points.label.empty()) {
            legendMarker(points.marker, points.colour, points.radius);
            legendText(points.label);
        }
    }

    /// Ends a line where it has come to.
    void stroke(std::string& corners, const PlotLine& line) {
        if (!corners.empty()) {
            m_text += fmt::format(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" "
                "stroke-width=\"2\"{}/>\n",
                corners, line.colour, dashAttribute(line.dash));
        }
        corners.clear();
    }

    void legendLine(std::string_view colour, Dash dash, Marker marker) {
        const double y = m_legend.baseline() - 4.0;
        m_text +=
            strokedLine(m_legend.left(), y, m_legend.left() + Legend::kSample, y, colour, 2, dash);
        legendMarker(marker, colour, kMarkerRadius);
    }

    void legendMarker(Marker marker, std::string_view colour, double radius) {
        m_text += markerShape(marker, m_legend.left() + 0.5 * Legend::kSample,
                              m_legend.baseline() - 4.0, colour, radius);
    }

    void legendText(std::string_view text) {
        m_text +=
            label(m_legend.labelLeft(), m_legend.baseline(), "start", text, " font-size=\"11\"");
        m_legend.advance();
    }

    [[nodiscard]] std::string corner(const PlotPoint& point) const {
        return fmt::format("{:.2f},{:.2f} ", m_frame.x(point.x), m_frame.y(point.y));
    }

    const Plot& m_plot;
    std::vector<std::array<double, 3>> m_names{};  ///< left, bottom and width of those drawn
    PlotFrame m_frame;
    Legend m_legend;
    std::string m_text{};
};

}  // namespace

std::string svgPlot(const Plot& plot) {
    return Drawing(plot).render();
}

}  // namespace epsilens::report
