#include "core/report/calibration_text.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/calibration/some_epsilons.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/odds_text.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;

std::string intervalText(const statistics::Summary& summary) {
    const auto interval = spreadInterval(summary);
    return interval ? fmt::format("{:.2f}–{:.2f}", (*interval)[0], (*interval)[1]) : "–";
}

/// What the main table shows, and how exact it is.
std::string mainNote(const CalibrationSummary& summary) {
    if (!summary.isExact()) {
        return fmt::format(
            "\nN_w (word kept) and S_w (distinct outputs), counts out of {} draws: mean over "
            "the words,\n95% interval of the mean (normal, so that it may reach beyond 0 and {}), "
            "percentiles over the words;\nnear: among the {} nearest words\n\n",
            formatCount(summary.draws), formatCount(summary.draws), summary.nearNeighbours);
    }
    double error = 0.0;
    for (const Cell& cell : summary.cells) {
        error = std::max(error, cell.relativeError.value_or(0.0));
    }
    return fmt::format(
        "\nN_w (word kept) and S_w (distinct outputs), expected counts out of {} draws, not "
        "sampled; "
        "rounding changes them by at most {}%.\nMean over the words, 95% interval of the mean over "
        "the whole vocabulary, percentiles over the words;\nnear: among the {} nearest words; "
        "distance: in the {} metric\n\n",
        formatCount(summary.draws), formatSignificant(100.0 * error, 1), summary.nearNeighbours,
        metric::metricName(summary.grid.mechanism.metric()));
}

std::string mainTable(const CalibrationSummary& summary) {
    TextTable table(append(settingColumns(summary), {{"N_w"},
                                                     {"95% interval"},
                                                     {"p5"},
                                                     {"p50"},
                                                     {"p95"},
                                                     {"S_w"},
                                                     {"95% interval"},
                                                     {"p5"},
                                                     {"p50"},
                                                     {"p95"},
                                                     {"kept"},
                                                     {"near"},
                                                     {"far"},
                                                     {"distance"},
                                                     {"cosine"}}));
    bool hasNone = false;
    for (const Cell& cell : summary.cells) {
        hasNone = hasNone || cell.nw.p5 == 0.0;
        table.addRow(
            append(settingFields(summary, cell),
                   {fmt::format("{:.2f}", cell.nw.mean), intervalText(cell.nw),
                    fmt::format("{:.1f}", cell.nw.p5), fmt::format("{:.1f}", cell.nw.p50),
                    fmt::format("{:.1f}", cell.nw.p95), fmt::format("{:.2f}", cell.sw.mean),
                    intervalText(cell.sw), fmt::format("{:.1f}", cell.sw.p5),
                    fmt::format("{:.1f}", cell.sw.p50), fmt::format("{:.1f}", cell.sw.p95),
                    percent(cell.kept), percent(cell.near), percent(cell.far),
                    formatSignificant(cell.meanDistance, 3),
                    cell.meanCosine ? fmt::format("{:.3f}", *cell.meanCosine) : "–"}));
    }
    return mainNote(summary) + table.render() +
           (hasNone && !summary.isExact() ? noneText(summary.draws) + "\n" : "");
}

std::string euclideanText(const mechanism::Guarantee& guarantee) {
    if (!guarantee.euclidean || guarantee.metric == mechanism::Metric::euclidean) {
        return "–";
    }
    return fmt::format("{} to {}", formatAtLeast((*guarantee.euclidean)[0], 3),
                       formatAtMost((*guarantee.euclidean)[1], 3));
}

/// Columns of a guarantee behind those of its setting.
std::vector<Column> guaranteeColumns(const CalibrationSummary& summary) {
    std::vector<Column> columns;
    if (!summary.grid.betas.empty()) {
        columns.push_back({"β"});
    }
    columns.push_back({"bound"});
    if (summary.grid.mechanism.hasRadius()) {
        columns.push_back({"cap"});
    }
    return append(
        std::move(columns),
        {{"statement", Align::left}, {"metric", Align::left}, {"Euclidean factors", Align::left}});
}

