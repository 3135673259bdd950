#include "core/report/calibration_text.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/calibration/some_epsilons.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/report_parts.h"
#include "core/report/report_text.h"
#include "core/report/table_columns.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using statistics::Summary;

std::string decimals(double value, int count) {
    return fmt::format("{:.{}f}", value, count);
}

std::string intervalText(const Summary& summary) {
    const auto interval = spreadInterval(summary);
    return interval ? fmt::format("{:.2f} to {:.2f}", (*interval)[0], (*interval)[1]) : "–";
}

/// What the columns of the details are.
std::vector<std::string> detailSentences(const CalibrationSummary& summary) {
    std::vector<std::string> sentences;
    if (summary.isExact()) {
        double error = 0.0;
        for (const Cell& cell : summary.cells) {
            error = std::max(error, cell.relativeError.value_or(0.0));
        }
        sentences.push_back(fmt::format(
            "N_w and S_w are expectations, not sampled; rounding changes them by at most {}%. "
            "Intervals of 95% are of the mean over the whole vocabulary. Distances are in the {} "
            "metric, entropies those of the output in bits.",
            formatSignificant(100.0 * error, 1),
            metric::metricName(summary.grid.mechanism.metric())));
    } else {
        sentences.push_back(fmt::format(
            "Intervals of 95% are normal, so that they may reach beyond 0 and {}. Entropies are "
            "in bits, from the sampled shares (at most log2 R = {:.2f}); coverage after Good and "
            "Turing.",
            formatCount(summary.draws), std::log2(static_cast<double>(summary.draws))));
    }
    if (summary.independentDraws) {
        sentences.emplace_back("K_w: least number of words that share an output of w.");
    }
    const auto compared = std::find_if(summary.cells.begin(), summary.cells.end(),
                                       [](const Cell& cell) { return cell.deniability; });
    if (compared != summary.cells.end()) {
        sentences.push_back(
            fmt::format("Set: words whose odds of having given an output of w differ by at most {} "
                        "(deniability), {}.",
                        formatNumber(compared->deniability->odds),
                        summary.isExact() ? "exact, of the whole vocabulary"
                                          : "over outputs seen at least 10 times"));
    }
    return sentences;
}

/// Mean, 5th percentile and least value.
void addComparison(std::vector<std::string>& row, const Summary* summary) {
    row.push_back(summary != nullptr ? decimals(summary->mean, 2) : "–");
    row.push_back(summary != nullptr ? decimals(summary->p5, 1) : "–");
    row.push_back(summary != nullptr ? decimals(summary->min, 1) : "–");
}

/// What the overview has no room for.
Table details(const CalibrationSummary& summary) {
    Table table{{}, settingTitles(summary), {}};
    for (const char* title : {"N_w, 95% interval", "p50", "S_w, 95% interval", "p50", "min-entropy",
                              "Shannon", "log2 S_w", "coverage", "", "distance", "cosine", "K_w",
                              "p5", "min", "set", "p5", "min", "words", "of outputs"}) {
        table.titles.emplace_back(title);
    }
    for (const Cell& cell : summary.cells) {
        std::vector<std::string> row = shownSettings(summary, cell);
        for (const Summary& values : {cell.nw, cell.sw}) {
            row.push_back(intervalText(values));
            row.push_back(decimals(values.p50, 1));
        }
        for (const Summary& values : {cell.minEntropy, cell.shannonEntropy, cell.hartleyEntropy}) {
            row.push_back(decimals(values.mean, 2));
        }
        row.push_back(cell.coverage ? decimals(*cell.coverage, 2) : "–");
        row.push_back(entropyNote(summary, cell));
        row.push_back(formatSignificant(cell.meanDistance, 3));
        row.push_back(cell.meanCosine ? decimals(*cell.meanCosine, 3) : "–");
        addComparison(row, cell.kw ? &*cell.kw : nullptr);
        addComparison(row, cell.deniability ? &cell.deniability->sizes : nullptr);
        row.push_back(cell.deniability ? formatCount(cell.deniability->words) : "–");
        row.push_back(cell.deniability ? percent(cell.deniability->share) : "–");
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::string calibrationText(const calibration::Run& run) {
    ReportContent content{
        fmt::format("{}{} on {}", run.summary->partial ? "PARTIAL: " : "",
                    run.summary->grid.mechanism.title(), runTitle(run.provenance)),
        {},
        {}};
    std::vector<Block> results;
    calibration::Run shown = run;
    if (calibration::isOfAxis(run)) {
        const auto epsilons = calibration::spreadEpsilons(*run.summary, kShownOfAxis);
        shown = calibration::runAt(run, epsilons);
        results.emplace_back(Paragraph{axisText(*run.summary, epsilons.size())});
    }
    const CalibrationSummary& summary = *shown.summary;
    for (Block& block : overviewBlocks(shown)) {
        results.push_back(std::move(block));
    }
    results.emplace_back(BulletList{detailSentences(summary)});
    results.emplace_back(details(summary));
    results.emplace_back(Paragraph{fmt::format("It took {:.1f} s.", run.summary->seconds)});
    content.sections.push_back({"results", "How often words are kept", std::move(results)});
    content.sections.push_back({"guarantee", "What is promised", guaranteeBlocks(summary)});
    if (std::vector<Block> again = rerunBlocks(summary); !again.empty()) {
        content.sections.push_back({"again", "Words counted again", std::move(again)});
    }
    dropBlankColumns(content);
    return reportText(content);
}

}  // namespace epsilens::report
