#include "core/experiment/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/numeric/student_t.h"

namespace epsilens::experiment {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();
constexpr double kLevel = 0.05;

double meanOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> differencesOf(std::span<const double> first, std::span<const double> second) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < first.size(); ++i) {
        differences.push_back(first[i] - second[i]);
    }
    return differences;
}

/// P(T >= t) where the standard error may be 0.
double upperTail(double distance, double standardError, double degrees) {
    if (standardError > 0.0) {
        return numeric::studentProbability(degrees, -distance / standardError);
    }
    return distance > 0.0 ? 0.0 : distance < 0.0 ? 1.0 : 0.5;
}

}  // namespace

Estimate estimateOf(std::span<const double> values, const RepeatDesign& design,
                    std::optional<std::array<double, 2>> range) {
    std::vector<double> there;
    std::copy_if(values.begin(), values.end(), std::back_inserter(there),
                 [](double value) { return !std::isnan(value); });
    if (there.empty()) {
        return {kNotThere, std::nullopt, kNotThere};
    }
    const double mean = meanOf(there);
    const auto n = static_cast<double>(there.size());
    if (there.size() < 2) {
        return {mean, std::nullopt, kNotThere};
    }
    double squares = 0.0;
    for (const double value : there) {
        squares += (value - mean) * (value - mean);
    }
    const double error =
        std::sqrt(squares / (n - 1.0) * (1.0 / n + design.testRatio) + design.sharedVariance);
    const double half = numeric::studentQuantile(n - 1.0, 1.0 - kLevel / 2.0) * error;
    std::array<double, 2> interval{mean - half, mean + half};
    if (range) {
        interval = {std::max(interval[0], (*range)[0]), std::min(interval[1], (*range)[1])};
    }
    return {mean, interval, error};
}

std::vector<double> linearisedShares(std::span<const double> values, std::span<const double> floor,
                                     std::span<const double> ceiling) {
    const std::vector<double> room = differencesOf(ceiling, floor);
    const std::vector<double> gained = differencesOf(values, floor);
    const double whole = meanOf(room);
    const double retained = meanOf(gained) / whole;
    std::vector<double> linearised;
    linearised.reserve(room.size());
    for (std::size_t i = 0; i < room.size(); ++i) {
        linearised.push_back(retained + (gained[i] - retained * room[i]) / whole);
    }
    return linearised;
}

std::optional<Estimate> retainedShare(std::span<const double> values, std::span<const double> floor,
                                      std::span<const double> ceiling, const RepeatDesign& design) {
    const RepeatDesign split{design.testRatio, 0.0};
    const std::vector<double> room = differencesOf(ceiling, floor);
    const Estimate whole = estimateOf(room, split, std::nullopt);
    if (!(whole.mean >= 2.0 * whole.standardError) || whole.mean <= 0.0) {
        return std::nullopt;
    }
    return estimateOf(linearisedShares(values, floor, ceiling), split, std::nullopt);
}

Difference compareRepeats(std::span<const double> first, std::span<const double> second,
                          const RepeatDesign& design, double margin) {
    Difference result;
    const std::vector<double> differences = differencesOf(first, second);
    result.difference = estimateOf(differences, design, std::nullopt);
    const double error = result.difference.standardError;
    if (std::isnan(error)) {
        return result;
    }
    const double degrees = static_cast<double>(differences.size()) - 1.0;
    const double mean = std::abs(result.difference.mean);
    result.pDifferent = std::min(1.0, 2.0 * upperTail(mean, error, degrees));
    result.pWithinMargin = upperTail(margin - mean, error, degrees);
    return result;
}

std::vector<double> holmAdjusted(std::span<const double> pValues) {
    std::vector<std::size_t> order(pValues.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return pValues[a] < pValues[b]; });
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

}  // namespace epsilens::experiment
