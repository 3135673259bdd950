#include "core/report/memo_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/markup_text.h"
#include "core/report/memo_words.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"
#include "core/report/svg_plot.h"

namespace epsilens::report {
namespace {

using Odds = calibration::Findings::Odds;

// The colours of the dial on paper.
constexpr std::string_view kFarFill = "#F6DEA8";  ///< orange, as light as large areas need
constexpr std::string_view kInk = "#1A1A1A";
constexpr std::string_view kRule = "#8B95A1";
constexpr std::string_view kOutsideInk = "#B3261E";

constexpr double kLetters = 15.0;  ///< size of the text: 9 points on a page of A4
constexpr double kGap = 5.0;

/// How many steps it takes to come to an end; none where that is passed.
int countOf(double length, double step) {
    return std::max(0, static_cast<int>(std::ceil(length / step)));
}

/// How wide a text becomes, about: a little more than it is.
double widthOf(std::string_view words) {
    constexpr double kOfLetters = 0.61;  // DejaVu Sans: digits 0.64, small letters 0.57 on average
    return kOfLetters * kLetters * static_cast<double>(displayWidth(words));
}

/// Collects the elements of a drawing in SVG Tiny 1.2, which has neither patterns nor clipping:
/// both are drawn out here.
class MemoCanvas {
public:
    using IsWithin = std::function<bool(PlotPoint)>;

    void rectangle(const PictureArea& area, std::string_view fill, std::string_view more = {}) {
        m_elements += svgRectangle(area, fill, more);
    }
    void polygon(const std::vector<PlotPoint>& corners, std::string_view fill) {
        m_elements += svgPolygon(corners, fill);
    }
    void line(PlotPoint from, PlotPoint to, std::string_view colour, double width) {
        m_elements += svgLine(from, to, colour, width);
    }
    /// Vertically centred at y.
    void text(double x, double y, std::string_view words, std::string_view anchor = "start",
              std::string_view colour = kInk, std::string_view more = {}) {
        constexpr double kBaseline = 0.36;  // below the middle of capitals and digits
        m_elements += svgText(x, y + kBaseline * kLetters, words, anchor, colour, more);
    }
    /// On a light ground, centred.
    void pill(double x, double y, std::string_view words, std::string_view colour = kInk) {
        constexpr double kHalfHeight = 9.0;
        const double half = 0.5 * widthOf(words) + kGap;
        rectangle({x - half, y - kHalfHeight, x + half, y + kHalfHeight}, "#FFFFFF",
                  " rx=\"3\" fill-opacity=\"0.92\"");
        text(x, y, words, "middle", colour);
    }

    /// Small squares wherever they lie within.
    void dots(const PictureArea& area, std::string_view ink, const IsWithin& isWithin) {
        constexpr double kPitch = 8.0;
        constexpr double kDot = 2.0;
        std::string steps;
        for (int row = 0; row < countOf(area.height() - 2.0 * kDot, 0.5 * kPitch); ++row) {
            const double y = area.top + kDot + 0.5 * kPitch * row;
            const double first = area.left + (row % 2 == 0 ? 0.5 : 0.75) * kPitch;
            for (int column = 0; column < countOf(area.right - kDot - first, kPitch); ++column) {
                const double x = first + kPitch * column;
                // All of it: neither corner may touch what lies below.
                if (isWithin({x, y + kDot}) && isWithin({x + kDot, y + kDot})) {
                    steps += fmt::format("M{:.1f} {:.1f}h{}", x, y + 0.5 * kDot, kDot);
                }
            }
        }
        path(steps, ink, kDot);
    }

