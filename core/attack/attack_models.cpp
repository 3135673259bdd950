#include "core/attack/attack_models.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

// The penalised loss of one vector of weights, the last of which is the intercept.
class Loss {
public:
    Loss(RowMatrixD features, std::span<const std::uint8_t> labels, double penalty)
        : m_features(std::move(features)), m_labels(m_features.rows()), m_penalty(penalty) {
        m_features.conservativeResize(Eigen::NoChange, m_features.cols() + 1);
        m_features.rightCols(1).setOnes();
        for (Eigen::Index i = 0; i < m_labels.size(); ++i) {
            m_labels[i] = labels[static_cast<std::size_t>(i)];
        }
    }

    [[nodiscard]] Eigen::Index weights() const { return m_features.cols(); }

    [[nodiscard]] double at(const VectorD& weights) const {
        const VectorD margins = m_features * weights;
        double sum = 0.5 * m_penalty * weights.head(weights.size() - 1).squaredNorm();
        for (Eigen::Index i = 0; i < margins.size(); ++i) {
            const double wrong = m_labels[i] > 0.5 ? -margins[i] : margins[i];
            sum += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
        }
        return sum;
    }

    // Solves Hessian step = gradient.
    [[nodiscard]] VectorD newtonStep(const VectorD& weights) const {
        const VectorD margins = m_features * weights;
        const VectorD probabilities = (1.0 + (-margins.array()).exp()).inverse();
        VectorD gradient = m_features.transpose() * (probabilities - m_labels);
        const VectorD curvatures = probabilities.array() * (1.0 - probabilities.array());
        Eigen::MatrixXd hessian = m_features.transpose() * curvatures.asDiagonal() * m_features;
        const Eigen::Index last = weights.size() - 1;
        gradient.head(last) += m_penalty * weights.head(last);
        hessian.diagonal().head(last).array() += m_penalty;
        // Keeps the intercept solvable where all probabilities are 0 or 1.
        hessian(last, last) += 1e-9;
        return hessian.ldlt().solve(gradient);
    }

private:
    RowMatrixD m_features;
    VectorD m_labels;
    double m_penalty;
};

RowMatrixD rectified(const RowMatrixD& values) {
    return values.cwiseMax(0.0);
}

/// The error of a layer's inputs.
RowMatrixD propagated(const RowMatrixD& weights, const RowMatrixD& error,
                      const RowMatrixD& activations) {
    return (error * weights).cwiseProduct((activations.array() > 0.0).cast<double>().matrix());
}

}  // namespace

Standardisation::Standardisation(const RowMatrixD& features)
    : m_means(features.colwise().mean().transpose()), m_inverseSpreads(features.cols()) {
    for (Eigen::Index k = 0; k < features.cols(); ++k) {
        const double spread = std::sqrt((features.col(k).array() - m_means[k]).square().mean());
        const double least = 1e-12 * std::max(1.0, std::abs(m_means[k]));
        m_inverseSpreads[k] = spread > least ? 1.0 / spread : 0.0;
    }
}

RowMatrixD Standardisation::apply(const RowMatrixD& features) const {
    return (features.rowwise() - m_means.transpose()) * m_inverseSpreads.asDiagonal();
}

