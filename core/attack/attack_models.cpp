#include "core/attack/attack_models.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

#include "core/base/pass_on.h"
#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

/// Mean and spread of each feature on the cases it was made from; features that do not vary there
/// become 0.
class Standardisation {
public:
    /// features  cases x features, at least one case
    explicit Standardisation(const RowMatrixD& features)
        : m_means(features.colwise().mean().transpose()), m_inverseSpreads(features.cols()) {
        for (Eigen::Index k = 0; k < features.cols(); ++k) {
            const double spread = std::sqrt((features.col(k).array() - m_means[k]).square().mean());
            const double least = 1e-12 * std::max(1.0, std::abs(m_means[k]));
            m_inverseSpreads[k] = spread > least ? 1.0 / spread : 0.0;
        }
    }

    /// (feature - mean) / sd
    [[nodiscard]] RowMatrixD apply(const RowMatrixD& features) const {
        return (features.rowwise() - m_means.transpose()) * m_inverseSpreads.asDiagonal();
    }

private:
    VectorD m_means;
    VectorD m_inverseSpreads;
};

RowMatrixD rectified(const RowMatrixD& values) {
    return values.cwiseMax(0.0);
}

/// The error of a layer's inputs.
RowMatrixD propagated(const RowMatrixD& weights, const RowMatrixD& error,
                      const RowMatrixD& activations) {
    return (error * weights).cwiseProduct((activations.array() > 0.0).cast<double>().matrix());
}

/// Parameters with Adam's estimates of the moments of their gradients.
struct Parameters {
    explicit Parameters(RowMatrixD start)
        : values(std::move(start)),
          first(RowMatrixD::Zero(values.rows(), values.cols())),
          second(first) {}

    /// step  from 1
    void descend(int step, const RowMatrixD& gradient) {
        constexpr double kRate = 1e-3;
        constexpr double kFirstDecay = 0.9;
        constexpr double kSecondDecay = 0.999;
        constexpr double kLeast = 1e-8;
        const double firstBias = 1.0 - std::pow(kFirstDecay, step);
        const double secondBias = 1.0 - std::pow(kSecondDecay, step);
        first.array() += (1.0 - kFirstDecay) * (gradient - first).array();
        second.array() += (1.0 - kSecondDecay) * (gradient.array().square() - second.array());
        values.array() -=
            kRate * (first.array() / firstBias) / ((second.array() / secondBias).sqrt() + kLeast);
    }

    RowMatrixD values;
    RowMatrixD first;
    RowMatrixD second;
};

struct Layer {
    Parameters weights;  ///< outputs x inputs
    Parameters biases;   ///< a row

    [[nodiscard]] RowMatrixD apply(const RowMatrixD& inputs) const {
        return (inputs * weights.values.transpose()).rowwise() + biases.values.row(0);
    }

    void descend(int step, const RowMatrixD& error, const RowMatrixD& inputs) {
        weights.descend(step, error.transpose() * inputs);
        biases.descend(step, error.colwise().sum());
    }
};

using Layers = std::vector<Layer>;  ///< three

/// One step on the mean loss of a batch.
void descend(Layers& layers, int step, const RowMatrixD& inputs, const VectorD& labels) {
    const RowMatrixD first = rectified(layers[0].apply(inputs));
    const RowMatrixD second = rectified(layers[1].apply(first));
    const VectorD logits = layers[2].apply(second).col(0);
    const VectorD probabilities = (1.0 + (-logits.array()).exp()).inverse();
    const RowMatrixD error = (probabilities - labels) / static_cast<double>(labels.size());
    const RowMatrixD secondError = propagated(layers[2].weights.values, error, second);
    const RowMatrixD firstError = propagated(layers[1].weights.values, secondError, first);
    layers[2].descend(step, error, second);
    layers[1].descend(step, secondError, first);
    layers[0].descend(step, firstError, inputs);
}

}  // namespace