    /// Strokes across an area, wherever they lie within.
    ///
    /// rises  to the right, else they fall
    void strokes(const PictureArea& area, std::string_view ink, bool rises, double pitch,
                 double width, const IsWithin& isWithin) {
        constexpr double kStep = 0.5;  // along a stroke: its ends are right to so much
        std::string steps;
        for (int stroke = 0; stroke < countOf(area.width() + area.height(), pitch); ++stroke) {
            const double foot = area.left - area.height() + pitch * stroke;
            const double from = std::max(0.0, area.left - foot);
            const int pieces = countOf(std::min(area.height(), area.right - foot) - from, kStep);
            const auto at = [&](int piece) {
                const double along = from + kStep * piece;
                return PlotPoint{foot + along, rises ? area.bottom - along : area.top + along};
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
        path(steps, ink, width);
    }
    void stripes(const PictureArea& area, const IsWithin& isWithin) {
        strokes(area, kNearInk, true, 6.0, 1.5, isWithin);
    }
    void hatch(const PictureArea& area, std::string_view ink, bool rises) {
        strokes(area, ink, rises, 8.0, 1.0, [](PlotPoint) { return true; });
    }

    /// The whole drawing, of the width of the memo.
    [[nodiscard]] std::string render(double height, std::string_view title,
                                     std::string_view description) const {
        return svgDocument(MemoAxis::kWidth, height, kLetters, title, description, m_elements);
    }

private:
    void path(const std::string& steps, std::string_view ink, double width) {
        if (!steps.empty()) {
            m_elements +=
                fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                            steps, ink, width);
        }
    }

    std::string m_elements{};
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
            canvas.text(x, y, text, "middle", kGrey);
            used = x + half + kBetween;
        }
    }
    canvas.text(MemoAxis::kRight, y, "ε", "end", kGrey);
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
    canvas.text(std::clamp(x, MemoAxis::kLeft + half, MemoAxis::kRight - half),
                top - 0.6 * kLetters, text, "middle", kInk, " font-weight=\"bold\"");
}

/// Settings that the drawings go through: those of the chosen family, else of the first, rising.
std::vector<const Cell*> drawnCells(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.run.summary;
    const Cell& one = summary.cells[findings.cell.value_or(0)];
    std::vector<const Cell*> cells;
    for (const Cell& cell : report.alongAxis.empty() ? summary.cells : report.alongAxis) {
        const bool isOfFamily = cell.lambda == one.lambda && cell.beta == one.beta &&
                                (one.beta || cell.gamma == one.gamma);
        if (!report.alongAxis.empty() || isOfFamily) {
            cells.push_back(&cell);
        }
    }
    std::stable_sort(cells.begin(), cells.end(),
                     [](const Cell* a, const Cell* b) { return a->epsilon < b->epsilon; });
    return cells;
}

struct Mark {
    double factor = 2.0;
    std::string_view text{};
    std::string_view shortText{};
};
constexpr std::array kMarks{Mark{2.0, "×2", "×2"}, Mark{10.0, "×10", "×10"},
                            Mark{1e3, "×1,000", "×10³"},
                            Mark{kLargestUsefulFactor, "×1,000,000", "×10⁶"}};

/// "paris ↔ london", shortened in the words where there is no room.
std::string nameOf(const calibration::PairDistance& pair) {
    constexpr std::size_t kMostLetters = 20;
    const auto shortened = [](const std::string& word) {
        constexpr std::size_t kMost = (kMostLetters - 3) / 2;
        if (displayWidth(word) <= kMost) {
            return word;
        }
        std::size_t end = word.size();
        while (displayWidth(std::string_view(word).substr(0, end)) >= kMost) {
            --end;
        }
        // Not within a letter.
        while ((static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) {
            ++end;
        }
        return word.substr(0, end) + "…";
    };
    const std::string whole = pair.first + " ↔ " + pair.second;
    return displayWidth(whole) <= kMostLetters
               ? whole
               : shortened(pair.first) + " ↔ " + shortened(pair.second);
}

/// The ruler of a pair of words.
class Ruler {
public:
    Ruler(MemoCanvas& canvas, const MemoAxis& axis, const PictureArea& bar, double cursor)
        : m_canvas(canvas), m_axis(axis), m_bar(bar), m_cursor(cursor), m_used(bar.left) {}

    void draw(const mechanism::Guarantee& guarantee, const Cell& cell, double distance) {
        std::array<double, kMarks.size()> epsilons{};
        for (std::size_t i = 0; i < kMarks.size(); ++i) {
            epsilons.at(i) = epsilonOfOdds(guarantee, cell, distance, kMarks.at(i).factor);
        }
        m_canvas.rectangle(m_bar, "#FFFFFF", fmt::format(" stroke=\"{}\"", kRule));
        const bool isBounded = !std::isfinite(epsilons.back());
        const double from = isBounded ? m_bar.right
                            : epsilons.back() <= m_axis.low
                                ? m_bar.left
                                : std::min(m_axis.x(epsilons.back()), m_bar.right);
        unbounded(from);
        beforeTheAxis(epsilons, from);
        for (std::size_t i = 0; i < kMarks.size(); ++i) {
            if (std::isfinite(epsilons.at(i)) && m_axis.shows(epsilons.at(i))) {
                draw(kMarks.at(i), m_axis.x(epsilons.at(i)));
            }
        }
        if (isBounded && guarantee.cap) {
            m_canvas.text(m_bar.right - kGap, m_bar.middle(),
                          "never more than " + oddsWords(*guarantee.cap), "end");
        }
    }

private:
    void draw(const Mark& mark, double x) {
        m_canvas.line({x, m_bar.top}, {x, m_bar.bottom}, kInk, 2.0);
        for (const std::string_view text : {mark.text, mark.shortText}) {
            const double left = x - kGap - widthOf(text);
            const bool isCrossed = m_cursor > left && m_cursor < x - kGap;
            if (left >= m_used && !isCrossed) {
                m_canvas.text(x - kGap, m_bar.middle(), text, "end");
                break;
            }
        }
        m_used = x + kGap;
    }

    /// The last mark at the left of the axis.
    void beforeTheAxis(const std::array<double, kMarks.size()>& epsilons, double next) {
        std::string text;
        for (std::size_t i = 0; i < kMarks.size(); ++i) {
            if (epsilons.at(i) > m_axis.origin && epsilons.at(i) < m_axis.low) {
                text = fmt::format("◂ {} at {}", kMarks.at(i).text, shownAtLeast(epsilons.at(i)));
            } else if (m_axis.shows(epsilons.at(i))) {
                next = m_axis.x(epsilons.at(i)) - 2.0 * kGap - widthOf(kMarks.at(i).shortText);
                break;
            }
        }
        const double width = widthOf(text);
        if (!text.empty() && m_bar.left + kGap + width < next) {
            m_canvas.text(m_bar.left + kGap, m_bar.middle(), text, "start", kGrey);
            m_used = m_bar.left + 2.0 * kGap + width;
        }
    }

    void unbounded(double from) {
        const PictureArea zone{from, m_bar.top, m_bar.right, m_bar.bottom};
        if (zone.width() < 1.0) {
            return;
        }
        m_canvas.rectangle(zone, "#E3E6EA");
        m_canvas.hatch(zone, "#9AA2AB", true);
        // Not across the line of the chosen epsilon: at its right where there is room.
        const std::string_view text = "no useful bound";
        const double wanted = widthOf(text) + 4.0 * kGap;
        const double begin = std::max(from, m_cursor);
        if (m_bar.right - begin > wanted) {
            m_canvas.pill(0.5 * (begin + m_bar.right), m_bar.middle(), text);
        } else if (m_cursor - from > wanted) {
            m_canvas.pill(0.5 * (from + m_cursor), m_bar.middle(), text);
        }
    }

    MemoCanvas& m_canvas;
    const MemoAxis& m_axis;
    PictureArea m_bar;
    double m_cursor;
    double m_used;  ///< up to where there is text
};

constexpr PictureArea kPlot{MemoAxis::kLeft, 24.0, MemoAxis::kRight, 120.0};
constexpr double kHeight = kPlot.bottom + 46.0;

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
        if (isOutside && !wasOutside) {
            spans.push_back({i > 0 ? between(*cells[i - 1], *cells[i]) : cells[i]->epsilon});
        }
        if (isOutside) {
            spans.back().high =
                i + 1 < cells.size() ? between(*cells[i], *cells[i + 1]) : cells[i]->epsilon;
        }
        wasOutside = isOutside;
    }
    return spans;
}