LogisticRegression LogisticRegression::fit(const RowMatrixD& features,
                                           std::span<const std::uint8_t> labels, double penalty) {
    Standardisation standardisation(features);
    const Loss loss(standardisation.apply(features), labels, penalty);
    VectorD weights = VectorD::Zero(loss.weights());
    double value = loss.at(weights);
    constexpr int kMostSteps = 100;
    constexpr double kTolerance = 1e-10;
    for (int step = 0; step < kMostSteps; ++step) {
        VectorD change = loss.newtonStep(weights);
        double next = loss.at(weights - change);
        for (int halving = 0; halving < 30 && !(next <= value); ++halving) {
            change *= 0.5;
            next = loss.at(weights - change);
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
    const Eigen::Index last = weights.size() - 1;
    return {std::move(standardisation), weights.head(last), weights[last]};
}

VectorD LogisticRegression::scores(const RowMatrixD& features) const {
    return (m_standardisation.apply(features) * m_weights).array() + m_intercept;
}

Perceptron::Parameters::Parameters(RowMatrixD start)
    : values(std::move(start)),
      first(RowMatrixD::Zero(values.rows(), values.cols())),
      second(first) {}

void Perceptron::Parameters::descend(int step, const RowMatrixD& gradient) {
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

RowMatrixD Perceptron::Layer::apply(const RowMatrixD& inputs) const {
    return (inputs * weights.values.transpose()).rowwise() + biases.values.row(0);
}

void Perceptron::Layer::descend(int step, const RowMatrixD& error, const RowMatrixD& inputs) {
    weights.descend(step, error.transpose() * inputs);
    biases.descend(step, error.colwise().sum());
}

void Perceptron::descend(int step, const RowMatrixD& inputs, const VectorD& labels) {
    const RowMatrixD first = rectified(m_layers[0].apply(inputs));
    const RowMatrixD second = rectified(m_layers[1].apply(first));
    const VectorD logits = m_layers[2].apply(second).col(0);
    const VectorD probabilities = (1.0 + (-logits.array()).exp()).inverse();
    const RowMatrixD error = (probabilities - labels) / static_cast<double>(labels.size());
    const RowMatrixD secondError = propagated(m_layers[2].weights.values, error, second);
    const RowMatrixD firstError = propagated(m_layers[1].weights.values, secondError, first);
    m_layers[2].descend(step, error, second);
    m_layers[1].descend(step, secondError, first);
    m_layers[0].descend(step, firstError, inputs);
}

Result<Perceptron> Perceptron::fit(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                                   std::uint64_t seed, const JobContext& job) {
    constexpr Eigen::Index kWidth = 64;
    constexpr int kEpochs = 20;
    constexpr std::size_t kBatch = 64;
    Perceptron model{Standardisation(features)};
    const RowMatrixD inputs = model.m_standardisation.apply(features);
    SeededStream stream(StreamKey{seed, corpus::kPerceptron, 0, 0});
    Eigen::Index width = inputs.cols();
    for (const Eigen::Index outputs : {kWidth, kWidth, Eigen::Index{1}}) {
        const double spread =
            std::sqrt(2.0 / static_cast<double>(std::max<Eigen::Index>(width, 1)));
        model.m_layers.push_back({Parameters(RowMatrixD::NullaryExpr(
                                      outputs, width, [&] { return spread * stream.normal(); })),
                                  Parameters(RowMatrixD::Zero(1, outputs))});
        width = outputs;
    }
    int step = 0;
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        const std::vector<std::size_t> order = corpus::shuffled(
            labels.size(), seed, corpus::kPerceptron, static_cast<std::uint32_t>(epoch) + 1);
        for (std::size_t first = 0; first < order.size(); first += kBatch) {
            if (job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            const auto batch =
                std::span(order).subspan(first, std::min(kBatch, order.size() - first));
            VectorD wanted(static_cast<Eigen::Index>(batch.size()));
            std::ranges::transform(batch, wanted.begin(),
                                   [&](std::size_t index) { return labels[index]; });
            model.descend(++step, inputs(batch, Eigen::all), wanted);
        }
        job.progress(static_cast<double>(epoch + 1) / kEpochs, "Attack model");
    }
    return model;
}

VectorD Perceptron::scores(const RowMatrixD& features) const {
    RowMatrixD values = m_standardisation.apply(features);
    for (std::size_t k = 0; k + 1 < m_layers.size(); ++k) {
        values = rectified(m_layers[k].apply(values));
    }
    return m_layers.back().apply(values).col(0);
}

}  // namespace epsilens::attack
