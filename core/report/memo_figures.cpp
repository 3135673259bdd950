#include "core/report/memo_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/markup_text.h"
#include "core/report/memo_words.h"
#include "core/report/plot.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using Odds = calibration::Findings::Odds;
using Line = std::vector<PlotPoint>;

// The colours of the dial on paper.
constexpr std::string_view kFarFill = "#F6DEA8";  ///< orange, as light as large areas need
constexpr std::string_view kNearInk = "#2F7DA8";
constexpr std::string_view kInk = "#1A1A1A";
constexpr std::string_view kRule = "#8B95A1";
constexpr std::string_view kOutsideInk = "#B3261E";

constexpr double kLetters = 15.0;  ///< size of the text: 9 points on a page of A4
constexpr double kGap = 5.0;

constexpr PictureArea kPlot{MemoAxis::kLeft, 24.0, MemoAxis::kRight, 100.0};
constexpr double kHeight = kPlot.bottom + 46.0;

/// How wide a text becomes, about: a little more than it is.
double widthOf(std::string_view words) {
    constexpr double kOfLetters = 0.61;  // DejaVu Sans: digits 0.64, small letters 0.57 on average
    return kOfLetters * kLetters * static_cast<double>(displayWidth(words));
}

/// Collects the elements of a drawing in SVG Tiny 1.2, which has no patterns: they are drawn out
/// here.
class MemoCanvas : public Picture {
public:
    /// Vertically centred at y.
    void label(double x, double y, std::string_view words, std::string_view anchor = "start",
               std::string_view colour = kInk, std::string_view more = {}) {
        constexpr double kBaseline = 0.36;  // below the middle of capitals and digits
        text({x, y + kBaseline * kLetters}, words, anchor, colour, more);
    }
    /// Lines across an area, rising to the right or falling.
    void hatch(const PictureArea& area, std::string_view ink, bool rises, double pitch = 8.0,
               double width = 1.0) {
        std::string steps;
        for (int stroke = 0; pitch * stroke < area.width() + area.height(); ++stroke) {
            const double foot = area.left - area.height() + pitch * stroke;
            const double from = std::max(0.0, area.left - foot);
            const double to = std::min(area.height(), area.right - foot);
            const auto y = [&](double along) {
                return rises ? area.bottom - along : area.top + along;
            };
            if (to > from) {
                steps += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", foot + from, y(from),
                                     foot + to, y(to));
            }
        }
        strokes(steps, ink, width);
    }
    /// The area of near words.
    void stripes(const PictureArea& area) {
        rectangle(area, kSky);
        hatch(area, kNearInk, true, 6.0, 1.5);
    }
};

/// Numbers below a drawing; all of them are named where that leaves room.
void drawAxis(MemoCanvas& canvas, const MemoAxis& axis, double top) {
    constexpr double kTick = 5.0;
    constexpr double kBetween = 10.0;
    canvas.line({MemoAxis::kLeft, top}, {MemoAxis::kRight, top}, kGrey, 1.0);
    double used = MemoAxis::kLeft - kBetween;
    const double y = top + kTick + 0.7 * kLetters;
    const double most = MemoAxis::kRight - widthOf("ε") - kBetween;
    for (const double above : plotTicks({axis.low - axis.origin, axis.high - axis.origin}, true)) {
        const double x = axis.x(axis.origin + above);
        canvas.line({x, top}, {x, top + kTick}, kGrey, 1.0);
        const std::string text = formatNumber(axis.origin + above);
        const double half = 0.5 * widthOf(text);
        if (x - half >= used && x + half <= most) {
            canvas.label(x, y, text, "middle", kGrey);
            used = x + half + kBetween;
        }
    }
    canvas.label(MemoAxis::kRight, y, "ε", "end", kGrey);
}