/// Height of a line at a place between its points.
double heightAt(const std::vector<PlotPoint>& line, double x) {
    const auto next = std::lower_bound(line.begin(), line.end(), x,
                                       [](const PlotPoint& a, double at) { return a.x < at; });
    if (next == line.begin() || next == line.end()) {
        return next == line.end() ? line.back().y : next->y;
    }
    const PlotPoint& before = *(next - 1);
    return before.y + (next->y - before.y) * (x - before.x) / (next->x - before.x);
}

/// Kept, near and far, stacked from the left end of what was measured to its right end.
void drawAreas(MemoCanvas& canvas, const MemoAxis& axis, const std::vector<const Cell*>& cells) {
    constexpr double kHalfColumn = 30.0;
    std::vector<PlotPoint> kept;
    std::vector<PlotPoint> both;  // kept or near
    const auto y = [](double share) { return kPlot.bottom - share * kPlot.height(); };
    for (const Cell* cell : cells) {
        kept.push_back({axis.x(cell->epsilon), y(cell->kept)});
        both.push_back({axis.x(cell->epsilon), y(cell->kept + cell->near)});
    }
    // A setting alone is a column.
    for (auto* line : {&kept, &both}) {
        if (cells.size() == 1) {
            line->push_back(line->front());
            line->front().x -= kHalfColumn;
            line->back().x += kHalfColumn;
        }
    }
    const PictureArea area{kept.front().x, kPlot.top, kept.back().x, kPlot.bottom};
    const auto closed = [&area](std::vector<PlotPoint> line) {
        line.insert(line.end(), {{area.right, area.bottom}, {area.left, area.bottom}});
        return line;
    };
    canvas.rectangle(area, kFarFill);
    canvas.dots(area, kFarInk,
                [&both](PlotPoint point) { return point.y < heightAt(both, point.x); });
    canvas.polygon(closed(both), kSky);
    canvas.stripes(area, [&](PlotPoint point) {
        return point.y >= heightAt(both, point.x) && point.y <= heightAt(kept, point.x);
    });
    canvas.polygon(closed(kept), kBlue);
    if (area.left - kPlot.left > widthOf("not measured")) {
        canvas.text(0.5 * (kPlot.left + area.left), kPlot.middle(), "not measured", "middle",
                    kGrey);
    }
}