std::vector<std::string> guaranteeFields(const CalibrationSummary& summary,
                                         const mechanism::Guarantee& guarantee, const Cell& cell) {
    std::vector<std::string> fields;
    if (!summary.grid.betas.empty()) {
        fields.push_back(cell.beta ? formatNumber(*cell.beta) : "–");
    }
    fields.push_back(boundText(guarantee));
    if (summary.grid.mechanism.hasRadius()) {
        fields.push_back(guarantee.cap ? formatAtMost(*guarantee.cap, 4) : "none");
    }
    return append(std::move(fields),
                  {guarantee.statement, std::string(mechanism::metricName(guarantee.metric)),
                   euclideanText(guarantee)});
}

std::string guaranteeNotes(const CalibrationSummary& summary, bool hasEuclidean) {
    std::string text;
    if (summary.grid.mechanism.hasRadius()) {
        text += "The whole loss is at most the cap, however far apart w and w' are.\n";
    }
    if (!summary.grid.betas.empty()) {
        text +=
            "γ is such that the output lies within γ of the word with probability 1 − β or more.\n";
    }
    if (hasEuclidean) {
        text += "Of the Euclidean factors only the upper one is a guarantee.\n";
    }
    if (const std::string note = lambdaText(summary); !note.empty()) {
        text += note + "\n";
    }
    return text;
}

std::string guaranteeLines(const CalibrationSummary& summary) {
    std::vector<Column> columns = settingColumns(summary);
    for (Column& column : guaranteeColumns(summary)) {
        columns.push_back(std::move(column));
    }
    TextTable table(std::move(columns));
    bool hasEuclidean = false;
    for (std::size_t i = 0; i < summary.guarantees.size(); ++i) {
        const mechanism::Guarantee& guarantee = summary.guarantees[i];
        hasEuclidean = hasEuclidean || euclideanText(guarantee) != "–";
        std::vector<std::string> fields =
            settingFields(summary, guarantee.epsilon, guarantee.lambda, guarantee.gamma);
        for (std::string& field : guaranteeFields(summary, guarantee, summary.cells[i])) {
            fields.push_back(std::move(field));
        }
        table.addRow(std::move(fields));
    }
    const char* factor = summary.grid.mechanism.hasRadius() ? "min(d(w, w'), γ)" : "d(w, w')";
    return fmt::format(
               "\nGuarantee, per word occurrence: seeing the output changes the odds of w "
               "against w' by at most e^(bound·{})\n\n",
               factor) +
           table.render() + guaranteeNotes(summary, hasEuclidean);
}

std::string exactEntropyTable(const CalibrationSummary& summary) {
    TextTable table(append(settingColumns(summary), {{"min-entropy"}, {"Shannon"}, {"log2 S_w"}}));
    for (const Cell& cell : summary.cells) {
        table.addRow(append(settingFields(summary, cell),
                            {fmt::format("{:.2f}", cell.minEntropy.mean),
                             fmt::format("{:.2f}", cell.shannonEntropy.mean),
                             fmt::format("{:.2f}", cell.hartleyEntropy.mean)}));
    }
    return "\nExact entropy of the output in bits, mean over the words\n\n" + table.render();
}

std::string entropyTable(const CalibrationSummary& summary) {
    if (summary.isExact()) {
        return exactEntropyTable(summary);
    }
    TextTable table(
        append(settingColumns(summary),
               {{"min-entropy"}, {"Shannon"}, {"Hartley"}, {"coverage"}, {"", Align::left}}));
    for (const Cell& cell : summary.cells) {
        table.addRow(append(
            settingFields(summary, cell),
            {fmt::format("{:.2f}", cell.minEntropy.mean),
             fmt::format("{:.2f}", cell.shannonEntropy.mean),
             fmt::format("{:.2f}", cell.hartleyEntropy.mean),
             fmt::format("{:.2f}", cell.coverage.value_or(0.0)), entropyNote(summary, cell)}));
    }
    return fmt::format(
               "\nEntropy of the outputs in bits, mean over the words, from the sampled shares "
               "(at most log2 R = {:.2f}); coverage after Good and Turing\n\n",
               std::log2(static_cast<double>(summary.draws))) +
           table.render();
}

