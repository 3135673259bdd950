#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::attack {

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

/// A perceptron with two hidden layers of 64 rectified units, trained to tell two classes apart by
/// Adam on the logistic loss, 20 epochs in batches of 64, from weights drawn by He's rule. Its
/// features are standardised.
/// Source: the attack model of Carvalho et al. 2021, appendix C; Kingma and Ba 2015, algorithm 1;
/// He et al. 2015, equation 10
class Perceptron {
public:
    /// features, labels  as LogisticRegression::fit
    /// Fails with cancelled.
    [[nodiscard]] static Result<Perceptron> fit(const RowMatrixD& features,
                                                std::span<const std::uint8_t> labels,
                                                std::uint64_t seed, const JobContext& job = {});
    /// Logarithm of the odds for class 1, for each case.
    [[nodiscard]] VectorD scores(const RowMatrixD& features) const;

private:
    /// Parameters with Adam's estimates of the moments of their gradients.
    struct Parameters {
        explicit Parameters(RowMatrixD start);
        /// step  from 1
        void descend(int step, const RowMatrixD& gradient);

        RowMatrixD values;
        RowMatrixD first;
        RowMatrixD second;
    };
    struct Layer {
        Parameters weights;  ///< outputs x inputs
        Parameters biases;   ///< a row

        [[nodiscard]] RowMatrixD apply(const RowMatrixD& inputs) const;
        void descend(int step, const RowMatrixD& error, const RowMatrixD& inputs);
    };

    explicit Perceptron(Standardisation standardisation)
        : m_standardisation(std::move(standardisation)) {}
    /// One step on the mean loss of a batch.
    void descend(int step, const RowMatrixD& inputs, const VectorD& labels);

    Standardisation m_standardisation;
    std::vector<Layer> m_layers{};  ///< three
};

}  // namespace epsilens::attack