/// The chosen epsilon as a line with its number above it.
void drawCursor(MemoCanvas& canvas, const MemoAxis& axis, double epsilon, double top,
                double bottom) {
    if (!axis.shows(epsilon)) {
        return;
    }
    const double x = axis.x(epsilon);
    // White beside it, so that it stands out from dark and from light areas.
    canvas.line({x, top}, {x, bottom}, "#FFFFFF", 4.0);
    canvas.line({x, top}, {x, bottom}, kInk, 2.0);
    const std::string text = "ε = " + shownNumber(epsilon);
    const double half = 0.5 * widthOf(text);
    canvas.label(std::clamp(x, MemoAxis::kLeft + half, MemoAxis::kRight - half),
                 top - 0.6 * kLetters, text, "middle", kInk, " font-weight=\"bold\"");
}

using Family = std::vector<const Cell*>;

/// The chosen family, else the first.
Family mainFamily(const Report& report, const Findings& findings) {
    const auto& cells = report.run.summary->cells;
    return familyOf(cells, cells[findings.cell.value_or(0)]);
}

/// Settings that the drawings go through: those of the main family, dense where that was measured,
/// rising.
///
/// from  least epsilon of dense ones
Family drawnCells(const Report& report, const Findings& findings, double from = 0.0) {
    if (report.alongAxis.empty()) {
        return mainFamily(report, findings);
    }
    Family cells;
    for (const Cell& cell : report.alongAxis) {
        if (cell.epsilon >= from) {
            cells.push_back(&cell);
        }
    }
    return cells;
}

/// "paris", shortened where a pair of such words has no room beside its ruler.
std::string shortened(std::string word) {
    constexpr std::size_t kMost = 9;
    if (displayWidth(word) <= kMost) {
        return word;
    }
    while (displayWidth(word) >= kMost) {
        word.pop_back();
    }
    return word + "…";
}

/// The ruler of a pair of words.
///
/// cursor  place of the chosen epsilon
void drawRuler(MemoCanvas& canvas, const MemoAxis& axis, const PictureArea& bar, double cursor,
               const std::function<double(double)>& epsilonOf, const std::string& most) {
    canvas.rectangle(bar, "#FFFFFF", fmt::format(" stroke=\"{}\"", kRule));
    const double last = epsilonOf(kLargestUsefulFactor);
    if (last < axis.high) {
        const PictureArea useless{axis.x(std::max(last, axis.low)), bar.top, bar.right, bar.bottom};
        canvas.rectangle(useless, "#E3E6EA");
        canvas.hatch(useless, "#9AA2AB", true);
    } else if (!std::isfinite(last) && !most.empty()) {
        canvas.label(bar.right - kGap, bar.middle(), "never more than " + most, "end");
    }
    double used = bar.left;  // up to where there is text
    for (const auto& [factor, text] : {std::pair(2.0, "×2"), std::pair(10.0, "×10"),
                                       std::pair(1e3, "×10³"), std::pair(1e6, "×10⁶")}) {
        const double epsilon = epsilonOf(factor);
        if (!std::isfinite(epsilon) || !axis.shows(epsilon)) {
            continue;
        }
        const double x = axis.x(epsilon);
        canvas.line({x, bar.top}, {x, bar.bottom}, kInk, 2.0);
        const double left = x - kGap - widthOf(text);
        const bool isCrossed = cursor > left && cursor < x - kGap;
        if (left >= used && !isCrossed) {
            canvas.label(x - kGap, bar.middle(), text, "end");
        }
        used = x + kGap;
    }
}

/// Where the settings lie that miss a limit, half-way to those beside them that do not. None where
/// one of the limits cannot be judged along the axis.
std::vector<PictureArea> outsideOf(const Report& report, const Family& cells,
                                   const MemoAxis& axis) {
    std::vector<PictureArea> zones;
    bool wasOutside = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto checks =
            calibration::checkLimits(report.settings.limits, *cells[i], report.run.summary->draws);
        if (!checks) {
            return {};
        }
        const auto halfWayTo = [&](std::size_t other) {
            return 0.5 * (axis.x(cells[i]->epsilon) +
                          axis.x(cells[std::min(other, cells.size() - 1)]->epsilon));
        };
        const bool isOutside = !calibration::allMet(*checks);
        if (isOutside && !wasOutside) {
            zones.push_back({halfWayTo(i > 0 ? i - 1 : i), kPlot.top, 0.0, kPlot.bottom});
        }
        if (isOutside) {
            zones.back().right = halfWayTo(i + 1);
        }
        wasOutside = isOutside;
    }
    return zones;
}