/// Mean, 5th percentile and least value.
void addComparison(std::vector<std::string>& fields,
                   const std::optional<statistics::Summary>& summary) {
    fields.push_back(summary ? fmt::format("{:.2f}", summary->mean) : "–");
    fields.push_back(summary ? fmt::format("{:.1f}", summary->p5) : "–");
    fields.push_back(summary ? fmt::format("{:.1f}", summary->min) : "–");
}

std::string comparisonNote(const CalibrationSummary& summary,
                           const std::optional<calibration::Deniability>& deniability) {
    std::string text = "\n";
    if (summary.independentDraws) {
        text += fmt::format(
            "K_w: least number of words that share an output of w, over {} words and {} draws of "
            "each\n",
            formatCount(summary.words), formatCount(summary.draws));
    }
    if (deniability) {
        text += fmt::format(
            "set: words whose odds of having given an output of w differ by at most {} "
            "(deniability), {}\n",
            formatNumber(deniability->odds),
            summary.isExact() ? "exact, of the whole vocabulary"
                              : "over outputs seen at least 10 times");
    }
    return text + "\n";
}

/// Empty where no words were compared.
std::string comparisonTable(const CalibrationSummary& summary) {
    std::optional<calibration::Deniability> deniability;
    for (const Cell& cell : summary.cells) {
        deniability = deniability ? deniability : cell.deniability;
    }
    if (!deniability && !summary.cells.front().kw) {
        return {};
    }
    std::vector<Column> columns = settingColumns(summary);
    if (summary.independentDraws) {
        columns = append(std::move(columns), {{"K_w"}, {"p5"}, {"min"}});
    }
    if (deniability) {
        columns = append(std::move(columns), {{"set"}, {"p5"}, {"min"}, {"words"}, {"of outputs"}});
    }
    TextTable table(std::move(columns));
    for (const Cell& cell : summary.cells) {
        std::vector<std::string> fields = settingFields(summary, cell);
        if (summary.independentDraws) {
            addComparison(fields, cell.kw);
        }
        if (deniability) {
            const auto& own = cell.deniability;
            addComparison(fields, own ? std::optional(own->sizes) : std::nullopt);
            fields.push_back(own ? formatCount(own->words) : "0");
            fields.push_back(own ? percent(own->share) : "–");
        }
        table.addRow(std::move(fields));
    }
    return comparisonNote(summary, deniability) + table.render();
}

/// Empty unless the worst words were counted again.
std::string worstTable(const CalibrationSummary& summary) {
    if (!summary.cells.front().worst) {
        return {};
    }
    TextTable table(append(settingColumns(summary),
                           {{"word", Align::left}, {"N_w"}, {"in the run"}, {"again"}}));
    for (const Cell& cell : summary.cells) {
        for (const calibration::RerunWord& word : cell.worst->words) {
            table.addRow(append(
                settingFields(summary, cell),
                {printable(word.word), formatNumber(word.nw), percent(word.nw / summary.draws),
                 percent(static_cast<double>(word.kept) / cell.worst->draws)}));
        }
    }
    return fmt::format(
               "\nWords with the largest N_w, counted again with {} fresh draws each: the largest "
               "of sampled\ncounts is too large on average, the second count is not\n\n",
               formatCount(summary.cells.front().worst->draws)) +
           table.render();
}

std::string tablesText(const CalibrationSummary& summary) {
    return mainTable(summary) + guaranteeLines(summary) + entropyTable(summary) +
           comparisonTable(summary) + worstTable(summary);
}

}  // namespace

std::string calibrationText(const calibration::Run& run) {
    if (calibration::isOfAxis(run)) {
        const auto epsilons = calibration::spreadEpsilons(*run.summary, kShownOfAxis);
        const calibration::Run some = calibration::runAt(run, epsilons);
        return runHeading(run.provenance, *run.summary) + axisText(*run.summary, epsilons.size()) +
               "\n" + tablesText(*some.summary);
    }
    return runHeading(run.provenance, *run.summary) + tablesText(*run.summary);
}

}  // namespace epsilens::report
