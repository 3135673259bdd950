#include "core/report/calibration_text.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/text_table.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using Align = TextTable::Align;
using Column = TextTable::Column;

/// Below this Good-Turing coverage a plug-in entropy is only a lower bound.
constexpr double kTrustedCoverage = 0.9;

std::string lambdaText(mechanism::Kind kind, double lambda) {
    return kind == mechanism::Kind::laplace ? "–" : formatNumber(lambda);
}

std::string intervalText(const statistics::Summary& summary) {
    if (!summary.ci95) {
        return "–";
    }
    return fmt::format("{:.2f}–{:.2f}", (*summary.ci95)[0], (*summary.ci95)[1]);
}

std::string percent(double share) {
    return fmt::format("{:.1f}%", 100.0 * share);
}

std::string selectionText(const SelectionDescription& selection) {
    std::string text = "words: " + printable(selection.words);
    if (!selection.dataFile.empty()) {
        text += fmt::format(
            ", of those in {}{} ({} records)", printable(selection.dataFile),
            selection.dataColumn.empty() ? "" : ", column " + printable(selection.dataColumn),
            formatCount(selection.dataRecords));
    }
    return text + "\n";
}

std::string heading(const RunDescription& run, const CalibrationSummary& summary) {
    std::string text;
    if (summary.partial) {
        text += fmt::format("PARTIAL: interrupted after {} of {} words\n",
                            formatCount(summary.words), formatCount(summary.wordsAsked));
    }
    text += fmt::format("{}: {} words × {} dimensions, {}\n", printable(run.embedding.file),
                        formatCount(run.embedding.words), run.embedding.dimensions,
                        run.embedding.format);
    text += fmt::format("{}: {} words × {} draws (R), seed {}, {:.1f} s\n",
                        mechanism::kindName(summary.mechanism), formatCount(summary.words),
                        formatCount(summary.draws), summary.seed, summary.seconds);
    if (run.selection) {
        text += selectionText(*run.selection);
    }
    return text;
}

std::string mainTable(const CalibrationSummary& summary) {
    TextTable table({{"ε"},
                     {"λ"},
                     {"N_w"},
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
                     {"cosine"}});
    for (const Cell& cell : summary.cells) {
        table.addRow({formatNumber(cell.epsilon), lambdaText(summary.mechanism, cell.lambda),
                      fmt::format("{:.2f}", cell.nw.mean), intervalText(cell.nw),
                      fmt::format("{:.1f}", cell.nw.p5), fmt::format("{:.1f}", cell.nw.p50),
                      fmt::format("{:.1f}", cell.nw.p95), fmt::format("{:.2f}", cell.sw.mean),
                      intervalText(cell.sw), fmt::format("{:.1f}", cell.sw.p5),
                      fmt::format("{:.1f}", cell.sw.p50), fmt::format("{:.1f}", cell.sw.p95),
                      percent(cell.kept), percent(cell.near), percent(cell.far),
                      formatSignificant(cell.meanDistance, 3),
                      cell.meanCosine ? fmt::format("{:.3f}", *cell.meanCosine) : "–"});
    }
    return fmt::format(
               "\nN_w (word kept) and S_w (distinct outputs), counts out of {} draws: mean over "
               "the words,\n95% interval of the mean, percentiles over the words; near: among the "
               "{} nearest words\n\n",
               formatCount(summary.draws), summary.nearNeighbours) +
           table.render();
}

std::string euclideanText(const mechanism::Guarantee& guarantee) {
    if (!guarantee.euclidean || guarantee.metric == mechanism::Metric::euclidean) {
        return "–";
    }
    return fmt::format("{} to {}", formatSignificant((*guarantee.euclidean)[0], 3),
                       formatSignificant((*guarantee.euclidean)[1], 3));
}

std::string guaranteeTable(const CalibrationSummary& summary) {
    TextTable table({{"ε"},
                     {"λ"},
                     {"bound"},
                     {"statement", Align::left},
                     {"metric", Align::left},
                     {"Euclidean factors", Align::left}});
    bool hasEuclidean = false;
    for (const mechanism::Guarantee& guarantee : summary.guarantees) {
        hasEuclidean = hasEuclidean || euclideanText(guarantee) != "–";
        table.addRow(
            {formatNumber(guarantee.epsilon), lambdaText(summary.mechanism, guarantee.lambda),
             guarantee.bound ? formatSignificant(*guarantee.bound, 4) : "none", guarantee.statement,
             std::string(mechanism::metricName(guarantee.metric)), euclideanText(guarantee)});
    }
    std::string text =
        "\nGuarantee, per word occurrence: seeing the output changes the odds of w "
        "against w' by at most e^(bound·d(w, w'))\n\n" +
        table.render();
    if (hasEuclidean) {
        text += "Of the Euclidean factors only the upper one is a guarantee.\n";
    }
    if (summary.lambdas.size() > 1) {
        text += "Equal ε across λ means equal noise power, not an equal Euclidean guarantee.\n";
    }
    return text;
}

std::string entropyTable(const CalibrationSummary& summary) {
    TextTable table(
        {{"ε"}, {"λ"}, {"min-entropy"}, {"Shannon"}, {"Hartley"}, {"coverage"}, {"", Align::left}});
    for (const Cell& cell : summary.cells) {
        table.addRow({formatNumber(cell.epsilon), lambdaText(summary.mechanism, cell.lambda),
                      fmt::format("{:.2f}", cell.minEntropy.mean),
                      fmt::format("{:.2f}", cell.shannonEntropy.mean),
                      fmt::format("{:.2f}", cell.hartleyEntropy.mean),
                      fmt::format("{:.2f}", cell.coverage),
                      cell.coverage < kTrustedCoverage ? "lower bound" : ""});
    }
    return fmt::format(
               "\nEntropy of the outputs in bits, mean over the words, from the sampled shares "
               "(at most log2 R = {:.2f}); coverage after Good and Turing\n\n",
               std::log2(static_cast<double>(summary.draws))) +
           table.render();
}

}  // namespace

std::string calibrationText(const RunDescription& run, const CalibrationSummary& summary) {
    return heading(run, summary) + mainTable(summary) + guaranteeTable(summary) +
           entropyTable(summary);
}

}  // namespace epsilens::report
