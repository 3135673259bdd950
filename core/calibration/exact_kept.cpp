#include "core/calibration/exact_kept.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace epsilens::calibration {

namespace {

constexpr std::size_t kMostBins = std::size_t{1} << 22;

/// The order statistic of a rank in [0, n) of the values that a histogram counts.
double valueAtRank(std::span<const std::int64_t> histogram, std::int64_t rank) {
    std::int64_t below = 0;
    for (std::size_t count = 0; count < histogram.size(); ++count) {
        below += histogram[count];
        if (rank < below) {
            return static_cast<double>(count);
        }
    }
    return static_cast<double>(histogram.size()) - 1.0;
}

double quantileOfCounts(std::span<const std::int64_t> histogram, std::int64_t words, double share) {
    const double place = static_cast<double>(words - 1) * share;
    const auto rank = static_cast<std::int64_t>(std::floor(place));
    const double low = valueAtRank(histogram, rank);
    const double high = valueAtRank(histogram, std::min(rank + 1, words - 1));
    return low + (place - static_cast<double>(rank)) * (high - low);
}

}  // namespace

statistics::Summary summaryOfCounts(std::span<const std::int64_t> histogram) {
    std::int64_t words = 0;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t count = 0; count < histogram.size(); ++count) {
        const auto often = static_cast<double>(histogram[count]);
        const auto value = static_cast<double>(count);
        words += histogram[count];
        sum += often * value;
        squares += often * value * value;
    }
    const auto n = static_cast<double>(words);
    statistics::Summary summary;
    summary.mean = sum / n;
    summary.sd = std::sqrt(std::max(0.0, squares / n - summary.mean * summary.mean));
    summary.min = valueAtRank(histogram, 0);
    summary.p1 = quantileOfCounts(histogram, words, 0.01);
    summary.p5 = quantileOfCounts(histogram, words, 0.05);
    summary.p25 = quantileOfCounts(histogram, words, 0.25);
    summary.p50 = quantileOfCounts(histogram, words, 0.50);
    summary.p75 = quantileOfCounts(histogram, words, 0.75);
    summary.p95 = quantileOfCounts(histogram, words, 0.95);
    summary.p99 = quantileOfCounts(histogram, words, 0.99);
    summary.max = valueAtRank(histogram, words - 1);
    return summary;
}

ExactKept::ExactKept(std::shared_ptr<const CriticalTable> table, int draws)
    : m_table(std::move(table)), m_draws(static_cast<std::size_t>(draws)) {}

std::vector<CurvePoint> ExactKept::at(std::span<const double> epsilons) const {
    // With many draws the histograms of all epsilons would take gigabytes.
    const std::size_t atOnce = std::max(std::size_t{1}, kMostBins / (m_draws + 1));
    std::vector<CurvePoint> points;
    points.reserve(epsilons.size());
    for (std::size_t first = 0; first < epsilons.size(); first += atOnce) {
        append(epsilons.subspan(first, std::min(atOnce, epsilons.size() - first)), points);
    }
    return points;
}

void ExactKept::append(std::span<const double> epsilons, std::vector<CurvePoint>& points) const {
    const std::size_t bins = m_draws + 1;
    std::vector<std::int64_t> histograms(epsilons.size() * bins, 0);
    const auto draws = static_cast<std::ptrdiff_t>(m_draws);
    for (auto word = m_table->values.begin(); word != m_table->values.end(); word += draws) {
        auto kept = std::upper_bound(word, word + draws, epsilons.front());
        for (std::size_t e = 0; e < epsilons.size(); ++e) {
            while (kept != word + draws && *kept <= epsilons[e]) {
                ++kept;
            }
            ++histograms[e * bins + static_cast<std::size_t>(kept - word)];
        }
    }
    for (std::size_t e = 0; e < epsilons.size(); ++e) {
        points.push_back(
            {epsilons[e],
             summaryOfCounts(std::span<const std::int64_t>(histograms).subspan(e * bins, bins))});
    }
}

}  // namespace epsilens::calibration
