#pragma once

#include <span>

#include "core/base/eigen.h"
#include "core/base/error.h"

namespace epsilens::experiment {

/// Mean and spread of each feature on the cases it was made from; features that do not vary there
/// become 0.
class Standardisation {
public:
    /// features  cases x features, at least one case
    explicit Standardisation(const RowMatrixD& features);
    /// (feature - mean) / sd
    [[nodiscard]] RowMatrixD apply(const RowMatrixD& features) const;

private:
    VectorD m_means;
    VectorD m_inverseSpreads;
};

/// Logistic regression of two classes, Pr[1 | x] = 1 / (1 + e^{-(w.x + b)}), on few features.
/// Minimises sum_i ln(1 + e^{-y_i (w.x_i + b)}) + penalty/2 ||w||^2 over standardised features, by
/// Newton's method with halved steps.
class LogisticRegression {
public:
    /// features  cases x features, finite
    /// labels    1 or 0, one for each case, both occurring
    /// penalty   > 0
    [[nodiscard]] static LogisticRegression fit(const RowMatrixD& features,
                                                std::span<const std::uint8_t> labels,
                                                double penalty = 1.0);
    /// w.x + b for each case.
    [[nodiscard]] VectorD scores(const RowMatrixD& features) const;

private:
    LogisticRegression(Standardisation standardisation, VectorD weights, double intercept)
        : m_standardisation(std::move(standardisation)),
          m_weights(std::move(weights)),
          m_intercept(intercept) {}

    Standardisation m_standardisation;
    VectorD m_weights;
    double m_intercept;
};

}  // namespace epsilens::experiment
