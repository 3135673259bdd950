#include "core/evaluation/estimate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/base/ordered.h"
#include "core/corpus/share.h"
#include "core/numeric/quantile.h"

namespace epsilens::evaluation {
namespace {

using corpus::differencesOf;

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();
constexpr double kLevel = 0.05;
// A smaller standard error of shares comes from rounding.
constexpr double kProportionRounding = 1e-12;
// From so many degrees of freedom on Student's t is normal.
constexpr double kMostDegrees = 1e6;

double meanOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Those that are not NaN.
std::vector<double> existing(std::span<const double> values) {
    std::vector<double> there;
    std::ranges::copy_if(values, std::back_inserter(there),
                         [](double value) { return !std::isnan(value); });
    return there;
}

/// Estimated variance of the mean of independent values; 0 for fewer than two.
double varianceOfMean(std::span<const double> values) {
    return values.empty() ? 0.0 : varianceOf(values) / static_cast<double>(values.size());
}

/// Values, as many as there are, whose mean is (value - floor) / (ceiling - floor) of the means:
/// the linearised ratio. Not finite where ceiling and floor have the same mean.
///
/// values, floor, ceiling  equally many: of each repeat, or of each document
std::vector<double> linearisedShares(std::span<const double> values, std::span<const double> floor,
                                     std::span<const double> ceiling) {
    const std::vector<double> room = differencesOf(ceiling, floor);
    const std::vector<double> gained = differencesOf(values, floor);
    const double whole = meanOf(room);
    const double retained = meanOf(gained) / whole;
    std::vector<double> linearised;
    for (std::size_t i = 0; i < room.size(); ++i) {
        linearised.push_back(retained + (gained[i] - retained * room[i]) / whole);
    }
    return linearised;
}

}  // namespace

Estimate estimateOf(std::span<const double> values, const RepeatDesign& design) {
    const std::vector<double> there = existing(values);
    if (there.empty()) {
        return {kNotThere, std::nullopt, kNotThere};
    }
    const double mean = meanOf(there);
    if (there.size() < 2) {
        return {mean, std::nullopt, kNotThere};
    }
    const auto n = static_cast<double>(there.size());
    const double ofRepeats = varianceOf(there) * (1.0 / n + design.testRatio);
    const bool varies = ofRepeats > kProportionRounding * kProportionRounding;
    if (!varies && design.cases > 0.0) {
        return {mean, corpus::wilsonInterval(mean, design.cases), kNotThere};
    }
    if (!varies && !(design.sharedVariance > kProportionRounding * kProportionRounding)) {
        return {mean, std::nullopt, kNotThere};
    }
    // Of a share of all documents of random splits, of which each repeat tests some.
    const double least = design.cases > 0.0 && design.testRatio > 0.0
                             ? mean * (1.0 - mean) / (design.cases * (1.0 + 1.0 / design.testRatio))
                             : 0.0;
    const double variance = std::max(ofRepeats + design.sharedVariance, least);
    const double error = std::sqrt(variance);
    const double degrees =
        varies ? std::min(kMostDegrees, (n - 1.0) * std::pow(variance / ofRepeats, 2.0))
               : kMostDegrees;
    const double half = numeric::studentQuantile(degrees, 1.0 - kLevel / 2.0) * error;
    return {mean, std::array{mean - half, mean + half}, error, degrees};
}

Estimate within(Estimate estimate, double low, double high) {
    const auto cut = [=](double value) { return std::clamp(value, low, high); };
    estimate.mean = cut(estimate.mean);
    if (estimate.ci95) {
        estimate.ci95 = {cut((*estimate.ci95)[0]), cut((*estimate.ci95)[1])};
    }
    return estimate;
}

double varianceOf(std::span<const double> values) {
    const std::vector<double> measured = existing(values);
    if (measured.size() < 2) {
        return 0.0;
    }
    const double mean = meanOf(measured);
    double squares = 0.0;
    for (const double value : measured) {
        squares += (value - mean) * (value - mean);
    }
    return squares / static_cast<double>(measured.size() - 1);
}

Estimate retainedShare(const Accuracies& values, const Accuracies& floor, const Accuracies& ceiling,
                       const RepeatDesign& design) {
    const auto estimated = [&](std::span<const double> repeats, std::span<const double> documents) {
        return estimateOf(repeats, {design.testRatio, varianceOfMean(documents)});
    };
    const Estimate whole = estimated(differencesOf(ceiling.repeats, floor.repeats),
                                     differencesOf(ceiling.documents, floor.documents));
    if (!(whole.mean >= 2.0 * whole.standardError) || whole.mean <= 0.0) {
        return {kNotThere};
    }
    Estimate retained =
        estimated(linearisedShares(values.repeats, floor.repeats, ceiling.repeats),
                  linearisedShares(values.documents, floor.documents, ceiling.documents));
    const bool isAtEnd = values.repeats == ceiling.repeats || values.repeats == floor.repeats;
    if (!retained.ci95 && isAtEnd && design.cases > 0.0) {
        const double documents =
            design.testRatio > 0.0
                ? design.cases /
                      (1.0 / static_cast<double>(values.repeats.size()) + design.testRatio)
                : design.cases;
        const double reach = corpus::wilsonInterval(0.0, documents)[1] / whole.mean;
        retained.ci95 = {retained.mean - reach, retained.mean + reach};
    }
    return within(retained, 0.0, 1.0);
}

Difference compareRepeats(const Accuracies& first, const Accuracies& second, RepeatDesign design,
                          double margin) {
    Difference result;
    design.sharedVariance += varianceOfMean(differencesOf(first.documents, second.documents));
    result.difference = estimateOf(differencesOf(first.repeats, second.repeats), design);
    const double error = result.difference.standardError;
    if (!std::isnan(error)) {
        // P(T >= distance / error)
        const auto upperTail = [&](double distance) {
            return numeric::studentProbability(result.difference.degrees, -distance / error);
        };
        const double mean = std::abs(result.difference.mean);
        result.pDifferent = std::min(1.0, 2.0 * upperTail(mean));
        result.pWithinMargin = upperTail(margin - mean);
    }
    return result;
}

std::vector<double> holmAdjusted(std::span<const double> pValues) {
    const auto order = ordered(pValues.size(), [&](std::size_t i) { return pValues[i]; });
    std::vector<double> adjusted(pValues.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        largest = std::max(largest, pValues[order[i]] * static_cast<double>(order.size() - i));
        adjusted[order[i]] = std::min(1.0, largest);
    }
    return adjusted;
}

void decide(std::vector<Difference>& differences) {
    std::vector<double> different;
    std::vector<double> within;
    for (const Difference& difference : differences) {
        different.push_back(difference.pDifferent);
        within.push_back(difference.pWithinMargin);
    }
    different = holmAdjusted(different);
    within = holmAdjusted(within);
    for (std::size_t i = 0; i < differences.size(); ++i) {
        differences[i].verdict = within[i] < kLevel      ? Verdict::withinMargin
                                 : different[i] < kLevel ? Verdict::different
                                                         : Verdict::undecided;
    }
}

}  // namespace epsilens::evaluation
