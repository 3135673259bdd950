#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/memo_figures.h"
#include "core/report/report_parts.h"
#include "core/report/svg_plot.h"

namespace epsilens::report {
namespace {

using calibration::LimitStatistic;

/// Cells that differ in epsilon only.
struct Series {
    std::string label{};
    std::vector<const Cell*> cells{};  ///< by rising epsilon
    std::vector<const Cell*> drawn{};  ///< what its line goes through, by rising epsilon
};

std::string seriesLabel(const CalibrationSummary& summary, const Cell& cell) {
    const std::string family = familyText(summary, cell);
    return family.empty() ? "all words" : family;
}

std::vector<Series> seriesOf(const Report& report) {
    const CalibrationSummary& summary = *report.run.summary;
    std::vector<Series> all;
    for (const Cell& cell : summary.cells) {
        const std::string label = seriesLabel(summary, cell);
        auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Series& series) { return series.label == label; });
        if (found == all.end()) {
            found = all.insert(all.end(), Series{label, {}, {}});
        }
        found->cells.push_back(&cell);
    }
    const auto isLess = [](const Cell* a, const Cell* b) { return a->epsilon < b->epsilon; };
    for (Series& series : all) {
        std::stable_sort(series.cells.begin(), series.cells.end(), isLess);
        series.drawn = series.cells;
        if (!report.alongAxis.empty() &&
            series.label == seriesLabel(summary, report.alongAxis.front())) {
            series.drawn.clear();
            // The memo's axis may begin lower than the run.
            for (const Cell& cell : report.alongAxis) {
                if (cell.epsilon >= series.cells.front()->epsilon) {
                    series.drawn.push_back(&cell);
                }
            }
            std::stable_sort(series.drawn.begin(), series.drawn.end(), isLess);
        }
    }
    return all;
}

/// Mean of a statistic per series, and the 5th to 95th percentile of that with the chosen setting,
/// else of the first. The drawing names the statistic in words, because it has no subscripts; the
/// caption has the symbol.
Figure statisticFigure(const Report& report, const Findings& findings, std::string_view symbol,
                       std::string_view name, LimitStatistic statistic,
                       calibration::Summary Cell::*member) {
    const CalibrationSummary& summary = *report.run.summary;
    const Cell* chosen = findings.cell ? &summary.cells[*findings.cell] : nullptr;
    const std::vector<Series> all = seriesOf(report);
    const auto holdsChosen = [chosen](const Series& series) {
        return std::find(series.cells.begin(), series.cells.end(), chosen) != series.cells.end();
    };
    const auto found = std::find_if(all.begin(), all.end(), holdsChosen);
    const Series& main = found == all.end() ? all.front() : *found;
    Plot plot;
    plot.title = fmt::format("Mean number of {} against ε", name);
    plot.description = fmt::format(
        "Mean number of {} over the words for each ε, with the 5th to 95th percentile for {}", name,
        main.label);
    plot.x = {"ε, per unit of distance (logarithmic)", true, {}};
    plot.y.title = fmt::format("{} out of {}", name, formatCount(summary.draws));
    PlotBand band{"p5–p95, " + main.label, kSky, {}, {}, {}};
    for (const Cell* cell : main.drawn) {
        band.x.push_back(cell->epsilon);
        band.low.push_back((cell->*member).p5);
        band.high.push_back((cell->*member).p95);
    }
    plot.bands.push_back(std::move(band));
    for (const Series& series : all) {
        PlotLine line = plotLine("mean, " + series.label, plot.lines.size());
        for (const Cell* cell : series.drawn) {
            line.points.push_back({cell->epsilon, (cell->*member).mean});
        }
        for (const Cell* cell : series.cells) {
            line.marked.push_back({cell->epsilon, (cell->*member).mean});
        }
        plot.lines.push_back(std::move(line));
    }
    for (const calibration::Limit& limit : report.settings.limits) {
        if (limit.statistic == statistic) {
            plot.rules.push_back({limitName(report.settings.limits, limit), kGrey, true,
                                  limit.percent ? 0.01 * limit.value * summary.draws : limit.value,
                                  Dash::dashed});
        }
    }
    if (chosen != nullptr) {
        plot.rules.push_back({"chosen ε", kBlack, false, chosen->epsilon, Dash::dotted});
    }
    return {fmt::format("{}: {}{}.", symbol, plot.description,
                        report.alongAxis.empty() ? ""
                                                 : fmt::format(", drawn through {} values of ε",
                                                               counted(main.drawn.size()))),
            svgPlot(plot),
            {}};
}

}  // namespace

std::vector<Block> figureBlocks(const Report& report, const Findings& findings) {
    std::vector<Block> blocks{
        statisticFigure(report, findings, "N_w", "kept draws", LimitStatistic::nw, &Cell::nw),
        statisticFigure(report, findings, "S_w", "different outputs", LimitStatistic::sw,
                        &Cell::sw)};
    if (!findings.cell) {
        blocks.emplace_back(shareFigure(report, findings));
    }
    return blocks;
}

}  // namespace epsilens::report
