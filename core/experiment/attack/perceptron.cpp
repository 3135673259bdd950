#include "core/experiment/attack/perceptron.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/experiment/attack/streams.h"

namespace epsilens::experiment {
namespace {

// Adam's estimates of the moments of one array of parameters.
class Adam {
public:
    explicit Adam(Eigen::Index size) : m_first(VectorD::Zero(size)), m_second(m_first) {}

    /// step  from 1
    void update(double rate, int step, const double* gradient, double* parameters) {
        constexpr double kFirstDecay = 0.9;
        constexpr double kSecondDecay = 0.999;
        constexpr double kLeast = 1e-8;
        const double firstBias = 1.0 - std::pow(kFirstDecay, step);
        const double secondBias = 1.0 - std::pow(kSecondDecay, step);
        for (Eigen::Index i = 0; i < m_first.size(); ++i) {
            m_first[i] += (1.0 - kFirstDecay) * (gradient[i] - m_first[i]);
            m_second[i] += (1.0 - kSecondDecay) * (gradient[i] * gradient[i] - m_second[i]);
            parameters[i] -=
                rate * (m_first[i] / firstBias) / (std::sqrt(m_second[i] / secondBias) + kLeast);
        }
    }

private:
    VectorD m_first;
    VectorD m_second;
};

RowMatrixD rectified(const RowMatrixD& values) {
    return values.cwiseMax(0.0);
}

}  // namespace

class PerceptronTraining {
public:
    PerceptronTraining(Perceptron& model, Eigen::Index inputs, const PerceptronOptions& options)
        : m_layers(model.m_layers), m_rate(options.learningRate) {
        SeededStream stream(StreamKey{options.seed, kPerceptron, 0, 0});
        Eigen::Index width = inputs;
        for (std::size_t k = 0; k < m_layers.size(); ++k) {
            const Eigen::Index outputs = k + 1 < m_layers.size() ? options.width : 1;
            const double spread =
                std::sqrt(2.0 / static_cast<double>(std::max<Eigen::Index>(width, 1)));
            m_layers[k].weights =
                RowMatrixD::NullaryExpr(outputs, width, [&] { return spread * stream.normal(); });
            m_layers[k].biases.setZero(outputs);
            m_adams.emplace_back(outputs * width);
            m_adams.emplace_back(outputs);
            width = outputs;
        }
    }

    static RowMatrixD layerOf(const Perceptron::Layer& layer, const RowMatrixD& inputs) {
        return (inputs * layer.weights.transpose()).rowwise() + layer.biases.transpose();
    }

    static VectorD outputs(const Perceptron::Layers& layers, const RowMatrixD& inputs) {
        const RowMatrixD first = rectified(layerOf(layers[0], inputs));
        const RowMatrixD second = rectified(layerOf(layers[1], first));
        return layerOf(layers[2], second).col(0);
    }

    // One step on the mean loss of a batch.
    void step(const RowMatrixD& inputs, const VectorD& labels) {
        const RowMatrixD first = rectified(layerOf(m_layers[0], inputs));
        const RowMatrixD second = rectified(layerOf(m_layers[1], first));
        const VectorD logits = layerOf(m_layers[2], second).col(0);
        const VectorD probabilities = (1.0 + (-logits.array()).exp()).inverse();
        RowMatrixD error = (probabilities - labels) / static_cast<double>(labels.size());
        ++m_step;
        const RowMatrixD secondError = propagated(m_layers[2], error, second);
        const RowMatrixD firstError = propagated(m_layers[1], secondError, first);
        descend(2, error, second);
        descend(1, secondError, first);
        descend(0, firstError, inputs);
    }

private:
    static RowMatrixD propagated(const Perceptron::Layer& layer, const RowMatrixD& error,
                                 const RowMatrixD& activations) {
        return (error * layer.weights)
            .cwiseProduct((activations.array() > 0.0).cast<double>().matrix());
    }

    void descend(std::size_t k, const RowMatrixD& error, const RowMatrixD& inputs) {
        const RowMatrixD weightGradient = error.transpose() * inputs;
        const VectorD biasGradient = error.colwise().sum().transpose();
        m_adams[2 * k].update(m_rate, m_step, weightGradient.data(), m_layers[k].weights.data());
        m_adams[2 * k + 1].update(m_rate, m_step, biasGradient.data(), m_layers[k].biases.data());
    }

    Perceptron::Layers& m_layers;
    double m_rate;
    std::vector<Adam> m_adams{};  ///< weights and biases of each layer
    int m_step = 0;
};

Result<Perceptron> Perceptron::fit(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                                   const PerceptronOptions& options, const JobContext& job) {
    Perceptron model{Standardisation(features)};
    const RowMatrixD inputs = model.m_standardisation.apply(features);
    PerceptronTraining training(model, inputs.cols(), options);
    const auto batch = static_cast<std::size_t>(options.batch);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        const std::vector<std::size_t> order = shuffled(labels.size(), options.seed, kPerceptron,
                                                        static_cast<std::uint32_t>(epoch) + 1);
        for (std::size_t first = 0; first < order.size(); first += batch) {
            if (job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            const std::size_t count = std::min(batch, order.size() - first);
            RowMatrixD some(static_cast<Eigen::Index>(count), inputs.cols());
            VectorD wanted(static_cast<Eigen::Index>(count));
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t index = order[first + i];
                some.row(static_cast<Eigen::Index>(i)) =
                    inputs.row(static_cast<Eigen::Index>(index));
                wanted[static_cast<Eigen::Index>(i)] = labels[index];
            }
            training.step(some, wanted);
        }
        job.progress(static_cast<double>(epoch + 1) / options.epochs, "Attack model");
    }
    return model;
}

VectorD Perceptron::scores(const RowMatrixD& features) const {
    return PerceptronTraining::outputs(m_layers, m_standardisation.apply(features));
}

}  // namespace epsilens::experiment
