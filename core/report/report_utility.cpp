#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/evaluation/classifier.h"
#include "core/report/evaluation_report.h"
#include "core/report/memo_words.h"
#include "core/report/report_parts.h"
#include "core/report/trade_off_text.h"

// What evaluations say in the report of a calibration: a sentence or two in the memo, figures in
// the appendix.

namespace epsilens::report {
namespace {

using document::StoredCondition;
using document::StoredEvaluation;
using document::StoredFigure;
using evaluation::ClassifierKind;

constexpr double kAll = 100.0;

/// "93.1 of 100 texts (95% interval 92.0 to 94.1)"
///
/// least  of the share: a gain may be a loss
std::string outOf100(const StoredFigure& figure, const std::string& what, double least = 0.0) {
    const evaluation::Estimate& estimate = figure.estimate;
    const CountWords count = shareWords(estimate.mean, estimate.ci95, least);
    return fmt::format(
        "{} of 100{}{}", count.value, what,
        estimate.ci95 ? fmt::format(" (95% interval {} to {})", count.low, count.high) : "");
}

/// Whether an evaluation of the report before this one is of the same texts and another seed.
bool isWithOtherDraws(const Report& report, const StoredEvaluation& evaluation) {
    return std::any_of(report.evaluations.begin(), report.evaluations.end(),
                       [&evaluation](const StoredEvaluation& before) {
                           return &before < &evaluation && before.file == evaluation.file &&
                                  before.seed != evaluation.seed;
                       });
}

/// "At this setting", or where else it was measured.
std::string placeText(const Judged& judged, const StoredEvaluation& evaluation,
                      const StoredCondition& setting) {
    return fmt::format(
        "{}{}",
        setting.epsilon() == judged.cell->epsilon
            ? "At this setting"
            : fmt::format("At ε = {}, the nearest setting that was evaluated",
                          formatNumber(setting.epsilon())),
        isWithOtherDraws(judged.report, evaluation) ? ", with other random draws" : "");
}

/// What evaluations say of the chosen setting: of each the parts, behind where they were measured.
///
/// task    a member of conditions; evaluations without it are passed over
/// partsOf sentences without their beginning and end, of one evaluation and setting
template <typename PartsOf>
std::vector<std::string> sentencesOf(const Judged& judged, std::string_view task, PartsOf partsOf) {
    std::vector<std::string> sentences;
    for (const StoredEvaluation& evaluation : judged.report.evaluations) {
        const StoredCondition* setting = document::nearestSetting(evaluation, *judged.cell);
        const bool isMeasured = std::any_of(
            evaluation.cells.begin(), evaluation.cells.end(), [&](const StoredCondition& cell) {
                return std::any_of(
                    cell.figures.begin(), cell.figures.end(),
                    [&](const StoredFigure& figure) { return figure.name.starts_with(task); });
            });
        if (!isMeasured) {
            continue;
        }
        if (setting == nullptr) {
            sentences.push_back(fmt::format("No setting with these parameters was evaluated on {}.",
                                            evaluation.file));
            continue;
        }
        for (const std::string& part : partsOf(evaluation, *setting)) {
            sentences.push_back(
                fmt::format("{}, {}.", placeText(judged, evaluation, *setting), part));
        }
    }
    return sentences;
}

using Parts = std::vector<std::string>;

Parts utilityParts(const StoredEvaluation& evaluation, const StoredCondition& setting) {
    Parts parts;
    for (const ClassifierKind classifier :
         {ClassifierKind::linear, ClassifierKind::vectors, ClassifierKind::fasttext}) {
        const std::string name =
            fmt::format("classify.{}.accuracy", evaluation::classifierName(classifier));
        const auto at = [&](const char* baseline) {
            const StoredFigure* figure = evaluation.baseline(baseline).find(name);
            return figure == nullptr ? kAbsent : decimals(kAll * figure->estimate.mean, 1);
        };
        if (const StoredFigure* accuracy = setting.find(name)) {
            parts.push_back(fmt::format(
                "{} that learned from released texts puts {} into the right class; without noise "
                "{} (usefulness 100%), with random words {} (0%), by always naming the commonest "
                "class {:.1f}",
                classifierWords(classifier),
                outOf100(*accuracy, fmt::format(" texts of {}", evaluation.file)), at("ceiling"),
                at("floor"), kAll * evaluation.majority));
        }
    }
    return parts;
}

Parts reconstructParts(const StoredEvaluation& evaluation, const StoredCondition& setting) {
    const StoredFigure* best = setting.find("reconstruct.best");
    const StoredFigure* prior = setting.find("reconstruct.prior");
    const StoredFigure* gain = setting.find("reconstruct.gain");
    if (best == nullptr || prior == nullptr || gain == nullptr) {
        return {};
    }
    return {
        fmt::format("the best attacker that was tried guesses {}; naming the commonest word "
                    "without any release guesses {:.1f}, so that the release adds {}",
                    outOf100(*best, fmt::format(" known words of {}", evaluation.file)),
                    kAll * prior->estimate.mean, outOf100(*gain, "", -1.0))};
}

Parts membershipParts(const StoredEvaluation& evaluation, const StoredCondition& setting) {
    Parts parts;
    for (const StoredFigure& figure : setting.figures) {
        if (figure.name.ends_with(".threshold.auc")) {
            parts.push_back(fmt::format(
                "of two texts of {}, one of which a classifier was trained on, an attacker tells "
                "which in {}, where 50 are chance",
                evaluation.file, outOf100(figure, " cases")));
        }
    }
    return parts;
}

Parts authorshipParts(const StoredEvaluation& evaluation, const StoredCondition& setting) {
    const StoredFigure* found = setting.find("authorship.adaptive.correct");
    return found == nullptr ? Parts{}
                            : Parts{fmt::format(
                                  "an attacker who knows other texts by the same authors finds the "
                                  "author of {}",
                                  outOf100(*found, fmt::format(" texts of {}", evaluation.file)))};
}

Parts auditParts(const StoredEvaluation& evaluation, const StoredCondition& setting) {
    const StoredFigure* told = setting.find("audit.adaptive.auc");
    return told == nullptr
               ? Parts{}
               : Parts{fmt::format("of two users of {}, on the texts of one of whom a language "
                                   "model was trained, an attacker tells which in {}, where 50 are "
                                   "chance",
                                   evaluation.file, outOf100(*told, " cases"))};
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
Parts upperParts(const StoredEvaluation& /*evaluation*/, const StoredCondition& setting) {
    const StoredFigure* bound = setting.find("reconstruct.upper");
    if (bound == nullptr || !std::isfinite(bound->estimate.mean)) {
        return {};
    }
    const evaluation::Estimate& share = bound->estimate;
    const auto most = atMostOf100(share.ci95 ? std::max((*share.ci95)[1], share.mean) : share.mean);
    return {fmt::format(
        "of words as frequent as the attackers assume, {}",
        most ? fmt::format("no attacker who ignores context can guess more than {} (95% bound)",
                           *most)
             : "no useful bound is known for other attackers")};
}

}  // namespace

std::vector<std::string> measuredUtility(const Judged& judged) {
    return sentencesOf(judged, "classify", utilityParts);
}

std::vector<std::string> measuredAttacks(const Judged& judged) {
    std::vector<std::string> all;
    using PartsOf = Parts (*)(const StoredEvaluation&, const StoredCondition&);
    for (const auto& [task, partsOf] :
         std::array<std::pair<std::string_view, PartsOf>, 4>{{{"reconstruct", reconstructParts},
                                                              {"membership", membershipParts},
                                                              {"authorship", authorshipParts},
                                                              {"audit", auditParts}}}) {
        for (std::string& sentence : sentencesOf(judged, task, partsOf)) {
            all.push_back(std::move(sentence));
        }
    }
    return all;
}

std::vector<std::string> attackBounds(const Judged& judged) {
    const auto bounds = sentencesOf(judged, "reconstruct.upper", upperParts);
    return bounds.empty() ? std::vector{guaranteeBound(judged)} : bounds;
}

Section utilitySection(const Judged& judged) {
    Section section{"utility", "Utility and attacks", {}};
    for (const StoredEvaluation& evaluation : judged.report.evaluations) {
        section.say(
            fmt::format(
                "{}: {} documents, {} to learn from and {} to test; {} repeats, seed {}; "
                "test texts {}.{}",
                evaluation.file, formatCount(evaluation.documents),
                formatCount(evaluation.training), formatCount(evaluation.test), evaluation.repeats,
                evaluation.seed, evaluation.testText,
                evaluation.isPartial ? " The evaluation is partial: it was cancelled." : ""),
            true);
        for (Section& part : evaluationSections(evaluation, judged.cell)) {
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
