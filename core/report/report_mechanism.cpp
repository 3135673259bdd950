#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "core/report/metric_words.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using mechanism::Guarantee;

bool hasCap(const CalibrationSummary& summary) {
    return std::any_of(summary.guarantees.begin(), summary.guarantees.end(),
                       [](const Guarantee& guarantee) { return guarantee.cap.has_value(); });
}

std::string guaranteeCaption(const CalibrationSummary& summary) {
    return fmt::format(
        "Real guarantee of every calibrated setting: seeing the output changes the odds of w "
        "against w' by at most e^(bound · d(w, w')){}. Bounds are rounded up",
        hasCap(summary) ? ", and by at most e^cap where there is a cap" : "");
}

bool hasEuclideanFactors(const CalibrationSummary& summary) {
    return std::any_of(
        summary.guarantees.begin(), summary.guarantees.end(), [](const Guarantee& guarantee) {
            return guarantee.euclidean && guarantee.metric != mechanism::Metric::euclidean;
        });
}

Table guaranteeTable(const CalibrationSummary& summary) {
    Table table{guaranteeCaption(summary), settingTitles(summary), {}};
    for (const char* title : {"statement", "metric d", "bound", "cap", "Euclidean factor",
                              "lower Euclidean factor (no guarantee)"}) {
        table.titles.emplace_back(title);
    }
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        const Guarantee& guarantee = summary.guarantees[i];
        std::vector<std::string> row = shownSettings(summary, summary.cells[i]);
        row.push_back(guarantee.statement);
        row.emplace_back(mechanism::metricName(guarantee.metric));
        row.push_back(boundText(guarantee));
        row.push_back(guarantee.cap ? shownAtMost(*guarantee.cap) : "none");
        row.push_back(guarantee.euclidean ? shownAtMost((*guarantee.euclidean)[1]) : "–");
        row.push_back(guarantee.euclidean ? shownAtLeast((*guarantee.euclidean)[0]) : "–");
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The name, and what it is where few readers know that.
std::string metricText(mechanism::Metric metric) {
    const std::string_view meaning = metricMeaning(metric);
    return meaning.empty()
               ? std::string(mechanism::metricName(metric))
               : fmt::format("{}, written ‖·‖_RM: {}", mechanism::metricName(metric), meaning);
}

/// Of the chosen setting, else all that occur.
std::string guaranteeMetrics(const CalibrationSummary& summary, const Findings& findings) {
    if (findings.cell) {
        return metricText(summary.guarantees[*findings.cell].metric);
    }
    std::vector<std::string> names;
    for (const Guarantee& guarantee : summary.guarantees) {
        std::string name = metricText(guarantee.metric);
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(std::move(name));
        }
    }
    return fmt::format("{}", fmt::join(names, "; "));
}

/// How the losses of a text follow from those of its words.
std::string compositionText(const CalibrationSummary& summary) {
    return fmt::format(
        "the losses of the positions add up: Σ over the positions of {}. A word that is exchanged "
        "k times costs k times as much, and every further release of the same text adds its own "
        "loss",
        hasCap(summary) ? "min(bound · d(w, w'), cap)" : "bound · d(w, w')");
}

/// Values of the chosen setting, else those that were calibrated.
std::string parametersText(const CalibrationSummary& summary, const Findings& findings) {
    if (findings.cell) {
        return settingText(summary, summary.cells[*findings.cell]);
    }
    return fmt::format("{} calibrated settings, none chosen",
                       formatCount(static_cast<std::int64_t>(summary.cells.size())));
}

std::string unknownWordText(const std::string& policy) {
    return policy == "keep"     ? "keep: unknown words are released as they are, UNPROTECTED"
           : policy == "mask"   ? "replaced by a mask"
           : policy == "random" ? "replaced by any word, each equally likely"
           : policy == "drop"   ? "left out"
                                : statedOr(policy);
}

/// How far apart words may be for the promise to be of use.
std::string reachSentence(const CalibrationSummary& summary, std::size_t cell) {
    constexpr int kDigits = 3;
    std::string text;
    for (const double odds : {2.0, 10.0, 1000.0, kLargestUsefulFactor}) {
        const double reach = mechanism::protectionRadius(summary.guarantees[cell], odds).value();
        const bool isEverywhere = !std::isfinite(reach);
        text += fmt::format(
            "{}×{} for {}", text.empty() ? "" : ", ", formatCount(std::llround(odds)),
            isEverywhere ? std::string("any words")
                         : fmt::format("words at most {} apart", formatAtLeast(reach, kDigits)));
        if (isEverywhere) {
            break;
        }
    }
    return fmt::format("At {} the odds change by at most {}.",
                       settingText(summary, summary.cells[cell]), text);
}