/// What the areas are, at the chosen setting with their counts.
void drawKey(MemoCanvas& canvas, const Cell* chosen) {
    constexpr double kSwatch = 22.0;
    constexpr double kLine = 26.0;
    const bool isChosen = chosen != nullptr;
    const Hundredths words =
        isChosen ? hundredthsOf(chosen->kept, chosen->near, chosen->far) : Hundredths{};
    struct Entry {
        std::string_view name;
        int count;
        std::string_view fill;
    };
    double middle = kPlot.middle() - kLine + 12.0;
    canvas.text(0.0, middle - kLine, isChosen ? "of 100 words" : "of 100 words:", "start", kGrey);
    const auto everywhere = [](PlotPoint) { return true; };
    for (const Entry& entry : {Entry{"far", words.far, kFarFill}, Entry{"near", words.near, kSky},
                               Entry{"kept", words.kept, kBlue}}) {
        const PictureArea swatch{0.0, middle - 7.0, kSwatch, middle + 7.0};
        canvas.rectangle(swatch, entry.fill);
        if (entry.fill == kFarFill) {
            canvas.dots(swatch, kFarInk, everywhere);
        } else if (entry.fill == kSky) {
            canvas.stripes(swatch, everywhere);
        }
        canvas.text(
            kSwatch + 8.0, middle,
            isChosen ? fmt::format("{} {}", entry.count, entry.name) : std::string(entry.name));
        middle += kLine;
    }
}

void drawLimits(MemoCanvas& canvas, const MemoAxis& axis, const std::vector<Span>& outside) {
    const std::string_view text = "outside the limits";
    PictureArea widest{0.0, 0.0, widthOf(text) + 16.0, 0.0};
    bool hasRoom = false;
    for (const Span& span : outside) {
        const PictureArea zone{axis.x(span.low), kPlot.top, axis.x(span.high), kPlot.bottom};
        // What is below it shines through.
        canvas.rectangle(zone, "#FFFFFF", " fill-opacity=\"0.4\"");
        canvas.hatch(zone, kOutsideInk, false);
        for (const double x : {zone.left, zone.right}) {
            if (x > kPlot.left + 1.0 && x < kPlot.right - 1.0) {
                canvas.line({x, zone.top}, {x, zone.bottom}, kOutsideInk, 1.5);
            }
        }
        if (zone.width() > widest.width()) {
            widest = zone;
            hasRoom = true;
        }
    }
    if (hasRoom) {
        canvas.pill(0.5 * (widest.left + widest.right), kPlot.top + 16.0, text, kOutsideInk);
    }
}

