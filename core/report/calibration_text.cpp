#include "core/report/calibration_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/report_parts.h"
#include "core/report/report_text.h"

namespace epsilens::report {
namespace {

using calibration::Summary;

/// What the columns of the details are.
BulletList detailSentences(const CalibrationSummary& summary) {
    BulletList list;
    if (summary.isExact()) {
        double error = 0.0;
        for (const Cell& cell : summary.cells) {
            error = std::max(error, cell.relativeError.value_or(0.0));
        }
        list.items.push_back(
            fmt::format(fmt::runtime(prose("exact details")), formatSignificant(100.0 * error, 1)));
    } else {
        list.items.push_back(prose("sampled details"));
    }
    if (summary.independentDraws) {
        list.items.push_back(prose("shared outputs"));
    }
    const auto compared = std::ranges::find_if(
        summary.cells, [](const Cell& cell) { return cell.deniability.has_value(); });
    if (compared != summary.cells.end()) {
        list.items.push_back(
            fmt::format("Set: words whose odds of having given an output of w differ by at most {} "
                        "(deniability){}.",
                        formatNumber(compared->deniability->odds),
                        summary.isExact() ? "" : ", over outputs seen at least 10 times"));
    }
    return list;
}

/// What the overview has no room for.
Table details(const CalibrationSummary& summary) {
    Table table{{},
                joined(settingColumns(summary), {"N_w, 95% interval",
                                                 "p50",
                                                 "S_w, 95% interval",
                                                 "p50",
                                                 "min-entropy",
                                                 "Shannon",
                                                 "log2 S_w",
                                                 "coverage",
                                                 {"", Align::left},
                                                 "distance",
                                                 "cosine",
                                                 "K_w",
                                                 "p5",
                                                 "min",
                                                 "set",
                                                 "p5",
                                                 "min",
                                                 "words",
                                                 "of outputs"}),
                {}};
    for (const Cell& cell : summary.cells) {
        std::vector<std::string> row = shownSettings(summary, cell);
        for (const Summary* values : {&cell.nw, &cell.sw}) {
            const auto interval = spreadInterval(*values);
            row.push_back(interval ? fmt::format("{:.2f} to {:.2f}", (*interval)[0], (*interval)[1])
                                   : kAbsent);
            row.push_back(decimals(values->p50, 1));
        }
        const auto& set = cell.deniability;
        row.insert(row.end(),
                   {decimals(cell.minEntropy.mean, 2), decimals(cell.shannonEntropy.mean, 2),
                    decimals(cell.hartleyEntropy.mean, 2), decimals(cell.coverage, 2),
                    entropyNote(summary, cell), formatSignificant(cell.meanDistance, 3),
                    decimals(cell.meanCosine, 3)});
        for (const Summary* values : {cell.kw ? &*cell.kw : nullptr, set ? &set->sizes : nullptr}) {
            const bool isKnown = values != nullptr;
            row.insert(row.end(), {isKnown ? decimals(values->mean, 2) : kAbsent,
                                   isKnown ? decimals(values->p5, 1) : kAbsent,
                                   isKnown ? decimals(values->min, 1) : kAbsent});
        }
        row.push_back(set ? formatCount(set->words) : kAbsent);
        row.push_back(set ? shownShare(set->share) : kAbsent);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::string calibrationText(const calibration::Run& run) {
    const ThinnedRun shown = thinned(run);
    const CalibrationSummary& summary = *shown.run.summary;
    Section results{"results", "How often words are kept", {}};
    results.say(shown.note);
    addOverview(results, shown.run);
    results.blocks.emplace_back(detailSentences(summary));
    results.blocks.emplace_back(details(summary));
    results.say(fmt::format("It took {:.1f} s.", run.summary->seconds));
    Section promised{"guarantee", "What is promised", {}};
    addGuarantees(promised, summary);
    Section again{"again", "Words counted again", {}};
    for (const Cell& cell : summary.cells) {
        if (cell.worst) {
            again.blocks.emplace_back(rerunTable(summary, cell));
        }
    }
    return reportText({fmt::format("{}{} on {}", run.summary->partial ? "PARTIAL: " : "",
                                   run.summary->grid.mechanism.title(), runTitle(run.provenance)),
                       {std::move(results), std::move(promised), std::move(again)},
                       {}});
}

}  // namespace epsilens::report