/// Kept, near and far, stacked from the left end of what was measured to its right end.
void drawAreas(MemoCanvas& canvas, const MemoAxis& axis, const Family& cells) {
    const double half = cells.size() == 1 ? 30.0 : 0.0;  // a setting alone is a column
    Line kept;
    Line both;  // kept or near
    const auto add = [&](const Cell& cell, double shift) {
        const double x = axis.x(cell.epsilon) + shift;
        kept.push_back({x, kPlot.bottom - cell.kept * kPlot.height()});
        both.push_back({x, kPlot.bottom - (cell.kept + cell.near) * kPlot.height()});
    };
    for (const Cell* cell : cells) {
        add(*cell, -half);
    }
    if (half > 0.0) {
        add(*cells.front(), half);
    }
    const PictureArea area{kept.front().x, kPlot.top, kept.back().x, kPlot.bottom};
    const auto closed = [&area](Line line, double edge) {
        line.insert(line.end(), {{area.right, edge}, {area.left, edge}});
        return line;
    };
    // The others lie upon the stripes.
    canvas.stripes(area);
    canvas.polygon(closed(both, area.top), kFarFill);
    canvas.polygon(closed(kept, area.bottom), kBlue);
    if (area.left - kPlot.left > widthOf("not measured")) {
        canvas.label(0.5 * (kPlot.left + area.left), kPlot.middle(), "not measured", "middle",
                     kGrey);
    }
}

/// What the areas are, at the chosen setting with their counts.
void drawKey(MemoCanvas& canvas, const Cell* chosen) {
    constexpr double kSwatch = 22.0;
    constexpr double kLine = 26.0;
    const Hundredths words = chosen != nullptr ? hundredthsOf(*chosen) : Hundredths{};
    double middle = kPlot.middle() - kLine + 12.0;
    canvas.label(0.0, middle - kLine, "of 100 words", "start", kGrey);
    for (const auto& [name, count, fill] :
         {std::tuple("far", words.far, kFarFill), std::tuple("near", words.near, kSky),
          std::tuple("kept", words.kept, kBlue)}) {
        const PictureArea swatch{0.0, middle - 7.0, kSwatch, middle + 7.0};
        if (fill == kSky) {
            canvas.stripes(swatch);
        } else {
            canvas.rectangle(swatch, fill);
        }
        canvas.label(kSwatch + 8.0, middle,
                     chosen != nullptr ? fmt::format("{} {}", count, name) : std::string(name));
        middle += kLine;
    }
}

void drawLimits(MemoCanvas& canvas, const std::vector<PictureArea>& outside) {
    for (const PictureArea& zone : outside) {
        // What is below it shines through.
        canvas.rectangle(zone, "#FFFFFF", " fill-opacity=\"0.4\"");
        canvas.hatch(zone, kOutsideInk, false);
        for (const double x : {zone.left, zone.right}) {
            if (x > kPlot.left + 1.0 && x < kPlot.right - 1.0) {
                canvas.line({x, zone.top}, {x, zone.bottom}, kOutsideInk, 1.5);
            }
        }
    }
}

void drawFrame(MemoCanvas& canvas, const MemoAxis& axis) {
    for (const int percent : {0, 50, 100}) {
        const double y = kPlot.bottom - 0.01 * percent * kPlot.height();
        canvas.label(kPlot.left - 8.0, y, std::to_string(percent), "end", kGrey);
        canvas.line({kPlot.left - 5.0, y}, {kPlot.left, y}, kGrey, 1.0);
    }
    drawAxis(canvas, axis, kPlot.bottom);
    const double ends = kHeight - 9.0;
    canvas.label(kPlot.left, ends, "◂ more private", "start", kGrey);
    canvas.label(kPlot.right, ends, "more useful ▸", "end", kGrey);
}

std::string labelOf(const CalibrationSummary& summary, const Family& family) {
    const std::string text = familyText(summary, *family.front());
    return text.empty() ? "all words" : text;
}

