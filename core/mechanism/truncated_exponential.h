#pragma once

#include <cstdint>
#include <optional>

#include "core/base/error.h"
#include "core/mechanism/guarantee.h"
#include "core/metric/word_metric.h"

namespace epsilens::mechanism {

/// Radius that TEM's output leaves with probability at most beta.
///
///   gamma = (2 / epsilon) ln((1 - beta)(V - 1) / beta)
///
/// epsilon  per unit of the mechanism's metric, finite, > 0
/// beta     probability, in (0, (V - 1) / V]
/// words    V, vocabulary size, >= 2
/// Returns gamma >= 0 in units of the metric. Fails with invalidArgument outside these ranges, NaN
/// included, and when gamma exceeds the range of double.
/// Source: Carvalho et al. 2021, Theorem 3. Derivation: truncated_exponential.md
[[nodiscard]] Result<double> truncationRadius(double epsilon, double beta, std::int64_t words);

/// The truncated exponential mechanism (TEM) at one setting: word u comes out for w with
/// probability
///   p(u|w) = exp(-epsilon min(d(w, u), gamma) / 2) / (sum of the same over all words),
/// the exponential mechanism for the metric min(d, gamma). All words take part, those with equal
/// vectors included.
/// Source: Carvalho et al. 2021, Algorithms 2 and 3. Derivation: truncated_exponential.md
class TruncatedExponential {
public:
    /// epsilon  per unit of the metric, finite, > 0
    /// gamma    radius in units of the metric, >= 0; 0 makes every output equally likely, infinity
    ///          lets all distances count
    /// Fails with invalidArgument outside these ranges, NaN included.
    [[nodiscard]] static Result<TruncatedExponential> create(double epsilon, double gamma);

    [[nodiscard]] double epsilon() const { return m_epsilon; }
    [[nodiscard]] double gamma() const { return m_gamma; }

    /// epsilon min(d, gamma) / 2: a word at distance d has the weight exp(-exponent(d)).
    [[nodiscard]] double exponent(double distance) const;
    /// Largest exponent, epsilon gamma / 2.
    [[nodiscard]] double cap() const { return exponent(m_gamma); }

    /// epsilon min(d, gamma): the bound is epsilon, the whole loss at most epsilon gamma. Without
    /// gamma and cap if gamma is infinite.
    [[nodiscard]] Guarantee guarantee(const metric::WordMetric& metric) const;

private:
    TruncatedExponential(double epsilon, double gamma) : m_epsilon(epsilon), m_gamma(gamma) {}

    double m_epsilon;
    double m_gamma;
};

/// How the radius of a TEM is chosen: one gamma for every epsilon, for each epsilon the gamma of an
/// error probability, or none.
class Truncation {
public:
    /// Fails with invalidArgument unless gamma is finite and >= 0.
    [[nodiscard]] static Result<Truncation> byRadius(double gamma);
    /// Fails with invalidArgument unless beta is in (0, (V - 1) / V].
    [[nodiscard]] static Result<Truncation> byErrorProbability(double beta, std::int64_t words);

    /// All distances count: the exponential mechanism.
    [[nodiscard]] static Truncation none();

    /// Nothing unless the radius follows from it.
    [[nodiscard]] std::optional<double> beta() const { return m_beta; }
    /// Whether p(w|w) stays below 1/2 for every epsilon and every word among more than two: radius
    /// 0 makes all outputs equally likely, and a beta of 1/2 or more asks for as much beyond gamma.
    [[nodiscard]] bool keepsAtMostHalf() const { return m_beta ? *m_beta >= 0.5 : m_gamma == 0.0; }
    /// The mechanism at an epsilon. Fails as TruncatedExponential::create and truncationRadius.
    [[nodiscard]] Result<TruncatedExponential> at(double epsilon) const;

private:
    double m_gamma = 0.0;
    std::optional<double> m_beta{};
    std::int64_t m_words = 0;
};

}  // namespace epsilens::mechanism