/// Those that the memo has no room for, too.
Table pairTable(const Findings& findings, const Guarantee& guarantee) {
    constexpr int kDigits = 3;
    Table table{"All pairs of words, at the chosen setting",
                {"words", "distance", "the odds change by at most"},
                {}};
    for (const Findings::Odds& odds : findings.odds) {
        table.rows.push_back({fmt::format("{} against {}", odds.pair.first, odds.pair.second),
                              formatSignificant(odds.pair.distance, kDigits),
                              oddsWords(mechanism::pairLoss(guarantee, odds.pair.distance))});
    }
    return table;
}

/// Where the mechanism was published.
std::string_view publicationOf(std::string_view name) {
    if (name == "laplace") {
        return "Feyisetan, Balle, Drake and Diethe 2020, Privacy- and Utility-Preserving Textual "
               "Analysis via Calibrated Multivariate Perturbations";
    }
    if (name == "tem") {
        return "Carvalho, Vasiloudis, Feyisetan and Wang 2021, TEM: High Utility Metric "
               "Differential Privacy on Text";
    }
    if (name == "exponential") {
        return "McSherry and Talwar 2007, Mechanism Design via Differential Privacy";
    }
    if (name == "hyperbolic") {
        return "Feyisetan, Diethe and Drake 2019, Leveraging Hierarchical Representations for "
               "Preserving Privacy and Utility in Text; the guarantee stated here is that of the "
               "noise as it is drawn";
    }
    return "Xu, Aggarwal, Feyisetan and Teissier 2020, A Differentially Private Text Perturbation "
           "Method Using a Regularized Mahalanobis Metric";
}

}  // namespace

std::string mechanismTitle(std::string_view name) {
    if (name == "tem") {
        return "TEM";
    }
    return static_cast<char>(std::toupper(static_cast<unsigned char>(name.front()))) +
           std::string(name.substr(1));
}

std::vector<Block> guaranteeBlocks(const CalibrationSummary& summary) {
    std::vector<Block> blocks{guaranteeTable(summary)};
    if (!summary.grid.betas.empty()) {
        blocks.emplace_back(Paragraph{
            "γ is such that the output lies within γ of the word with probability 1 − β or more."});
    }
    if (hasEuclideanFactors(summary)) {
        blocks.emplace_back(
            Paragraph{"The loss is also at most the Euclidean factor times the Euclidean distance "
                      "of w and w'. The lower factor is no guarantee: it says that no smaller "
                      "factor would hold in all directions."});
    }
    if (const std::string note = lambdaText(summary); !note.empty()) {
        blocks.emplace_back(Paragraph{note});
    }
    return blocks;
}

std::vector<Block> mechanismBlocks(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.run.summary;
    Facts facts{{{"Mechanism", mechanismTitle(summary.grid.mechanism.name())},
                 {"Formula", summary.grid.mechanism.formula()},
                 {"Parameters", parametersText(summary, findings)},
                 {"Metric of the guarantee", guaranteeMetrics(summary, findings)}}};
    if (findings.cell) {
        facts.items.emplace_back("Guarantee",
                                 mechanism::guaranteeSentence(summary.guarantees[*findings.cell]));
    }
    facts.items.emplace_back("Published in",
                             std::string(publicationOf(summary.grid.mechanism.name())));
    std::vector<Block> blocks{facts};
    if (findings.cell) {
        blocks.emplace_back(Paragraph{reachSentence(summary, *findings.cell)});
    }
    for (Block& block : guaranteeBlocks(summary)) {
        blocks.push_back(std::move(block));
    }
    if (findings.cell && findings.odds.size() > shownPairs(findings).size()) {
        blocks.emplace_back(pairTable(findings, summary.guarantees[*findings.cell]));
    }
    return blocks;
}

std::vector<Block> unitBlocks(const Report& report) {
    return {Facts{{{"Unit", "one occurrence of a word"},
                   {"Adjacency",
                    "two texts of equal length that differ in the words at some "
                    "positions"},
                   {"Composition", compositionText(*report.run.summary)},
                   {"Unknown words", unknownWordText(report.settings.unknownWords)}}}};
}

}  // namespace epsilens::report