/// Mean of a statistic per family, and the 5th to 95th percentile of that with the chosen setting,
/// else of the first. The drawing names the statistic in words, because it has no subscripts; the
/// caption has the symbol.
Plot statisticPlot(const Report& report, const Findings& findings, std::string_view name,
                   calibration::LimitStatistic statistic, calibration::Summary Cell::*member) {
    const CalibrationSummary& summary = *report.run.summary;
    const Family main = mainFamily(report, findings);
    // The memo's axis may begin lower than the run.
    const Family drawn = drawnCells(report, findings, main.front()->epsilon);
    Plot plot;
    plot.title = fmt::format("{} out of {}", name, formatCount(summary.draws));
    plot.xTitle = "ε, per unit of distance (logarithmic)";
    plot.x.isLogarithmic = true;
    PlotBand band{"90 of 100 words, " + labelOf(summary, main)};
    for (const Cell* cell : drawn) {
        band.low.push_back({cell->epsilon, (cell->*member).p5});
        band.high.push_back({cell->epsilon, (cell->*member).p95});
    }
    plot.bands.push_back(std::move(band));
    const auto meansOf = [member](const Family& family) {
        std::vector<PlotPoint> points;
        for (const Cell* cell : family) {
            points.push_back({cell->epsilon, (cell->*member).mean});
        }
        return points;
    };
    for (const Cell& cell : summary.cells) {
        const Family family = familyOf(summary.cells, cell);
        if (family.front() != &cell) {
            continue;
        }
        PlotLine line = plotLine("mean, " + labelOf(summary, family), plot.lines.size());
        line.points = meansOf(family == main ? drawn : family);
        line.marked = meansOf(family);
        plot.lines.push_back(std::move(line));
    }
    int number = 0;  // by which tables name it, too
    for (const calibration::Limit& limit : report.settings.limits) {
        ++number;
        if (limit.statistic == statistic) {
            plot.rules.push_back({fmt::format("Limit {}", number), kGrey, true,
                                  limit.percent ? 0.01 * limit.value * summary.draws : limit.value,
                                  Dash::dashed});
        }
    }
    if (findings.cell) {
        plot.rules.push_back(
            {"chosen ε", kBlack, false, summary.cells[*findings.cell].epsilon, Dash::dotted});
    }
    return plot;
}

}  // namespace

PairOddsList shownPairs(const Findings& findings) {
    PairOddsList pairs = findings.odds;
    const auto isNearer = [](const Odds& a, const Odds& b) {
        return a.pair.distance < b.pair.distance;
    };
    constexpr std::size_t kMostPairs = 3;
    if (pairs.size() > kMostPairs) {
        std::stable_sort(pairs.begin() + 1, pairs.end(), isNearer);
        pairs = {pairs[0], pairs[1], pairs.back()};
    }
    std::ranges::stable_sort(pairs, isNearer);
    return pairs;
}

double epsilonOfOdds(const mechanism::Guarantee& guarantee, const Cell& cell, double distance,
                     double factor) {
    const double loss = std::log(factor);
    double reach = distance;
    if (guarantee.cap) {
        // A radius that follows from beta shrinks as epsilon grows: the cap is the same for all.
        if (cell.beta && *guarantee.cap <= loss) {
            return std::numeric_limits<double>::infinity();
        }
        if (!cell.beta) {
            reach = std::min(reach, *guarantee.cap / guarantee.epsilon);
        }
    }
    // The factor of the metric exceeds epsilon by the same amount at every epsilon.
    return loss / reach - (guarantee.bound - guarantee.epsilon);
}

double MemoAxis::x(double epsilon) const {
    return PlotScale{{low - origin, high - origin}, true, kLeft, kRight}.place(epsilon - origin);
}

MemoAxis memoAxis(const Report& report, const Findings& findings) {
    constexpr double kFirstFactor = 10.0;
    constexpr double kAroundOne = 4.0;  // on each side of a setting that is the only one
    const calibration::Run& run = report.run;
    MemoAxis axis;
    axis.origin = run.summary->grid.mechanism.epsilonBound(run.provenance.embedding.dimensions);
    const auto cells = drawnCells(report, findings);
    axis.low = cells.front()->epsilon;
    axis.high = cells.back()->epsilon;
    if (findings.cell && !findings.odds.empty()) {
        const double first = epsilonOfOdds(run.summary->guarantees[*findings.cell],
                                           run.summary->cells[*findings.cell],
                                           findings.odds.front().pair.distance, kFirstFactor);
        if (first > axis.origin) {
            axis.low = std::min(axis.low, first);
        }
    }
    if (cells.size() == 1) {
        const double above = cells.front()->epsilon - axis.origin;
        axis.low = std::min(axis.low, axis.origin + above / kAroundOne);
        axis.high = axis.origin + above * kAroundOne;
    }
    return axis;
}

