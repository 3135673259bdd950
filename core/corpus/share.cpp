#include "core/corpus/share.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>

#include "core/numeric/quantile.h"

namespace epsilens::corpus {
namespace {

struct Ratio {
    double value = 0.0;
    double standardError = 0.0;
    double documents = 0.0;

    /// Whether the documents differ by more than rounding.
    [[nodiscard]] bool varies() const {
        constexpr double kRounding = 1e-9;
        return standardError > kRounding;
    }
    /// Half of an interval of Student's t with as many degrees of freedom as there are documents
    /// less one.
    [[nodiscard]] double reach() const {
        return numeric::studentQuantile(documents - 1.0, 0.975) * standardError;
    }
};

// Sum of the squares that tokens of several documents with the same draw add to those of the
// documents, by the residual of each token.
double squaresOfDraws(std::span<const double> residuals, std::span<const std::int32_t> documents,
                      std::span<const std::int32_t> draws) {
    std::vector<double> ofDraws;
    std::map<std::int32_t, double> within;
    double ofBoth = 0.0;
    for (std::size_t i = 0; i < residuals.size(); ++i) {
        const auto draw = static_cast<std::size_t>(draws[i]);
        ofDraws.resize(std::max(ofDraws.size(), draw + 1));
        ofDraws[draw] += residuals[i];
        within[draws[i]] += residuals[i];
        if (i + 1 == residuals.size() || documents[i + 1] != documents[i]) {
            for (const auto& [own, sum] : within) {
                ofBoth += sum * sum;
            }
            within.clear();
        }
    }
    const double squares = std::transform_reduce(ofDraws.begin(), ofDraws.end(), 0.0, std::plus<>(),
                                                 [](double sum) { return sum * sum; });
    return std::max(0.0, squares - ofBoth);
}

// values  of each token
Ratio ratioByDocuments(std::span<const std::int32_t> documents, const SharedDraws& draws,
                       std::span<const double> values) {
    std::vector<double> sums;  // of each document
    std::vector<double> tokens;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        if (i == 0 || documents[i] != documents[i - 1]) {
            sums.push_back(0.0);
            tokens.push_back(0.0);
        }
        sums.back() += values[i];
        tokens.back() += 1.0;
    }
    Ratio ratio{0.0, 0.0, static_cast<double>(sums.size())};
    if (sums.empty()) {
        return ratio;
    }
    const auto all = static_cast<double>(documents.size());
    ratio.value = std::accumulate(sums.begin(), sums.end(), 0.0) / all;
    double squares = 0.0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double rest = sums[i] - ratio.value * tokens[i];
        squares += rest * rest;
    }
    if (sums.size() > 1) {
        squares *= ratio.documents / (ratio.documents - 1.0);
        std::vector<double> residuals;
        for (std::size_t i = 0; i < draws.size(); ++i) {
            residuals.push_back(values[i] - ratio.value);
        }
        squares += squaresOfDraws(residuals, documents, draws);
        ratio.standardError = std::sqrt(squares) / all;
    }
    return ratio;
}

/// Interval of a difference that is the same in every document.
std::array<double, 2> constantInterval(double difference, double documents) {
    if (difference == 0.0) {
        const double most = wilsonInterval(0.0, documents)[1];
        return {-most, most};
    }
    const auto share = wilsonInterval((1.0 + difference) / 2.0, documents);
    return {2.0 * share[0] - 1.0, 2.0 * share[1] - 1.0};
}

}  // namespace

SharedDraws drawsAt(const SharedDraws& draws, std::span<const std::size_t> tokens) {
    SharedDraws some;
    for (const std::size_t token : draws.empty() ? std::span<const std::size_t>() : tokens) {
        some.push_back(draws[token]);
    }
    return some;
}

std::array<double, 2> wilsonInterval(double share, double count) {
    constexpr double kSquare = calibration::kNormal95 * calibration::kNormal95;
    const double centre = (share + kSquare / (2.0 * count)) / (1.0 + kSquare / count);
    const double half = calibration::kNormal95 / (1.0 + kSquare / count) *
                        std::sqrt(share * (1.0 - share) / count + kSquare / (4.0 * count * count));
    return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

Measured shareByDocuments(std::span<const float> values, std::span<const std::int32_t> documents,
                          const SharedDraws& draws) {
    const Ratio ratio =
        ratioByDocuments(documents, draws, std::vector<double>(values.begin(), values.end()));
    Measured share{ratio.value};
    if (ratio.documents > 1.0) {
        // The standard error of few documents is itself uncertain: fewer tokens count.
        const double half = ratio.reach() / calibration::kNormal95;
        share.ci95 = wilsonInterval(
            ratio.value,
            ratio.varies() ? ratio.value * (1.0 - ratio.value) / (half * half) : ratio.documents);
    }
    return share;
}

Measured differenceByDocuments(std::span<const float> first, std::span<const float> second,
                               std::span<const std::int32_t> documents, const SharedDraws& draws) {
    const Ratio ratio = ratioByDocuments(documents, draws, differencesOf(first, second));
    Measured share{ratio.value};
    if (ratio.documents > 1.0 && !ratio.varies()) {
        share.ci95 = constantInterval(ratio.value, ratio.documents);
    } else if (ratio.documents > 1.0) {
        const double half = ratio.reach();
        share.ci95 = {std::max(-1.0, ratio.value - half), std::min(1.0, ratio.value + half)};
    }
    return share;
}

}  // namespace epsilens::corpus
