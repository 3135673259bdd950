#include "core/report/calibration_text_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/statistics/mean_interval.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;

/// How the words of a run that is not over all of them were chosen.
std::string choiceOfWords(const calibration::Run& run) {
    if (run.provenance.selection) {
        return selectionSentence(*run.provenance.selection);
    }
    using Kind = calibration::WordSelection::Kind;
    return run.request.options.words.kind == Kind::list
               ? std::string("They are words of a list.")
               : fmt::format("They were drawn at random, seed {}.", run.summary->seed);
}

}  // namespace

std::string selectionSentence(const calibration::SelectionDescription& selection) {
    return selection.dataFile.empty()
               ? fmt::format("Words chosen: {}.", selection.words)
               : fmt::format("Words chosen: {}, of those that occur in {}{} ({} records).",
                             selection.words, selection.dataFile,
                             selection.dataColumn.empty() ? "" : ", column " + selection.dataColumn,
                             formatCount(selection.dataRecords));
}

bool hasLambda(const CalibrationSummary& summary) {
    return summary.grid.mechanism.hasLambda();
}

std::string gridText(const mechanism::Grid& grid) {
    const mechanism::Grid used = grid.used();
    std::string text = fmt::format("{} ε", used.epsilons.size());
    const auto add = [&text](std::size_t count, const char* symbol) {
        text += fmt::format(" × {} {}", count, symbol);
    };
    if (grid.mechanism.hasLambda()) {
        add(used.lambdas.size(), "λ");
    }
    if (!used.gammas.empty()) {
        add(used.gammas.size(), "γ");
    } else if (!used.betas.empty()) {
        add(used.betas.size(), "β");
    }
    return text;
}

std::string percent(double share) {
    return fmt::format("{:.1f}%", 100.0 * share);
}

std::string entropyNote(const CalibrationSummary& summary, const Cell& cell) {
    // Below this Good-Turing coverage a plug-in entropy is only a lower bound.
    constexpr double kTrustedCoverage = 0.9;
    return !summary.isExact() && cell.coverage.value_or(0.0) < kTrustedCoverage ? "lower bound"
                                                                                : "";
}

std::string noneText(int draws) {
    constexpr int kDigits = 2;
    return fmt::format(
        "A word kept in none of its {} draws is kept with probability ≤ {}% (95%)",
        formatCount(draws),
        formatNumber(roundedUp(100.0 * statistics::largestShareOfNone(draws), kDigits)));
}

std::string partialText(const CalibrationSummary& summary) {
    if (!summary.partial) {
        return {};
    }
    return summary.words < summary.wordsAsked
               ? fmt::format("PARTIAL: {} of {} words, the calibration was interrupted",
                             formatCount(summary.words), formatCount(summary.wordsAsked))
               : std::string("PARTIAL: the calibration was interrupted before its end");
}

std::string measuredText(const calibration::Run& run) {
    const CalibrationSummary& summary = *run.summary;
    const std::int64_t vocabulary = run.provenance.embedding.words;
    const std::string_view verb = summary.isExact() ? "Computed for" : "Measured on";
    if (summary.words >= vocabulary) {
        return fmt::format("{} all {} words of the vocabulary.", verb, formatCount(summary.words));
    }
    return fmt::format("{} {} of the {} words of the vocabulary. {}", verb,
                       formatCount(summary.words), formatCount(vocabulary), choiceOfWords(run));
}

std::string extremeText(const calibration::Provenance& provenance,
                        const CalibrationSummary& summary) {
    if (summary.words >= provenance.embedding.words) {
        return {};
    }
    return fmt::format(
        "A largest or smallest value is that of the {} words measured; it says nothing about the "
        "other words",
        formatCount(summary.words));
}

std::string lambdaText(const CalibrationSummary& summary) {
    if (summary.grid.lambdas.size() < 2) {
        return {};
    }
    return summary.isExact()
               ? "Equal ε across λ does not mean an equal Euclidean guarantee."
               : "Equal ε across λ means equal noise power, not an equal Euclidean guarantee.";
}

std::optional<std::array<double, 2>> spreadInterval(const statistics::Summary& summary) {
    return summary.ci95 && (*summary.ci95)[0] < (*summary.ci95)[1] ? summary.ci95 : std::nullopt;
}

std::string axisText(const CalibrationSummary& summary, std::size_t shown) {
    const auto [low, high] =
        std::minmax_element(summary.grid.epsilons.begin(), summary.grid.epsilons.end());
    return fmt::format(
        "Measured at {} points of the axis of ε from {} to {}, computed together from the paths of "
        "the draws; tables show {} of them, and the calibration as JSON or CSV has all.",
        formatCount(static_cast<std::int64_t>(summary.grid.epsilons.size())), formatNumber(*low),
        formatNumber(*high), shown);
}

std::string runTitle(const calibration::Provenance& provenance) {
    const calibration::EmbeddingDescription& embedding = provenance.embedding;
    return fmt::format("{}: {} words × {} dimensions, {}", embedding.file,
                       formatCount(embedding.words), embedding.dimensions, embedding.format);
}

}  // namespace epsilens::report