Scorer fitLogistic(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                   double penalty) {
    constexpr int kMostSteps = 100;
    constexpr int kMostHalvings = 30;
    constexpr double kTolerance = 1e-10;
    const Standardisation standardisation(features);
    // The last weight is the intercept.
    const Eigen::Index last = features.cols();
    RowMatrixD inputs(features.rows(), last + 1);
    inputs << standardisation.apply(features), VectorD::Ones(features.rows());
    VectorD wanted(features.rows());
    std::ranges::copy(labels, wanted.begin());
    const auto lossAt = [&](const VectorD& weights) {
        const VectorD margins = inputs * weights;
        double sum = 0.5 * penalty * weights.head(last).squaredNorm();
        for (Eigen::Index i = 0; i < margins.size(); ++i) {
            const double wrong = wanted[i] > 0.5 ? -margins[i] : margins[i];
            sum += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
        }
        return sum;
    };
    // Solves Hessian step = gradient.
    const auto newtonStep = [&](const VectorD& weights) -> VectorD {
        const VectorD margins = inputs * weights;
        const VectorD probabilities = (1.0 + (-margins.array()).exp()).inverse();
        VectorD gradient = inputs.transpose() * (probabilities - wanted);
        const VectorD curvatures = probabilities.array() * (1.0 - probabilities.array());
        Eigen::MatrixXd hessian = inputs.transpose() * curvatures.asDiagonal() * inputs;
        gradient.head(last) += penalty * weights.head(last);
        hessian.diagonal().head(last).array() += penalty;
        // Keeps the intercept solvable where all probabilities are 0 or 1.
        hessian(last, last) += 1e-9;
        return hessian.ldlt().solve(gradient);
    };
    VectorD weights = VectorD::Zero(last + 1);
    double value = lossAt(weights);
    for (int step = 0; step < kMostSteps; ++step) {
        VectorD change = newtonStep(weights);
        double next = lossAt(weights - change);
        for (int halving = 0; halving < kMostHalvings && !(next <= value); ++halving) {
            change *= 0.5;
            next = lossAt(weights - change);
        }
        if (!(next < value)) {
            break;
        }
        weights -= change;
        const bool isDone = value - next <= kTolerance * value;
        value = next;
        if (isDone) {
            break;
        }
    }
    return [standardisation, slopes = VectorD(weights.head(last)),
            intercept = weights[last]](const RowMatrixD& cases) {
        return VectorD((standardisation.apply(cases) * slopes).array() + intercept);
    };
}

Result<Scorer> fitPerceptron(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                             std::uint64_t seed, const JobContext& job) {
    constexpr Eigen::Index kWidth = 64;
    constexpr int kEpochs = 20;
    constexpr std::size_t kBatch = 64;
    const Standardisation standardisation(features);
    const RowMatrixD inputs = standardisation.apply(features);
    Layers layers;
    SeededStream stream(StreamKey{seed, corpus::kPerceptron, 0, 0});
    Eigen::Index width = inputs.cols();
    for (const Eigen::Index outputs : {kWidth, kWidth, Eigen::Index{1}}) {
        const double spread =
            std::sqrt(2.0 / static_cast<double>(std::max<Eigen::Index>(width, 1)));
        layers.push_back({Parameters(RowMatrixD::NullaryExpr(
                              outputs, width, [&] { return spread * stream.normal(); })),
                          Parameters(RowMatrixD::Zero(1, outputs))});
        width = outputs;
    }
    int step = 0;
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        const std::vector<std::size_t> order = shuffledIndices(
            labels.size(), {seed, corpus::kPerceptron, 0, static_cast<std::uint32_t>(epoch) + 1});
        for (std::size_t first = 0; first < order.size(); first += kBatch) {
            RETURN_IF_ERROR(job.checkStop());
            const auto batch =
                std::span(order).subspan(first, std::min(kBatch, order.size() - first));
            VectorD wanted(static_cast<Eigen::Index>(batch.size()));
            std::ranges::transform(batch, wanted.begin(),
                                   [&](std::size_t index) { return labels[index]; });
            descend(layers, ++step, inputs(batch, Eigen::all), wanted);
        }
        job.progress(static_cast<double>(epoch + 1) / kEpochs, "Attack model");
    }
    return [standardisation, layers = std::move(layers)](const RowMatrixD& cases) {
        RowMatrixD values = standardisation.apply(cases);
        for (std::size_t k = 0; k + 1 < layers.size(); ++k) {
            values = rectified(layers[k].apply(values));
        }
        return VectorD(layers.back().apply(values).col(0));
    };
}

}  // namespace epsilens::attack
