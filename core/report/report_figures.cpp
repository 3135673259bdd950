#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/memo_figures.h"
#include "core/report/plot.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::LimitStatistic;

using Family = std::vector<const Cell*>;

std::string labelOf(const CalibrationSummary& summary, const Family& family) {
    const std::string text = familyText(summary, *family.front());
    return text.empty() ? "all words" : text;
}

std::vector<Family> familiesOf(const CalibrationSummary& summary) {
    std::vector<Family> families;
    for (const Cell& cell : summary.cells) {
        const auto holds = [&cell](const Family& family) {
            return std::ranges::find(family, &cell) != family.end();
        };
        if (std::ranges::none_of(families, holds)) {
            families.push_back(familyOf(summary.cells, cell));
        }
    }
    return families;
}

/// Mean of a statistic per family, and the 5th to 95th percentile of that with the chosen setting,
/// else of the first. The drawing names the statistic in words, because it has no subscripts; the
/// caption has the symbol.
Figure statisticFigure(const Report& report, const Findings& findings, std::string_view symbol,
                       std::string_view name, LimitStatistic statistic,
                       calibration::Summary Cell::*member) {
    const CalibrationSummary& summary = *report.run.summary;
    const Cell* chosen = findings.cell ? &summary.cells[*findings.cell] : nullptr;
    const Family main = familyOf(summary.cells, summary.cells[findings.cell.value_or(0)]);
    Family drawn = main;
    if (!report.alongAxis.empty()) {
        drawn.clear();
        // The memo's axis may begin lower than the run.
        for (const Cell& cell : report.alongAxis) {
            if (cell.epsilon >= main.front()->epsilon) {
                drawn.push_back(&cell);
            }
        }
    }
    Plot plot;
    plot.title = fmt::format("Mean number of {} against ε", name);
    plot.description = fmt::format(
        "Mean number of {} over the words for each ε, with the 5th to 95th percentile for {}", name,
        labelOf(summary, main));
    plot.x = {"ε, per unit of distance (logarithmic)", true, {}};
    plot.y.title = fmt::format("{} out of {}", name, formatCount(summary.draws));
    PlotBand band{"p5–p95, " + labelOf(summary, main)};
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
    for (const Family& family : familiesOf(summary)) {
        PlotLine line = plotLine("mean, " + labelOf(summary, family), plot.lines.size());
        line.points = meansOf(family == main ? drawn : family);
        line.marked = meansOf(family);
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
                        report.alongAxis.empty()
                            ? ""
                            : fmt::format(", drawn through {} values of ε", counted(drawn.size()))),
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
