#include "core/document/compared_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::document {
namespace {

using experiment::Difference;
using experiment::Estimate;

// 97.5% quantile of the normal law.
constexpr double kNormalQuantile = 1.959963984540054;

/// P(Z > z) of the normal law.
double upperTail(double z) {
    return std::erfc(z / std::sqrt(2.0)) / 2.0;
}

/// A radius worked out from beta has many digits.
std::string shortNumber(double value) {
    constexpr std::size_t kMostBytes = 6;
    constexpr int kDigits = 4;
    const std::string text = formatNumber(value);
    return text.size() <= kMostBytes ? text : formatSignificant(value, kDigits);
}

}  // namespace

std::string settingTitle(const StoredCondition& condition) {
    constexpr std::array kSymbols{"ε", "λ", "γ", "β"};
    std::string title;
    for (std::size_t i = 0; i < kSymbols.size(); ++i) {
        if (condition.setting.at(i)) {
            title += fmt::format("{}{} {}", title.empty() ? "" : ", ", kSymbols.at(i),
                                 shortNumber(*condition.setting.at(i)));
        }
    }
    return title.empty() ? condition.name : title;
}

std::string settingTitle(const StoredCondition& first, const StoredCondition& second) {
    return first.name == second.name
               ? settingTitle(first)
               : fmt::format("{} | {}", settingTitle(first), settingTitle(second));
}

std::vector<std::pair<const StoredCondition*, const StoredCondition*>> settingPairs(
    const std::vector<StoredCondition>& first, const std::vector<StoredCondition>& second,
    std::vector<std::string>& remarks) {
    std::vector<std::pair<const StoredCondition*, const StoredCondition*>> pairs;
    for (const StoredCondition& cell : first) {
        const auto partner = std::find_if(
            second.begin(), second.end(),
            [&](const StoredCondition& other) { return other.setting == cell.setting; });
        if (partner != second.end()) {
            pairs.emplace_back(&cell, &*partner);
        }
    }
    if (pairs.empty() && first.size() == second.size()) {
        remarks.emplace_back(
            "No setting is in both runs; they stand beside each other in their order.");
        for (std::size_t i = 0; i < first.size(); ++i) {
            pairs.emplace_back(&first[i], &second[i]);
        }
    } else if (pairs.size() < std::max(first.size(), second.size())) {
        remarks.push_back(
            fmt::format("{} settings are in both runs; the first has {}, the second {}.",
                        pairs.size(), first.size(), second.size()));
    }
    return pairs;
}

Difference looseDifference(const Estimate& first, const Estimate& second, double margin) {
    Difference result;
    const double mean = first.mean - second.mean;
    result.difference = {mean, std::nullopt, std::nan("")};
    if (!first.ci95 || !second.ci95) {
        return result;
    }
    const auto half = [](const Estimate& estimate) {
        return ((*estimate.ci95)[1] - (*estimate.ci95)[0]) / 2.0;
    };
    const double width = std::hypot(half(first), half(second));
    const double error = width / kNormalQuantile;
    result.difference = {mean, std::array{mean - width, mean + width}, error};
    if (error > 0.0) {
        result.pDifferent = 2.0 * upperTail(std::abs(mean) / error);
        result.pWithinMargin = upperTail((margin - std::abs(mean)) / error);
    } else {
        result.pDifferent = mean == 0.0 ? 1.0 : 0.0;
        result.pWithinMargin = std::abs(mean) < margin ? 0.0 : 1.0;
    }
    return result;
}

}  // namespace epsilens::document
