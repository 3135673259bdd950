#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using mechanism::Guarantee;

/// Law of the radius and where it is put, as hyperbolic_noise.md has them.
std::string hyperbolicFormula(const mechanism::HyperbolicKind& kind) {
    const bool isAdditive = kind.placement == mechanism::Placement::additive;
    const std::string density = kind.law == mechanism::RadialLaw::eq7
                                    ? "tanh^(m−1)(r/2) · sech²(r/2) · exp(−εr)"
                                    : "sinh^(m−1)(r) · exp(−εr), which needs ε > m − 1";
    return fmt::format(
        "M(w) = the word nearest, in Poincaré distance, to {}; X is uniform on the unit sphere of "
        "dimension m, and r ≥ 0 has a density proportional to {} (law {}, placement {})",
        isAdditive ? "v = φ(w) + tanh(r/2) X, pulled back to norm 1 − 0.00001 where ‖v‖ ≥ 1"
                   : "the point at hyperbolic distance r from φ(w) in the direction X",
        density, mechanism::radialLawName(kind.law), mechanism::placementName(kind.placement));
}

std::string formulaText(const CalibrationSummary& summary) {
    switch (summary.mechanism) {
        case mechanism::Kind::laplace:
            return "M(w) = the word nearest to φ(w) + (Y/ε) X, with X uniform on the unit sphere "
                   "and Y from the gamma law of shape m and scale 1";
        case mechanism::Kind::mahalanobis:
            return "M(w) = the word nearest to φ(w) + (Y/ε) A^(1/2) X, with A = λΣ + (1 − λ)I, Σ "
                   "the covariance of the vectors scaled to trace m, X uniform on the unit sphere "
                   "and Y from the gamma law of shape m and scale 1";
        case mechanism::Kind::tem:
            return "Pr[M(w) = u] is proportional to exp(−ε min(d(w, u), γ) / 2) over all words u";
        case mechanism::Kind::hyperbolic:
            break;
    }
    return hyperbolicFormula(summary.hyperbolic);
}

bool guaranteesAny(const CalibrationSummary& summary) {
    return std::any_of(summary.guarantees.begin(), summary.guarantees.end(),
                       [](const Guarantee& guarantee) { return guarantee.bound.has_value(); });
}

bool hasCap(const CalibrationSummary& summary) {
    return std::any_of(summary.guarantees.begin(), summary.guarantees.end(),
                       [](const Guarantee& guarantee) { return guarantee.cap.has_value(); });
}

std::string guaranteeCaption(const CalibrationSummary& summary) {
    if (!guaranteesAny(summary)) {
        return "Real guarantee of every calibrated setting: none. However close w and w' are, "
               "nothing bounds by what factor seeing the output changes the odds of one against "
               "the other";
    }
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

std::vector<Block> guaranteeNoteBlocks(const CalibrationSummary& summary) {
    std::vector<Block> blocks;
    if (hasEuclideanFactors(summary)) {
        blocks.emplace_back(Paragraph{
            "The loss is also at most the Euclidean factor times the Euclidean distance of w and "
            "w'. The lower factor is no guarantee: it says that no smaller one would hold in all "
            "directions."});
    }
    if (const std::string note = lambdaText(summary); !note.empty()) {
        blocks.emplace_back(Paragraph{note});
    }
    return blocks;
}

/// Of the chosen setting, else all that occur.
std::string guaranteeMetrics(const CalibrationSummary& summary, const Findings& findings) {
    if (findings.cell) {
        return std::string(mechanism::metricName(summary.guarantees[*findings.cell].metric));
    }
    std::vector<std::string_view> names;
    for (const Guarantee& guarantee : summary.guarantees) {
        const std::string_view name = mechanism::metricName(guarantee.metric);
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// How the losses of a text follow from those of its words.
std::string compositionText(const CalibrationSummary& summary) {
    if (!guaranteesAny(summary)) {
        return "no loss is bounded, so that none adds up: nothing is guaranteed for a text, "
               "however few of its words differ";
    }
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
    return policy == "keep"
               ? std::string("keep: unknown words are released as they are, UNPROTECTED")
               : statedOr(policy);
}

}  // namespace

BulletList notCoveredList() {
    BulletList list;
    for (const std::string_view item : mechanism::notCovered()) {
        list.items.emplace_back(item);
    }
    return list;
}

std::vector<Block> mechanismBlocks(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.record.summary;
    std::vector<Block> blocks{
        Facts{{{"Mechanism", std::string(mechanism::kindName(summary.mechanism))},
               {"Formula", formulaText(summary)},
               {"Parameters", parametersText(summary, findings)},
               {"Metric of the guarantee", guaranteeMetrics(summary, findings)}}},
        guaranteeTable(summary)};
    for (Block& note : guaranteeNoteBlocks(summary)) {
        blocks.push_back(std::move(note));
    }
    blocks.emplace_back(Paragraph{guaranteesAny(summary)
                                      ? "The guarantee does not cover:"
                                      : "No mechanism of this kind protects, either:"});
    blocks.emplace_back(notCoveredList());
    return blocks;
}

std::vector<Block> unitBlocks(const Report& report) {
    return {Facts{{{"Unit", "one occurrence of a word"},
                   {"Adjacency",
                    "two texts of equal length that differ in the words at some "
                    "positions"},
                   {"Composition", compositionText(*report.record.summary)},
                   {"Source of the texts", statedOr(report.settings.textSource)},
                   {"Unknown words", unknownWordText(report.settings.unknownWords)}}}};
}

}  // namespace epsilens::report
