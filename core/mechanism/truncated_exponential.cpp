#include "core/mechanism/truncated_exponential.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace epsilens::mechanism {
namespace {

Result<void> checkEpsilon(double epsilon) {
    if (epsilon > 0.0 && std::isfinite(epsilon)) {
        return {};
    }
    return refuse(fmt::format("epsilon {} is outside its range, finite and above 0", epsilon));
}

tl::unexpected<Error> badGamma(double gamma) {
    return refuse(fmt::format("gamma {} is outside its range, finite and at least 0", gamma));
}

Result<void> checkBeta(double beta, std::int64_t words) {
    if (!(words >= 2)) {
        return refuse(fmt::format("TEM needs at least 2 words, the vocabulary has {}", words));
    }
    const auto count = static_cast<double>(words);
    const double largest = (count - 1.0) / count;
    if (beta > 0.0 && beta <= largest) {
        return {};
    }
    return refuse(fmt::format(
        "beta {} is outside its range, above 0 and at most (V - 1)/V = {:.6g}", beta, largest));
}

}  // namespace

Result<double> truncationRadius(double epsilon, double beta, std::int64_t words) {
    RETURN_IF_ERROR(checkEpsilon(epsilon));
    RETURN_IF_ERROR(checkBeta(beta, words));
    const double others = static_cast<double>(words) - 1.0;
    const double logarithm = std::log1p(-beta) + std::log(others) - std::log(beta);
    // At the largest beta the logarithm is 0 and rounding may put it below.
    const double gamma = 2.0 * std::max(0.0, logarithm) / epsilon;
    if (!std::isfinite(gamma)) {
        return refuse(fmt::format(
            "epsilon {} is so small that gamma exceeds all numbers; give gamma itself", epsilon));
    }
    return gamma;
}

Result<TruncatedExponential> TruncatedExponential::create(double epsilon, double gamma) {
    RETURN_IF_ERROR(checkEpsilon(epsilon));
    if (!(gamma >= 0.0)) {
        return badGamma(gamma);
    }
    return TruncatedExponential(epsilon, gamma);
}

double TruncatedExponential::exponent(double distance) const {
    return 0.5 * m_epsilon * std::min(distance, m_gamma);
}

Guarantee TruncatedExponential::guarantee(const metric::WordMetric& metric) const {
    Parameters parameters{.lambda = metric.lambda()};
    if (std::isfinite(m_gamma)) {
        parameters.gamma = m_gamma;
    }
    Guarantee result = guaranteeOf(parameters, metric.metric(), m_epsilon);
    if (metric.mahalanobis()) {
        const std::array<double, 2> factors = metric.mahalanobis()->euclideanFactors();
        result.euclidean = {m_epsilon * factors[0], m_epsilon * factors[1]};
    }
    return result;
}

Result<Truncation> Truncation::byRadius(double gamma) {
    if (!(gamma >= 0.0) || !std::isfinite(gamma)) {
        return badGamma(gamma);
    }
    Truncation result;
    result.m_gamma = gamma;
    return result;
}

Result<Truncation> Truncation::byErrorProbability(double beta, std::int64_t words) {
    RETURN_IF_ERROR(checkBeta(beta, words));
    Truncation result;
    result.m_beta = beta;
    result.m_words = words;
    return result;
}

Truncation Truncation::none() {
    Truncation result;
    result.m_gamma = std::numeric_limits<double>::infinity();
    return result;
}

Result<TruncatedExponential> Truncation::at(double epsilon) const {
    if (!m_beta) {
        return TruncatedExponential::create(epsilon, m_gamma);
    }
    ASSIGN_OR_RETURN(const auto gamma, truncationRadius(epsilon, *m_beta, m_words));
    return TruncatedExponential::create(epsilon, gamma);
}

}  // namespace epsilens::mechanism