void drawFrame(MemoCanvas& canvas, const MemoAxis& axis) {
    for (const int percent : {0, 50, 100}) {
        const double y = kPlot.bottom - 0.01 * percent * kPlot.height();
        canvas.text(kPlot.left - 8.0, y, std::to_string(percent), "end", kGrey);
        canvas.line({kPlot.left - 5.0, y}, {kPlot.left, y}, kGrey, 1.0);
    }
    drawAxis(canvas, axis, kPlot.bottom);
    const double ends = kHeight - 9.0;
    canvas.text(kPlot.left, ends, "◂ more private", "start", kGrey);
    canvas.text(kPlot.right, ends, "more useful ▸", "end", kGrey);
}

}  // namespace

PairOddsList shownPairs(const Findings& findings) {
    PairOddsList pairs = findings.odds;
    const auto isNearer = [](const Odds& a, const Odds& b) {
        return a.pair.distance < b.pair.distance;
    };
    constexpr std::size_t kShown = 3;
    if (pairs.size() > kShown) {
        std::stable_sort(pairs.begin() + 1, pairs.end(), isNearer);
        pairs = {pairs[0], pairs[1], pairs.back()};
    }
    std::stable_sort(pairs.begin(), pairs.end(), isNearer);
    return pairs;
}

Table pairTable(const mechanism::Guarantee& guarantee, const PairOddsList& pairs) {
    constexpr int kDigits = 3;
    Table table{"", {"words", "distance", "the odds change by at most"}, {}};
    for (const Odds& odds : pairs) {
        table.rows.push_back({fmt::format("{} against {}", odds.pair.first, odds.pair.second),
                              formatSignificant(odds.pair.distance, kDigits),
                              oddsWords(mechanism::pairLoss(guarantee, odds.pair.distance))});
    }
    return table;
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
    const double share =
        std::log((epsilon - origin) / (low - origin)) / std::log((high - origin) / (low - origin));
    return kLeft + share * (kRight - kLeft);
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
        canvas.text(0.0, bar.middle(), nameOf(odds.pair));
        Ruler(canvas, axis, bar, axis.x(cell.epsilon)).draw(guarantee, cell, odds.pair.distance);
        top += kRow + kBetween;
    }
    const double bottom = top - kBetween;
    drawCursor(canvas, axis, cell.epsilon, kTop - 4.0, bottom + 4.0);
    drawAxis(canvas, axis, bottom + 4.0);
    const std::string description =
        "Left of each mark, the odds change by at most the factor shown; hatched: no useful "
        "bound. Line: the chosen ε.";
    return {description, canvas.render(bottom + kBelow, "What is promised, against ε", description),
            pairTable(guarantee, pairs)};
}

Figure shareFigure(const Report& report, const Findings& findings) {
    const std::vector<const Cell*> cells = drawnCells(report, findings);
    const MemoAxis axis = memoAxis(report, findings);
    const Cell* chosen = findings.cell ? &report.run.summary->cells[*findings.cell] : nullptr;
    const std::vector<Span> outside = outsideOf(report, cells, axis.origin);
    MemoCanvas canvas;
    canvas.rectangle(kPlot, "#FFFFFF", fmt::format(" stroke=\"{}\"", kRule));
    drawAreas(canvas, axis, cells);
    drawLimits(canvas, axis, outside);
    drawFrame(canvas, axis);
    drawKey(canvas, chosen);
    if (chosen != nullptr) {
        drawCursor(canvas, axis, chosen->epsilon, kPlot.top - 4.0, kPlot.bottom);
    }
    const std::string caption = fmt::format(
        "Of 100 words, each counted once: kept, one of the {} nearest, or farther; measured at {}.",
        formatCount(report.run.summary->nearNeighbours),
        cells.size() == 1 ? "this ε only" : fmt::format("{} values of ε", counted(cells.size())));
    return {caption,
            canvas.render(kHeight, "Kept, near and far against ε",
                          outside.empty() ? caption : caption + " Hatched: outside the limits."),
            {}};
}

}  // namespace epsilens::report