Figure promiseFigure(const Report& report, const Findings& findings, const PairOddsList& pairs) {
    constexpr double kTop = 24.0;  // of the first row: below the number of the chosen epsilon
    constexpr double kRow = 22.0;
    constexpr double kBetween = 7.0;
    constexpr double kBelow = 32.0;  // the last row
    const Cell& cell = report.run.summary->cells[*findings.cell];
    const mechanism::Guarantee& guarantee = report.run.summary->guarantees[*findings.cell];
    const MemoAxis axis = memoAxis(report, findings);
    MemoCanvas canvas;
    double top = kTop;
    for (const Odds& odds : pairs) {
        const PictureArea bar{MemoAxis::kLeft, top, MemoAxis::kRight, top + kRow};
        canvas.label(0.0, bar.middle(),
                     shortened(odds.pair.first) + " ↔ " + shortened(odds.pair.second));
        drawRuler(
            canvas, axis, bar, axis.x(cell.epsilon),
            [&](double factor) {
                return epsilonOfOdds(guarantee, cell, odds.pair.distance, factor);
            },
            guarantee.cap ? oddsWords(*guarantee.cap) : "");
        top += kRow + kBetween;
    }
    const double bottom = top - kBetween;
    drawCursor(canvas, axis, cell.epsilon, kTop - 4.0, bottom + 4.0);
    drawAxis(canvas, axis, bottom + 4.0);
    const std::string description =
        "Left of each mark, the odds change by at most the factor shown; hatched: no useful "
        "bound. Line: the chosen ε.";
    return {description, canvas.render(MemoAxis::kWidth, bottom + kBelow, kLetters,
                                       "What is promised, against ε", description)};
}

Figure shareFigure(const Report& report, const Findings& findings) {
    const Family cells = drawnCells(report, findings);
    const MemoAxis axis = memoAxis(report, findings);
    const Cell* chosen = findings.cell ? &report.run.summary->cells[*findings.cell] : nullptr;
    const std::vector<PictureArea> outside = outsideOf(report, cells, axis);
    MemoCanvas canvas;
    canvas.rectangle(kPlot, "#FFFFFF", fmt::format(" stroke=\"{}\"", kRule));
    drawAreas(canvas, axis, cells);
    drawLimits(canvas, outside);
    drawFrame(canvas, axis);
    drawKey(canvas, chosen);
    if (chosen != nullptr) {
        drawCursor(canvas, axis, chosen->epsilon, kPlot.top - 4.0, kPlot.bottom);
    }
    const std::string caption =
        fmt::format("Of 100 words, each counted once; measured at {}.{}",
                    cells.size() == 1 ? "this ε only"
                                      : fmt::format("{} values of ε", formatCount(cells.size())),
                    outside.empty() ? "" : " Hatched: outside the limits.");
    return {caption, canvas.render(MemoAxis::kWidth, kHeight, kLetters,
                                   "Kept, near and far against ε", caption)};
}

Figure curvesFigure(const Report& report, const Findings& findings) {
    using calibration::LimitStatistic;
    const std::string description = fmt::format(
        "N_w, the kept draws of a word, and S_w, its different outputs, against ε{}.",
        report.alongAxis.empty()
            ? ""
            : fmt::format(", drawn through {} values", formatCount(report.alongAxis.size())));
    return {description,
            svgPlots({statisticPlot(report, findings, "Kept draws", LimitStatistic::nw, &Cell::nw),
                      statisticPlot(report, findings, "Different outputs", LimitStatistic::sw,
                                    &Cell::sw)},
                     "Kept draws and different outputs against ε", description)};
}

}  // namespace epsilens::report
