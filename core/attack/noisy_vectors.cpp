#include "core/attack/noisy_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/attack/context_attack.h"
#include "core/attack/prior.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"
#include "core/metric/poincare_distance.h"
#include "core/numeric/matrix_product.h"
#include "core/numeric/radial_laws.h"

namespace epsilens::attack {
namespace {

using mechanism::EllipticalNoise;
using mechanism::HyperbolicNoise;

/// A point for each token, from the stream of its own: tokens x dimensions.
///
/// noisyPoint  called with the row of its word, a quantile of the radius and a direction
template <typename Matrix, typename NoisyPoint>
Matrix noisyPoints(std::span<const Row> words, std::uint64_t seed, Eigen::Index dimensions,
                   const NoisyPoint& noisyPoint) {
    Matrix points = Matrix::Zero(static_cast<Eigen::Index>(words.size()), dimensions);
    for (std::size_t token = 0; token < words.size(); ++token) {
        if (words[token] == kUnknownWord) {
            continue;
        }
        SeededStream stream(
            StreamKey{seed, corpus::kNoisyVectors, 0, static_cast<std::uint32_t>(token)});
        const double quantile = stream.uniform();
        VectorD direction(dimensions);
        for (double& coordinate : direction) {
            coordinate = stream.normal();
        }
        const VectorD noisy = noisyPoint(words[token], quantile, direction.normalized());
        points.row(static_cast<Eigen::Index>(token)) =
            noisy.cast<typename Matrix::Scalar>().transpose();
    }
    return points;
}

// Principal coordinates divided by the scales of the axes: there the metric is Euclidean and the
// noise is round.
Channel ellipticalVectors(const embedding::PreparedEmbedding& embedding,
                          const EllipticalNoise& noise, double epsilon, std::span<const Row> words,
                          std::uint64_t seed, int threads) {
    RowMatrixF table = embedding::principalCoordinates(noise.basis(), embedding.vectors(), threads);
    table = table * noise.axisScales().cwiseInverse().cast<float>().asDiagonal();
    RowMatrixF noisy = noisyPoints<RowMatrixF>(
        words, seed, table.cols(), [&](Row word, double quantile, const VectorD& direction) {
            const double radius =
                numeric::gammaQuantile(static_cast<double>(table.cols()), quantile) / epsilon;
            return VectorD(table.row(word).cast<double>().transpose() + radius * direction);
        });
    VectorF squaredNorms = table.rowwise().squaredNorm();
    return {[epsilon, table = std::move(table), squaredNorms = std::move(squaredNorms),
             noisy = std::move(noisy)](std::span<const std::size_t> tokens, ChannelScratch& scratch,
                                       const LikelihoodVisitor& visit) {
        const auto count = static_cast<Eigen::Index>(tokens.size());
        RowMatrixF& points = scratch.points;
        points.resize(count, table.cols());
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            points.row(static_cast<Eigen::Index>(i)) =
                noisy.row(static_cast<Eigen::Index>(tokens[i]));
        }
        scratch.products.resize(count, table.rows());
        numeric::multiplyTransposed(points.data(), count, table.data(), table.rows(), table.cols(),
                                    -2.0F, scratch.products.data(), table.rows());
        for (Eigen::Index i = 0; i < count; ++i) {
            const float squaredNorm = points.row(i).squaredNorm();
            const auto squares =
                scratch.products.row(i).transpose().array() + squaredNorms.array() + squaredNorm;
            scratch.row = -static_cast<float>(epsilon) * squares.max(0.0F).sqrt();
            visit(static_cast<std::size_t>(i), scratch.row);
        }
    }};
}

// Points of the Poincaré ball, in float64.
Channel hyperbolicVectors(const embedding::EmbeddingHandle& embedding, const HyperbolicNoise& noise,
                          const numeric::HyperbolicRadius& radius, std::span<const Row> words,
                          std::uint64_t seed) {
    const RowMatrixF& vectors = embedding->vectors();
    VectorD gaps(vectors.rows());
    for (Row row = 0; row < gaps.size(); ++row) {
        gaps[row] = metric::ballGap(vectors.row(row).data(), vectors.cols());
    }
    RowMatrixD points = noisyPoints<RowMatrixD>(
        words, seed, vectors.cols(), [&](Row word, double quantile, const VectorD& direction) {
            return mechanism::noisyPoint(vectors.row(word).data(), gaps[word], direction.data(),
                                         vectors.cols(), radius.quantile(quantile));
        });
    const double coshPower = noise.law() == numeric::RadialLaw::eq7
                                 ? 2.0 * static_cast<double>(noise.dimensions())
                                 : 0.0;
    const auto logDensity = [embedding, gaps = std::move(gaps), epsilon = radius.epsilon(),
                             coshPower](const VectorD& point, double gap, Eigen::Index row) {
        const double square =
            (embedding->vectors().row(row).cast<double>().transpose() - point).squaredNorm();
        const double distance =
            metric::distanceOfExcess(metric::coshExcess(square, gap, gaps[row]));
        const double logCosh = 0.5 * distance + std::log1p(std::exp(-distance)) - std::log(2.0);
        return -epsilon * distance - coshPower * logCosh;
    };
    return {[logDensity, points = std::move(points), rows = vectors.rows()](
                std::span<const std::size_t> tokens, ChannelScratch& scratch,
                const LikelihoodVisitor& visit) {
        scratch.row.resize(rows);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const VectorD point = points.row(static_cast<Eigen::Index>(tokens[i])).transpose();
            // A point so near the edge that this cancels is far from every word, and its gap
            // changes all densities by the same factor.
            const double gap = std::max(1.0 - point.squaredNorm(), 0x1p-53);
            for (Eigen::Index row = 0; row < rows; ++row) {
                scratch.row[row] = static_cast<float>(logDensity(point, gap, row));
            }
            visit(i, scratch.row);
        }
    }};
}

}  // namespace

Result<Channel> noisyVectors(const embedding::EmbeddingHandle& embedding,
                             const mechanism::Form& form, double epsilon,
                             std::span<const Row> words, std::uint64_t seed, int threads) {
    if (const auto* elliptical = std::get_if<EllipticalNoise>(&form)) {
        return ellipticalVectors(*embedding, *elliptical, epsilon, words, seed, threads);
    }
    const auto& hyperbolic = std::get<HyperbolicNoise>(form);
    ASSIGN_OR_RETURN(const auto radius, hyperbolic.radiusAt(epsilon));
    return hyperbolicVectors(embedding, hyperbolic, radius, words, seed);
}

Result<corpus::Measured> noisyVectorSuccess(const embedding::EmbeddingHandle& embedding,
                                            const mechanism::Form& form, double epsilon,
                                            const VectorD& prior, std::uint64_t seed, int threads,
                                            const JobContext& job, std::int64_t samples) {
    // Each token a document of its own.
    AttackedText text{drawWords(prior, samples, seed)};
    text.treatments.assign(text.words.size(), Treatment::replaced);
    text.lineEnds.resize(text.words.size());
    std::iota(text.lineEnds.begin(), text.lineEnds.end(), std::size_t{1});
    ASSIGN_OR_RETURN(const auto vectors,
                     noisyVectors(embedding, form, epsilon, text.words, seed, threads));
    ASSIGN_OR_RETURN(const TextGuesses guesses,
                     guessText(text, vectors, prior, nullptr, threads, job));
    std::vector<float> successes;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        successes.push_back(guesses.alone[i] == text.words[i] ? 1.0F : 0.0F);
    }
    return corpus::shareByDocuments(successes, replacedTokens(text).documents);
}

}  // namespace epsilens::attack
