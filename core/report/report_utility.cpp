#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/evaluation/figure_reader.h"
#include "core/report/evaluation_report.h"
#include "core/report/memo_words.h"
#include "core/report/report_parts.h"
#include "core/report/trade_off_text.h"

// What evaluations say in the report of a calibration: a sentence or two in the memo, figures in
// the appendix.

namespace epsilens::report {
namespace {

using document::EvaluationRecord;
using evaluation::EvaluationSummary;
using evaluation::FigureValue;
using evaluation::kBaselines;

constexpr double kAll = 100.0;

/// "93.1 of 100 texts (95% interval 92.0 to 94.1)"
///
/// least  of the share: a gain may be a loss
std::string outOf100(const FigureValue& figure, const std::string& what, double least = 0.0) {
    const CountWords count = shareWords(figure.value, figure.ci95, least);
    return fmt::format(
        "{} of 100{}{}", count.value, what,
        figure.ci95 ? fmt::format(" (95% interval {} to {})", count.low, count.high) : "");
}

/// Whether an evaluation of the report before this one is of the same texts and another seed.
bool isWithOtherDraws(const Report& report, const EvaluationSummary& summary) {
    return std::any_of(report.evaluations.begin(), report.evaluations.end(),
                       [&summary](const EvaluationRecord& before) {
                           return &before.summary < &summary &&
                                  before.summary.data.file == summary.data.file &&
                                  before.summary.options.seed != summary.options.seed;
                       });
}

/// "At this setting", or where else it was measured.
std::string placeText(const Judged& judged, const EvaluationSummary& summary, double epsilon) {
    return fmt::format("{}{}",
                       epsilon == judged.cell->epsilon
                           ? "At this setting"
                           : fmt::format("At ε = {}, the nearest setting that was evaluated",
                                         formatNumber(epsilon)),
                       isWithOtherDraws(judged.report, summary) ? ", with other random draws" : "");
}

using Parts = std::vector<std::string>;

/// What evaluations say of the chosen setting, a sentence each: the parts, after where they were
/// measured.
///
/// isMeasured  of an evaluation; others are passed over
/// partsOf     of a condition of an evaluation
template <typename IsMeasured, typename PartsOf>
Parts sentencesOf(const Judged& judged, IsMeasured isMeasured, PartsOf partsOf) {
    Parts sentences;
    for (const EvaluationRecord& record : judged.report.evaluations) {
        const EvaluationSummary& summary = record.summary;
        if (!isMeasured(summary)) {
            continue;
        }
        const auto setting = document::nearestSetting(summary, *judged.cell);
        if (!setting) {
            sentences.push_back(fmt::format("No setting with these parameters was evaluated on {}.",
                                            summary.data.file));
            continue;
        }
        const Parts parts = partsOf(summary, kBaselines + *setting);
        if (!parts.empty()) {
            sentences.push_back(
                fmt::format("{}, {}.", placeText(judged, summary, summary.cells[*setting].epsilon),
                            fmt::join(parts, "; ")));
        }
    }
    return sentences;
}

Parts utilityParts(const EvaluationSummary& summary, std::size_t condition) {
    Parts parts;
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        const evaluation::ClassifierKind classifier = summary.options.classifiers[i];
        const std::string path =
            fmt::format("classify.{}.accuracy", evaluation::classifierName(classifier));
        const auto at = [&](std::size_t baseline) {
            const auto figure = figureAt(summary, baseline, path);
            return figure ? decimals(kAll * figure->value, 1) : kAbsent;
        };
        if (const auto accuracy = figureAt(summary, condition, path)) {
            parts.push_back(fmt::format(
                "{} that learned from released texts puts {} into the right class; without noise "
                "{} (usefulness 100%), with random words {} (0%), by always naming the commonest "
                "class {:.1f}",
                classifierWords(classifier),
                outOf100(*accuracy, fmt::format(" texts of {}", summary.data.file)),
                at(evaluation::kCeiling), at(evaluation::kFloor), kAll * summary.majority));
        }
    }
    return parts;
}

Parts attackParts(const EvaluationSummary& summary, std::size_t condition) {
    const std::string& file = summary.data.file;
    const auto at = [&](const std::string& path) { return figureAt(summary, condition, path); };
    Parts parts;
    const auto best = at("reconstruct.best");
    const auto prior = at("reconstruct.prior");
    const auto gain = at("reconstruct.gain");
    if (best && prior && gain) {
        parts.push_back(
            fmt::format("the best attacker that was tried guesses {}; naming the commonest word "
                        "without any release guesses {:.1f}, so that the release adds {}",
                        outOf100(*best, fmt::format(" known words of {}", file)),
                        kAll * prior->value, outOf100(*gain, "", -1.0)));
    }
    for (const evaluation::ClassifierKind classifier : summary.options.classifiers) {
        if (const auto told = at(fmt::format("membership.{}.threshold.auc",
                                             evaluation::classifierName(classifier)))) {
            parts.push_back(fmt::format(
                "of two texts of {}, one of which a classifier was trained on, an attacker tells "
                "which in {}, where 50 are chance",
                file, outOf100(*told, " cases")));
        }
    }
    if (const auto found = at("authorship.adaptive.correct")) {
        parts.push_back(fmt::format(
            "an attacker who knows other texts by the same authors finds the author of {}",
            outOf100(*found, fmt::format(" texts of {}", file))));
    }
    if (const auto told = at("audit.adaptive.auc")) {
        parts.push_back(
            fmt::format("of two users of {}, on the texts of one of whom a language model was "
                        "trained, an attacker tells which in {}, where 50 are chance",
                        file, outOf100(*told, " cases")));
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
Parts upperParts(const EvaluationSummary& summary, std::size_t condition) {
    const auto bound = figureAt(summary, condition, "reconstruct.upper");
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

std::vector<std::string> measuredUtility(const Judged& judged) {
    return sentencesOf(
        judged, [](const EvaluationSummary& summary) { return !summary.original.empty(); },
        utilityParts);
}

std::vector<std::string> measuredAttacks(const Judged& judged) {
    return sentencesOf(
        judged, [](const EvaluationSummary& summary) { return !summary.attacks.empty(); },
        attackParts);
}

std::vector<std::string> attackBounds(const Judged& judged) {
    const Parts bounds = sentencesOf(
        judged,
        [](const EvaluationSummary& summary) {
            return figureAt(summary, evaluation::kFloor, "reconstruct.upper").has_value();
        },
        upperParts);
    return bounds.empty() ? std::vector{guaranteeBound(judged)} : bounds;
}

Section utilitySection(const Judged& judged) {
    Section section{"utility", "Utility and attacks", {}};
    for (const EvaluationRecord& record : judged.report.evaluations) {
        const EvaluationSummary& summary = record.summary;
        section.say(
            fmt::format("{}: {} documents, {} to learn from and {} to test; {} repeats, seed {}; "
                        "test texts {}.{}",
                        summary.data.file, formatCount(summary.data.documents),
                        formatCount(summary.data.trainingDocuments),
                        formatCount(summary.data.testDocuments), summary.repeats,
                        summary.options.seed,
                        summary.options.perturbTest ? "perturbed" : "original",
                        summary.partial ? " The evaluation is partial: it was cancelled." : ""),
            true);
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
