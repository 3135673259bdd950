#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::Cell;

constexpr PictureArea kPlot{MemoAxis::kLeft, 24.0, MemoAxis::kRight, 120.0};
constexpr double kHeight = kPlot.bottom + 46.0;
constexpr std::string_view kOutsideInk = "#B3261E";

/// A range of epsilons.
struct Span {
    double low = 0.0;
    double high = 0.0;
};

/// Where the settings lie that miss a limit, half-way to those beside them that do not. None where
/// one of the limits cannot be judged along the axis.
std::vector<Span> outsideOf(const Report& report, const std::vector<const Cell*>& cells,
                            double origin) {
    std::vector<Span> spans;
    const auto between = [origin](const Cell& a, const Cell& b) {
        return origin + std::sqrt((a.epsilon - origin) * (b.epsilon - origin));
    };
    bool wasOutside = false;
    for (std::size_t i = 0; i < cells.size() && !report.settings.limits.empty(); ++i) {
        const auto checks =
            calibration::checkLimits(report.settings.limits, *cells[i], report.run.summary->draws);
        if (!checks) {
            return {};
        }
        const bool isOutside = std::any_of(checks->begin(), checks->end(),
                                           [](const auto& check) { return !check.met(); });
        if (isOutside) {
            const double end =
                i + 1 < cells.size() ? between(*cells[i], *cells[i + 1]) : cells[i]->epsilon;
            if (wasOutside) {
                spans.back().high = end;
            } else {
                spans.push_back(
                    {i > 0 ? between(*cells[i - 1], *cells[i]) : cells[i]->epsilon, end});
            }
        }
        wasOutside = isOutside;
    }
    return spans;
}

/// The stacked areas, from the left end of what was measured to its right end.
class Areas {
public:
    Areas(const MemoAxis& axis, const std::vector<const Cell*>& cells) {
        constexpr double kHalfColumn = 30.0;
        for (const Cell* cell : cells) {
            add(axis.x(cell->epsilon), *cell);
        }
        // A setting alone is a column.
        if (cells.size() == 1) {
            const double x = m_kept.front().x;
            m_kept.clear();
            m_both.clear();
            add(x - kHalfColumn, *cells.front());
            add(x + kHalfColumn, *cells.front());
        }
    }

    [[nodiscard]] PictureArea area() const {
        return {m_kept.front().x, kPlot.top, m_kept.back().x, kPlot.bottom};
    }

    void draw(MemoCanvas& canvas) const {
        canvas.rectangle(area(), kFarFill);
        canvas.dots(area(), kFarInk,
                    [this](PlotPoint point) { return point.y < heightAt(m_both, point.x); });
        canvas.polygon(closed(m_both), kNearFill);
        canvas.stripes(area(), kNearInk, [this](PlotPoint point) {
            return point.y >= heightAt(m_both, point.x) && point.y <= heightAt(m_kept, point.x);
        });
        canvas.polygon(closed(m_kept), kKeptFill);
    }

private:
    static double y(double share) { return kPlot.bottom - share * (kPlot.bottom - kPlot.top); }

    void add(double x, const Cell& cell) {
        m_kept.push_back({x, y(cell.kept)});
        m_both.push_back({x, y(cell.kept + cell.near)});
    }

    static std::vector<PlotPoint> closed(std::vector<PlotPoint> line) {
        line.push_back({line.back().x, kPlot.bottom});
        line.push_back({line.front().x, kPlot.bottom});
        return line;
    }

    static double heightAt(const std::vector<PlotPoint>& line, double x) {
        const auto next = std::lower_bound(line.begin(), line.end(), x,
                                           [](const PlotPoint& a, double at) { return a.x < at; });
        if (next == line.begin() || next == line.end()) {
            return next == line.end() ? line.back().y : next->y;
        }
        const PlotPoint& before = *(next - 1);
        return before.y + (next->y - before.y) * (x - before.x) / (next->x - before.x);
    }

    std::vector<PlotPoint> m_kept{};
    std::vector<PlotPoint> m_both{};  ///< kept or near
};

