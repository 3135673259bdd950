#include "core/experiment/attack/logistic_regression.h"

#include <cmath>

#include <Eigen/Cholesky>

namespace epsilens::experiment {
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

}  // namespace epsilens::experiment
