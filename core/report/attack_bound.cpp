#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/report/report_parts.h"

// What holds for any attacker, beside what was measured of some.

namespace epsilens::report {
namespace {

using document::StoredCondition;
using document::StoredEvaluation;
using document::StoredFigure;
using mechanism::Guarantee;

constexpr double kAll = 100.0;

/// A share out of 100, rounded up to one decimal; nothing where that is all.
std::optional<std::string> atMostOf100(double share) {
    constexpr double kTenths = 10.0;
    constexpr double kRoundoff = 1e-9;
    const double rounded = std::ceil(kTenths * kAll * share - kRoundoff) / kTenths;
    return rounded < kAll ? std::optional(fmt::format("{:.1f} of 100", rounded)) : std::nullopt;
}

/// The largest share of right guesses between two words that are equally likely beforehand.
double surestGuess(double loss) {
    return 1.0 / (1.0 + std::exp(-loss));
}

std::string guaranteeBound(const Guarantee& guarantee, const Findings& findings) {
    if (findings.odds.empty()) {
        constexpr double kOdds = 3.0;  // 75 of 100
        constexpr int kDigits = 3;
        const double reach = mechanism::protectionRadius(guarantee, kOdds).value();
        return fmt::format(
            "Between two {}, equally likely beforehand, no attacker can exceed 75 of 100 right "
            "guesses, whatever they know: this follows from the promise.",
            std::isfinite(reach)
                ? fmt::format("words at most {} apart", formatAtLeast(reach, kDigits))
                : std::string("words"));
    }
    const calibration::PairDistance& pair = findings.odds.front().pair;
    const auto most = atMostOf100(surestGuess(mechanism::pairLoss(guarantee, pair.distance)));
    return most ? fmt::format(
                      "Between “{}” and “{}”, equally likely beforehand, no attacker can "
                      "exceed {} right guesses, whatever they know: this follows from the "
                      "promise.",
                      pair.first, pair.second, *most)
                : fmt::format(
                      "Between “{}” and “{}”, equally likely beforehand, the promise still allows "
                      "an attacker more than 99.9 of 100 right guesses.",
                      pair.first, pair.second);
}

/// Of a bound that was estimated, the upper end of its interval.
double highEnd(const experiment::Estimate& bound) {
    return bound.ci95 ? std::max((*bound.ci95)[1], bound.mean) : bound.mean;
}

/// Of one evaluation; empty where it has no such bound.
///
/// epsilon  of the chosen setting
std::string measuredBound(const StoredCondition& setting, double epsilon) {
    const StoredFigure* bound = setting.find("reconstruct.upper");
    if (bound == nullptr || !std::isfinite(bound->estimate.mean)) {
        return {};
    }
    const auto most = atMostOf100(highEnd(bound->estimate));
    return fmt::format(
        "{}f words as frequent as the attackers assume, {}.",
        setting.epsilon() == epsilon ? std::string("O")
                                     : fmt::format("At ε = {}, o", formatNumber(setting.epsilon())),
        most ? fmt::format("no attacker who ignores context can guess more than {} (95% bound)",
                           *most)
             : std::string("no useful bound is known for other attackers"));
}

}  // namespace

std::vector<std::string> attackBounds(const Report& report, const Findings& findings,
                                      std::size_t cell) {
    const calibration::CalibrationSummary& summary = *report.run.summary;
    std::vector<std::string> sentences;
    for (const StoredEvaluation& evaluation : report.evaluations) {
        const StoredCondition* setting = document::nearestSetting(evaluation, summary.cells[cell]);
        std::string bound = setting == nullptr
                                ? std::string()
                                : measuredBound(*setting, summary.cells[cell].epsilon);
        if (!bound.empty()) {
            sentences.push_back(
                (isWithOtherDraws(report, evaluation) ? "With other random draws: " : "") + bound);
        }
    }
    if (sentences.empty()) {
        sentences.push_back((report.evaluations.empty() ? "" : "A better attacker may exist. ") +
                            guaranteeBound(summary.guarantees[cell], findings));
    }
    return sentences;
}

}  // namespace epsilens::report
