#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/memo_figures.h"
#include "core/report/report_parts.h"
#include "core/report/svg_plot.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using calibration::LimitStatistic;

// Those with a contrast of at least 3:1 on paper. Each has its marker: prints may be grey.
constexpr std::array kLineColours{kBlue, kVermillion, kGreen, kPurple, kBlack};
constexpr std::array kMarkers{Marker::circle, Marker::square, Marker::triangle, Marker::diamond,
                              Marker::triangleDown};
static_assert(kLineColours.size() == kMarkers.size());
constexpr std::array kDashes{Dash::solid, Dash::dashed, Dash::dotted};

/// Cells that differ in epsilon only.
struct Series {
    std::string label{};
    std::vector<const Cell*> cells{};  ///< by rising epsilon
    std::vector<const Cell*> drawn{};  ///< what its line goes through, by rising epsilon
};

std::string seriesLabel(const CalibrationSummary& summary, const Cell& cell) {
    std::string label;
    if (summary.grid.mechanism.hasLambda()) {
        label = "λ = " + formatNumber(cell.lambda);
    }
    if (cell.beta) {
        label += fmt::format("{}β = {}", label.empty() ? "" : ", ", formatNumber(*cell.beta));
    } else if (cell.gamma) {
        label += fmt::format("{}γ = {}", label.empty() ? "" : ", ", shownNumber(*cell.gamma));
    }
    return label.empty() ? "all words" : label;
}

void sortByEpsilon(std::vector<const Cell*>& cells) {
    std::stable_sort(cells.begin(), cells.end(),
                     [](const Cell* a, const Cell* b) { return a->epsilon < b->epsilon; });
}

std::vector<Series> seriesOf(const Report& report) {
    const CalibrationSummary& summary = *report.run.summary;
    std::vector<Series> all;
    for (const Cell& cell : summary.cells) {
        const std::string label = seriesLabel(summary, cell);
        auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Series& series) { return series.label == label; });
        if (found == all.end()) {
            all.push_back({label, {}});
            found = all.end() - 1;
        }
        found->cells.push_back(&cell);
    }
    for (Series& series : all) {
        sortByEpsilon(series.cells);
        if (!report.alongAxis.empty() &&
            series.label == seriesLabel(summary, report.alongAxis.front())) {
            // The memo's axis may begin lower than the run.
            for (const Cell& cell : report.alongAxis) {
                if (cell.epsilon >= series.cells.front()->epsilon) {
                    series.drawn.push_back(&cell);
                }
            }
        } else {
            series.drawn = series.cells;
        }
        sortByEpsilon(series.drawn);
    }
    return all;
}

/// What the line of the chosen family goes through, as the end of a caption.
std::string drawnText(const Report& report, const Series& series) {
    return !report.alongAxis.empty()
               ? fmt::format(", drawn through {} values of ε",
                             formatCount(static_cast<std::int64_t>(series.drawn.size())))
               : std::string();
}

/// A statistic of a series, with markers at the settings of the run.
template <typename ValueOf>
void addPoints(PlotLine& line, const Series& series, ValueOf valueOf) {
    for (const Cell* cell : series.drawn) {
        line.points.push_back({cell->epsilon, valueOf(*cell)});
    }
    for (const Cell* cell : series.cells) {
        line.marked.push_back({cell->epsilon, valueOf(*cell)});
    }
}

/// The one that holds the chosen setting, else the first.
const Series& highlighted(const std::vector<Series>& all, const CalibrationSummary& summary,
                          const Findings& findings) {
    const Cell* chosen = findings.cell ? &summary.cells[*findings.cell] : nullptr;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Series& series) {
        return std::find(series.cells.begin(), series.cells.end(), chosen) != series.cells.end();
    });
    return found == all.end() ? all.front() : *found;
}

PlotLine lineOf(std::string label, std::size_t place) {
    return {std::move(label),
            kLineColours[place % kLineColours.size()],
            {},
            kDashes[place / kLineColours.size() % kDashes.size()],
            kMarkers[place % kMarkers.size()]};
}

void addRules(Plot& plot, const Report& report, const Findings& findings,
              LimitStatistic statistic) {
    const double whole = statistic == LimitStatistic::kept ? 1.0 : report.run.summary->draws;
    for (const calibration::Limit& limit : report.settings.limits) {
        if (limit.statistic == statistic) {
            const double at = limit.percent ? 0.01 * limit.value * whole : limit.value;
            plot.rules.push_back(
                {limitName(report.settings.limits, limit), kGrey, true, at, Dash::dashed});
        }
    }
    if (findings.cell) {
        plot.rules.push_back({"chosen ε", kBlack, false,
                              report.run.summary->cells[*findings.cell].epsilon, Dash::dotted});
    }
}

Plot emptyPlot(std::string title, std::string description, std::string unit) {
    Plot plot;
    plot.title = std::move(title);
    plot.description = std::move(description);
    plot.x = {"ε, per unit of distance (logarithmic)", true, {}};
    plot.y = {std::move(unit), false, {}};
    return plot;
}

/// Mean of a statistic per series, and the 5th to 95th percentile of one of them. The drawing names
/// it in words, because it has no subscripts; the caption has the symbol.
Figure statisticFigure(const Report& report, const Findings& findings, std::string_view symbol,
                       std::string_view title, std::string_view name, LimitStatistic statistic,
                       statistics::Summary Cell::*member) {
    const CalibrationSummary& summary = *report.run.summary;
    const std::vector<Series> all = seriesOf(report);
    const Series& main = highlighted(all, summary, findings);
    Plot plot = emptyPlot(
        fmt::format("{} against ε", title),
        fmt::format(
            "Mean number of {} over the words for each ε, with the 5th to 95th percentile for {}",
            name, main.label),
        fmt::format("{} out of {}", name, formatCount(summary.draws)));
    PlotBand band{"p5–p95, " + main.label, kSky, {}, {}, {}};
    for (const Cell* cell : main.drawn) {
        band.x.push_back(cell->epsilon);
        band.low.push_back((cell->*member).p5);
        band.high.push_back((cell->*member).p95);
    }
    plot.bands.push_back(std::move(band));
    for (std::size_t i = 0; i < all.size(); ++i) {
        PlotLine line = lineOf("mean, " + all[i].label, i);
        addPoints(line, all[i], [member](const Cell& cell) { return (cell.*member).mean; });
        plot.lines.push_back(std::move(line));
    }
    addRules(plot, report, findings, statistic);
    return {fmt::format("{}: {}{}.", symbol, plot.description, drawnText(report, main)),
            svgPlot(plot),
            {}};
}

}  // namespace

std::vector<Block> figureBlocks(const Report& report, const Findings& findings) {
    std::vector<Block> blocks{statisticFigure(report, findings, "N_w", "Kept draws", "kept draws",
                                              LimitStatistic::nw, &Cell::nw),
                              statisticFigure(report, findings, "S_w", "Different outputs",
                                              "different outputs", LimitStatistic::sw, &Cell::sw)};
    if (!findings.cell) {
        blocks.emplace_back(shareFigure(report, findings));
    }
    if (std::string note = lambdaText(*report.run.summary); !note.empty()) {
        blocks.emplace_back(Paragraph{std::move(note)});
    }
    return blocks;
}

}  // namespace epsilens::report
