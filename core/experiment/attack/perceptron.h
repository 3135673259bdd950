#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/logistic_regression.h"

namespace epsilens::experiment {

struct PerceptronOptions {
    Eigen::Index width = 64;  ///< of both hidden layers
    int epochs = 20;
    std::int64_t batch = 64;
    double learningRate = 1e-3;
    std::uint64_t seed = 1;
};

/// A perceptron with two hidden layers of rectified units, trained to tell two classes apart by
/// Adam on the logistic loss, from weights drawn by He's rule. Its features are standardised.
/// Source: the attack model of Carvalho et al. 2021, appendix C; Kingma and Ba 2015, algorithm 1;
/// He et al. 2015, equation 10
class Perceptron {
public:
    /// features, labels  as LogisticRegression::fit
    /// Fails with cancelled.
    [[nodiscard]] static Result<Perceptron> fit(const RowMatrixD& features,
                                                std::span<const std::uint8_t> labels,
                                                const PerceptronOptions& options,
                                                const JobContext& job = {});
    /// Logarithm of the odds for class 1, for each case.
    [[nodiscard]] VectorD scores(const RowMatrixD& features) const;

private:
    struct Layer {
        RowMatrixD weights{};  ///< outputs x inputs
        VectorD biases{};
    };
    using Layers = std::array<Layer, 3>;

    explicit Perceptron(Standardisation standardisation)
        : m_standardisation(std::move(standardisation)) {}
    friend class PerceptronTraining;

    Standardisation m_standardisation;
    Layers m_layers{};
};

}  // namespace epsilens::experiment
