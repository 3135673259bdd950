#include "core/engine/exact_scores.h"

namespace epsilens::engine {
namespace {

constexpr double kHigherOrders = 1.03;    // covers products of roundings while m u < 0.02
constexpr double kWeightRoundings = 4.0;  // of the weights, the score and the threshold
constexpr double kUnderflow = 0x1p-140;   // more than a product lost below the normal range

double underflowLoss(Eigen::Index dimensions) {
    return static_cast<double>(dimensions + 8) * kUnderflow;
}

}  // namespace

double exactScore(const float* word, const float* candidate, const float* noise,
                  Eigen::Index dimensions, const ScoreWeights& weights) {
    const ScoreLine line = scoreLine(word, candidate, noise, dimensions);
    return weights.alpha * line.squaredDistance - weights.tau * line.projection;
}

double exactScore(const float* word, const float* candidate, const double* noise,
                  Eigen::Index dimensions, const ScoreWeights& weights) {
    double sum = 0.0;
    for (Eigen::Index k = 0; k < dimensions; ++k) {
        const double difference = static_cast<double>(candidate[k]) - static_cast<double>(word[k]);
        sum += difference * (weights.alpha * difference - weights.tau * noise[k]);
    }
    return sum;
}

double squaredDistanceErrorBound(Eigen::Index dimensions, double wordNorm, double otherNorm) {
    const double reach = wordNorm + otherNorm;
    return (0.5 * static_cast<double>(dimensions) + 6.0) * kFloatRoundoff * kHigherOrders * reach *
               reach +
           underflowLoss(dimensions);
}

double squaredChordErrorBound(Eigen::Index dimensions, double inverseNorm,
                              double otherInverseNorm) {
    return (2.0 * static_cast<double>(dimensions) + 14.0) * kFloatRoundoff * kHigherOrders +
           2.0 * underflowLoss(dimensions) * inverseNorm * otherInverseNorm;
}

double scoreErrorPerAlpha(Eigen::Index dimensions, double wordNorm, double otherNorm) {
    const double reach = wordNorm + otherNorm;
    return squaredDistanceErrorBound(dimensions, wordNorm, otherNorm) +
           kWeightRoundings * kFloatRoundoff * kHigherOrders * reach * reach;
}

double scoreErrorPerTau(Eigen::Index dimensions, double noiseNorm, double otherNorm) {
    return (static_cast<double>(dimensions) + kWeightRoundings) * kFloatRoundoff * kHigherOrders *
               noiseNorm * otherNorm +
           underflowLoss(dimensions);
}

double pointScoreError(Eigen::Index dimensions, double weight, double pointNorm, double otherNorm) {
    return kFloatRoundoff * kHigherOrders *
               ((static_cast<double>(dimensions) + 4.0) * pointNorm * otherNorm +
                4.0 * weight * otherNorm * otherNorm) +
           underflowLoss(dimensions);
}

}  // namespace epsilens::engine
