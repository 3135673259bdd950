#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/memo_figures.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::Cell;

constexpr double kFirstFactor = 10.0;
constexpr double kAroundOne = 4.0;  ///< on each side of a setting that is the only one

/// 1, 2 and 5 times powers of ten above the origin.
std::vector<double> numbersOf(const MemoAxis& axis) {
    std::vector<double> numbers;
    for (const double above : plotTicks({axis.low - axis.origin, axis.high - axis.origin}, true)) {
        numbers.push_back(axis.origin + above);
    }
    return numbers;
}

}  // namespace

std::vector<calibration::Findings::Odds> shownPairs(const Findings& findings) {
    std::vector<calibration::Findings::Odds> pairs = findings.odds;
    const auto isNearer = [](const auto& a, const auto& b) {
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

std::vector<const Cell*> drawnCells(const Report& report, const Findings& findings) {
    const calibration::CalibrationSummary& summary = *report.run.summary;
    const Cell& one = summary.cells[findings.cell.value_or(0)];
    std::vector<const Cell*> cells;
    const auto& all = report.alongAxis.empty() ? summary.cells : report.alongAxis;
    for (const Cell& cell : all) {
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

MemoAxis memoAxis(const Report& report, const Findings& findings) {
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

void drawAxis(MemoCanvas& canvas, const MemoAxis& axis, double top) {
    constexpr double kTick = 5.0;
    constexpr double kGap = 10.0;
    const std::string_view title = "ε";
    canvas.line({MemoAxis::kLeft, top}, {MemoAxis::kRight, top}, kMemoMuted, 1.0);
    double used = MemoAxis::kLeft - kGap;
    const double y = top + kTick + 0.7 * MemoCanvas::kLetters;
    const double most = MemoAxis::kRight - MemoCanvas::widthOf(title) - kGap;
    for (const double number : numbersOf(axis)) {
        const double x = axis.x(number);
        canvas.line({x, top}, {x, top + kTick}, kMemoMuted, 1.0);
        const std::string text = formatNumber(number);
        const double half = 0.5 * MemoCanvas::widthOf(text);
        if (x - half >= used && x + half <= most) {
            canvas.text(x, y, text, {"middle", kMemoMuted});
            used = x + half + kGap;
        }
    }
    canvas.text(MemoAxis::kRight, y, title, {"end", kMemoMuted});
}

void drawCursor(MemoCanvas& canvas, const MemoAxis& axis, double epsilon, double top,
                double bottom) {
    if (!axis.shows(epsilon)) {
        return;
    }
    const double x = axis.x(epsilon);
    // White beside it, so that it stands out from dark and from light areas.
    canvas.line({x, top}, {x, bottom}, "#FFFFFF", 4.0);
    canvas.line({x, top}, {x, bottom}, kMemoInk, 2.0);
    const std::string text = "ε = " + shownNumber(epsilon);
    const double half = 0.5 * MemoCanvas::widthOf(text);
    canvas.text(std::clamp(x, MemoAxis::kLeft + half, MemoAxis::kRight - half),
                top - 0.6 * MemoCanvas::kLetters, text, {"middle", kMemoInk, true});
}

}  // namespace epsilens::report
