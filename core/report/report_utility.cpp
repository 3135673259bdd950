#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/evaluation/evaluation.h"
#include "core/report/evaluation_report.h"
#include "core/report/report_parts.h"

// What evaluations say in the report of a calibration: a sentence or two in the memo, figures in
// the appendix.

namespace epsilens::report {
namespace {

using document::EvaluationRecord;
using evaluation::EvaluationSummary;
using evaluation::kBaselines;

constexpr double kAll = 100.0;

/// Whether an evaluation of the report before this one is of the same texts and another seed.
bool isWithOtherDraws(const Report& report, const EvaluationSummary& summary) {
    return std::ranges::any_of(report.evaluations, [&summary](const EvaluationRecord& before) {
        return &before.summary < &summary && before.summary.data.file == summary.data.file &&
               before.summary.options.seed != summary.options.seed;
    });
}

/// "At this setting", or where else it was measured.
std::string placeText(const Judged& judged, const EvaluationSummary& summary, double epsilon) {
    return fmt::format("{}, on the texts of {}{}",
                       epsilon == judged.cell->epsilon
                           ? "At this setting"
                           : fmt::format("At ε = {}, the nearest setting that was evaluated",
                                         formatNumber(epsilon)),
                       summary.data.file,
                       isWithOtherDraws(judged.report, summary) ? ", with other random draws" : "");
}

using Parts = std::vector<std::string>;

/// What evaluations say of the chosen setting, a sentence each: the parts, after where they were
/// measured.
///
/// isMeasured  of an evaluation; others are passed over
/// partsOf     of a setting of an evaluation
template <typename IsMeasured, typename PartsOf>
std::string sentencesOf(const Judged& judged, IsMeasured isMeasured, PartsOf partsOf) {
    Parts sentences;
    for (const EvaluationRecord& record : judged.report.evaluations) {
        const EvaluationSummary& summary = record.summary;
        if (!isMeasured(summary)) {
            continue;
        }
        const auto setting = document::nearestSetting(summary, *judged.cell);
        const Parts parts = setting ? partsOf(summary, *setting) : Parts();
        if (!setting) {
            sentences.push_back(fmt::format("No setting with these parameters was evaluated on {}.",
                                            summary.data.file));
        } else if (!parts.empty()) {
            sentences.push_back(
                fmt::format("{}, {}.", placeText(judged, summary, summary.cells[*setting].epsilon),
                            fmt::join(parts, "; ")));
        }
    }
    return fmt::to_string(fmt::join(sentences, " "));
}

Parts utilityParts(const EvaluationSummary& summary, std::size_t cell) {
    Parts parts;
    for (const evaluation::ClassifierKind classifier : summary.classified()) {
        parts.push_back(utilityClause(summary, cell, classifier));
    }
    return parts;
}

/// A share out of 100, rounded up to one decimal; nothing where that is all.
std::optional<std::string> atMostOf100(double share) {
    constexpr double kTenths = 10.0;
    constexpr double kRoundoff = 1e-9;
    const double rounded = std::ceil(kTenths * kAll * share - kRoundoff) / kTenths;
    return rounded < kAll ? std::optional(fmt::format("{:.1f} of 100", rounded)) : std::nullopt;
}

/// What the guarantee leaves of two words that are equally likely beforehand: the first pair, else
/// words near enough.
std::string guaranteeBound(const Judged& judged) {
    constexpr double kOdds = 3.0;  // 75 of 100
    constexpr int kDigits = 3;
    std::string words;
    std::optional<std::string> most = "75 of 100";
    if (judged.findings.odds.empty()) {
        const double reach = mechanism::protectionRadius(*judged.guarantee, kOdds).value();
        words = std::isfinite(reach)
                    ? fmt::format("two words at most {} apart", formatAtLeast(reach, kDigits))
                    : "two words";
    } else {
        // The largest share of right guesses is e^loss / (1 + e^loss).
        const calibration::PairDistance& pair = judged.findings.odds.front().pair;
        words = fmt::format("“{}” and “{}”", pair.first, pair.second);
        most = atMostOf100(
            1.0 / (1.0 + std::exp(-mechanism::pairLoss(*judged.guarantee, pair.distance))));
    }
    return fmt::format(
        "Between {}, equally likely beforehand, {}.", words,
        most ? fmt::format("no attacker can exceed {} right guesses, whatever they know: this "
                           "follows from the promise",
                           *most)
             : "the promise still allows an attacker more than 99.9 of 100 right guesses");
}

/// Of what sees the noise itself, the upper end of its interval.
Parts upperParts(const EvaluationSummary& summary, std::size_t cell) {
    const auto bound = figureAt(summary, kBaselines + cell, "reconstruct.upper");
    if (!bound) {
        return {};
    }
    const auto most =
        atMostOf100(bound->ci95 ? std::max((*bound->ci95)[1], bound->value) : bound->value);
    return {fmt::format(
        "of words as frequent as the attackers assume, {}",
        most ? fmt::format("no attacker who ignores context can guess more than {} (95% bound)",
                           *most)
             : "no useful bound is known for other attackers")};
}

}  // namespace

std::string measuredUtility(const Judged& judged) {
    return sentencesOf(
        judged, [](const EvaluationSummary& summary) { return !summary.classified().empty(); },
        utilityParts);
}

std::string measuredAttacks(const Judged& judged) {
    return sentencesOf(
        judged, [](const EvaluationSummary& summary) { return !summary.attacks.empty(); },
        attackClauses);
}

std::string attackBounds(const Judged& judged) {
    const std::string bounds = sentencesOf(
        judged,
        [](const EvaluationSummary& summary) {
            return figureAt(summary, evaluation::kFloor, "reconstruct.upper").has_value();
        },
        upperParts);
    return bounds.empty() ? guaranteeBound(judged) : bounds;
}

Section utilitySection(const Judged& judged) {
    Section section{"utility", "Utility and attacks", {}};
    for (const EvaluationRecord& record : judged.report.evaluations) {
        const EvaluationSummary& summary = record.summary;
        BulletList said{dataSentences(summary)};
        said.items.push_back(fmt::format("Seed {}.", summary.options.seed));
        section.blocks.emplace_back(std::move(said));
        for (Section& part : evaluationSections(summary, judged.cell)) {
            section.say(part.blocks.empty() ? "" : part.title, true);
            for (Block& block : part.blocks) {
                section.blocks.push_back(std::move(block));
            }
        }
    }
    section.say(prose("no guarantee"), true);
    section.blocks.emplace_back(BulletList{proseList("limits of evaluations")});
    return section;
}

}  // namespace epsilens::report
