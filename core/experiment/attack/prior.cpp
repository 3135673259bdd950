#include "core/experiment/attack/prior.h"

#include <algorithm>
#include <numeric>

namespace epsilens::experiment {

std::vector<std::int64_t> wordCounts(std::span<const Row> tokens, Row words) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(words));
    for (const Row row : tokens) {
        if (row >= 0 && row < words) {
            ++counts[static_cast<std::size_t>(row)];
        }
    }
    return counts;
}

VectorD smoothedPrior(std::span<const std::int64_t> counts) {
    const auto words = static_cast<Eigen::Index>(counts.size());
    const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    VectorD prior(words);
    for (Eigen::Index row = 0; row < words; ++row) {
        prior[row] = (static_cast<double>(counts[static_cast<std::size_t>(row)]) + 1.0) /
                     static_cast<double>(total + words);
    }
    return prior;
}

VectorD expectedWords(std::span<const std::int64_t> counts) {
    const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const auto once = std::count(counts.begin(), counts.end(), 1);
    if (total == once) {
        return smoothedPrior(counts);
    }
    const auto lacking = std::count(counts.begin(), counts.end(), 0);
    const double missed =
        lacking > 0 ? static_cast<double>(once) / static_cast<double>(total) : 0.0;
    VectorD law(static_cast<Eigen::Index>(counts.size()));
    for (std::size_t row = 0; row < counts.size(); ++row) {
        law[static_cast<Eigen::Index>(row)] =
            counts[row] == 0
                ? missed / static_cast<double>(lacking)
                : (1.0 - missed) * static_cast<double>(counts[row]) / static_cast<double>(total);
    }
    return law;
}

VectorD uniformPrior(Row words) {
    return VectorD::Constant(words, 1.0 / static_cast<double>(words));
}

std::vector<Row> commonestWords(const VectorD& prior, std::int64_t count) {
    std::vector<Row> rows(static_cast<std::size_t>(prior.size()));
    std::iota(rows.begin(), rows.end(), 0);
    const auto kept = static_cast<std::ptrdiff_t>(std::min<std::int64_t>(count, prior.size()));
    std::partial_sort(rows.begin(), rows.begin() + kept, rows.end(), [&](Row a, Row b) {
        return prior[a] != prior[b] ? prior[a] > prior[b] : a < b;
    });
    rows.resize(static_cast<std::size_t>(kept));
    return rows;
}

double priorVulnerability(const VectorD& prior) {
    return prior.maxCoeff();
}

}  // namespace epsilens::experiment