/// What the areas are, at the chosen setting with their counts.
void drawKey(MemoCanvas& canvas, const Cell* chosen) {
    constexpr double kSwatch = 22.0;
    constexpr double kLine = 26.0;
    const Hundredths words =
        chosen != nullptr ? hundredthsOf(chosen->kept, chosen->near, chosen->far) : Hundredths{};
    const std::array names{std::pair{"far", words.far}, std::pair{"near", words.near},
                           std::pair{"kept", words.kept}};
    double middle = kPlot.middle() - kLine + 12.0;
    canvas.text(0.0, middle - kLine,
                chosen != nullptr ? "of 100 words" : "of 100 words:", {"start", kMemoMuted});
    for (std::size_t i = 0; i < names.size(); ++i) {
        const PictureArea swatch{0.0, middle - 7.0, kSwatch, middle + 7.0};
        const auto everywhere = [](PlotPoint) { return true; };
        if (i == 0) {
            canvas.rectangle(swatch, kFarFill);
            canvas.dots(swatch, kFarInk, everywhere);
        } else {
            canvas.rectangle(swatch, i == 1 ? kNearFill : kKeptFill);
            if (i == 1) {
                canvas.stripes(swatch, kNearInk, everywhere);
            }
        }
        canvas.text(kSwatch + 8.0, middle,
                    chosen != nullptr ? fmt::format("{} {}", names.at(i).second, names.at(i).first)
                                      : std::string(names.at(i).first));
        middle += kLine;
    }
}

void drawLimits(MemoCanvas& canvas, const MemoAxis& axis, const std::vector<Span>& outside) {
    const std::string_view text = "outside the limits";
    double widest = MemoCanvas::widthOf(text) + 16.0;
    std::optional<double> place;
    for (const Span& span : outside) {
        const PictureArea zone{axis.x(span.low), kPlot.top, axis.x(span.high), kPlot.bottom};
        canvas.veil(zone);
        canvas.hatch(zone, kOutsideInk, false);
        if (zone.left > kPlot.left + 1.0) {
            canvas.line({zone.left, zone.top}, {zone.left, zone.bottom}, kOutsideInk, 1.5);
        }
        if (zone.right < kPlot.right - 1.0) {
            canvas.line({zone.right, zone.top}, {zone.right, zone.bottom}, kOutsideInk, 1.5);
        }
        if (zone.width() > widest) {
            widest = zone.width();
            place = 0.5 * (zone.left + zone.right);
        }
    }
    if (place) {
        canvas.pill(*place, kPlot.top + 16.0, text, kOutsideInk);
    }
}

void drawFrame(MemoCanvas& canvas, const MemoAxis& axis) {
    for (const int percent : {0, 50, 100}) {
        const double y = kPlot.bottom - 0.01 * percent * (kPlot.bottom - kPlot.top);
        canvas.text(kPlot.left - 8.0, y, std::to_string(percent), {"end", kMemoMuted});
        canvas.line({kPlot.left - 5.0, y}, {kPlot.left, y}, kMemoMuted, 1.0);
    }
    drawAxis(canvas, axis, kPlot.bottom);
    const double ends = kHeight - 9.0;
    canvas.text(kPlot.left, ends, "◂ more private", {"start", kMemoMuted});
    canvas.text(kPlot.right, ends, "more useful ▸", {"end", kMemoMuted});
}

std::string captionOf(const Report& report, const std::vector<const Cell*>& cells) {
    return fmt::format(
        "Of 100 words, each counted once: kept, one of the {} nearest, or farther; measured at {}.",
        formatCount(report.run.summary->nearNeighbours),
        cells.size() == 1
            ? std::string("this ε only")
            : fmt::format("{} values of ε", formatCount(static_cast<std::int64_t>(cells.size()))));
}

}  // namespace

Figure shareFigure(const Report& report, const Findings& findings) {
    const std::vector<const Cell*> cells = drawnCells(report, findings);
    const MemoAxis axis = memoAxis(report, findings);
    const Cell* chosen = findings.cell ? &report.run.summary->cells[*findings.cell] : nullptr;
    const std::vector<Span> outside = outsideOf(report, cells, axis.origin);
    const Areas areas(axis, cells);
    MemoCanvas canvas;
    canvas.rectangle(kPlot, "#FFFFFF", kMemoRule);
    areas.draw(canvas);
    if (const PictureArea measured = areas.area();
        measured.left - kPlot.left > MemoCanvas::widthOf("not measured")) {
        canvas.text(0.5 * (kPlot.left + measured.left), kPlot.middle(), "not measured",
                    {"middle", kMemoMuted});
    }
    drawLimits(canvas, axis, outside);
    drawFrame(canvas, axis);
    drawKey(canvas, chosen);
    if (chosen != nullptr) {
        drawCursor(canvas, axis, chosen->epsilon, kPlot.top - 4.0, kPlot.bottom);
    }
    const std::string caption = captionOf(report, cells);
    return {caption,
            canvas.render(MemoAxis::kWidth, kHeight, "Kept, near and far against ε",
                          outside.empty() ? caption : caption + " Hatched: outside the limits."),
            {}};
}

}  // namespace epsilens::report
