#include "core/report/memo_canvas.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

constexpr double kPillMargin = 5.0;
constexpr double kDotPitch = 8.0;
constexpr double kDot = 2.0;
constexpr double kStripePitch = 6.0;
constexpr double kHatchPitch = 8.0;
constexpr double kStripe = 1.5;
constexpr double kStep = 0.5;  ///< along a stripe: its ends are right to so much

/// How many steps it takes to come to an end; none where that is passed.
int countOf(double length, double step) {
    return std::max(0, static_cast<int>(std::ceil(length / step)));
}

}  // namespace

void MemoCanvas::rectangle(const PictureArea& area, std::string_view fill,
                           std::string_view stroke) {
    m_elements += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"{}/>\n",
        area.left, area.top, area.width(), area.bottom - area.top, fill,
        stroke.empty() ? std::string() : fmt::format(" stroke=\"{}\"", stroke));
}

void MemoCanvas::veil(const PictureArea& area) {
    m_elements += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#FFFFFF\" "
        "fill-opacity=\"0.4\"/>\n",
        area.left, area.top, area.width(), area.bottom - area.top);
}

void MemoCanvas::polygon(const std::vector<PlotPoint>& corners, std::string_view fill) {
    std::string points;
    for (const PlotPoint& corner : corners) {
        points += fmt::format("{:.2f},{:.2f} ", corner.x, corner.y);
    }
    m_elements += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", points, fill);
}

void MemoCanvas::line(PlotPoint from, PlotPoint to, std::string_view colour, double width) {
    m_elements += fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"/>\n",
        from.x, from.y, to.x, to.y, colour, width);
}

void MemoCanvas::text(double x, double y, std::string_view words, const PictureLetters& letters) {
    constexpr double kBaseline = 0.36;  // below the middle of capitals and digits
    m_elements +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
                    x, y + kBaseline * kLetters, letters.anchor, letters.colour,
                    letters.isStrong ? " font-weight=\"bold\"" : "", xmlText(words));
}

void MemoCanvas::pill(double x, double y, std::string_view words, std::string_view colour) {
    constexpr double kHeight = 18.0;
    const double half = 0.5 * widthOf(words) + kPillMargin;
    m_elements += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{}\" rx=\"3\" "
        "fill=\"#FFFFFF\" fill-opacity=\"0.92\"/>\n",
        x - half, y - 0.5 * kHeight, 2.0 * half, kHeight);
    text(x, y, words, {"middle", colour});
}

void MemoCanvas::dots(const PictureArea& area, std::string_view ink,
                      const std::function<bool(PlotPoint)>& isWithin) {
    std::string steps;
    const int rows = countOf(area.bottom - area.top - 2.0 * kDot, 0.5 * kDotPitch);
    for (int row = 0; row < rows; ++row) {
        const double y = area.top + kDot + 0.5 * kDotPitch * row;
        const double first = area.left + (row % 2 == 0 ? 0.5 : 0.75) * kDotPitch;
        const int columns = countOf(area.right - kDot - first, kDotPitch);
        for (int column = 0; column < columns; ++column) {
            const double x = first + kDotPitch * column;
            // All of it: neither corner may touch what lies below.
            if (isWithin({x, y + kDot}) && isWithin({x + kDot, y + kDot})) {
                steps += fmt::format("M{:.1f} {:.1f}h{}", x, y + 0.5 * kDot, kDot);
            }
        }
    }
    path(steps, ink, kDot);
}

void MemoCanvas::stripes(const PictureArea& area, std::string_view ink,
                         const std::function<bool(PlotPoint)>& isWithin) {
    const double height = area.bottom - area.top;
    std::string steps;
    for (int stripe = 0; stripe < countOf(area.width() + height, kStripePitch); ++stripe) {
        const double foot = area.left - height + kStripePitch * stripe;
        const double from = std::max(0.0, area.left - foot);
        const int pieces = countOf(std::min(height, area.right - foot) - from, kStep);
        const auto at = [&](int piece) {
            const double along = from + kStep * piece;
            return PlotPoint{foot + along, area.bottom - along};
        };
        int begin = -1;
        for (int piece = 0; piece <= pieces; ++piece) {
            const bool isHere = piece < pieces && isWithin(at(piece));
            if (isHere && begin < 0) {
                begin = piece;
            } else if (!isHere && begin >= 0) {
                steps += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", at(begin).x, at(begin).y,
                                     at(piece - 1).x, at(piece - 1).y);
                begin = -1;
            }
        }
    }
    path(steps, ink, kStripe);
}

void MemoCanvas::hatch(const PictureArea& area, std::string_view ink, bool rises) {
    const double height = area.bottom - area.top;
    std::string steps;
    for (int line = 0; line < countOf(area.width() + height, kHatchPitch); ++line) {
        const double foot = area.left - height + kHatchPitch * line;
        const double from = std::max(0.0, area.left - foot);
        const double to = std::min(height, area.right - foot);
        if (from < to) {
            const double low = rises ? area.bottom - from : area.top + from;
            const double high = rises ? area.bottom - to : area.top + to;
            steps += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", foot + from, low, foot + to, high);
        }
    }
    path(steps, ink, 1.0);
}

void MemoCanvas::path(const std::string& steps, std::string_view ink, double width) {
    if (!steps.empty()) {
        m_elements +=
            fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", steps,
                        ink, width);
    }
}

double MemoCanvas::widthOf(std::string_view words) {
    constexpr double kOfLetters = 0.61;  // DejaVu Sans: digits 0.64, small letters 0.57 on average
    return kOfLetters * kLetters * static_cast<double>(displayWidth(words));
}

std::string MemoCanvas::render(double width, double height, std::string_view title,
                               std::string_view description) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"{2}\">\n"
        "<title>{3}</title>\n<desc>{4}</desc>\n{5}</svg>\n",
        width, height, kLetters, xmlText(title), xmlText(description), m_elements);
}

}  // namespace epsilens::report
