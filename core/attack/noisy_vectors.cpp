#include "core/attack/noisy_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/attack/attacked_text.h"
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
class EllipticalVectors : public Channel {
public:
    EllipticalVectors(const embedding::PreparedEmbedding& embedding, const EllipticalNoise& noise,
                      double epsilon, std::span<const Row> words, std::uint64_t seed, int threads)
        : m_epsilon(epsilon),
          m_table(embedding::principalCoordinates(noise.basis(), embedding.vectors(), threads)) {
        m_table = m_table * noise.axisScales().cwiseInverse().cast<float>().asDiagonal();
        m_squaredNorms = m_table.rowwise().squaredNorm();
        m_points = noisyPoints<RowMatrixF>(
            words, seed, m_table.cols(), [&](Row word, double quantile, const VectorD& direction) {
                const double radius =
                    numeric::gammaQuantile(static_cast<double>(m_table.cols()), quantile) /
                    m_epsilon;
                return VectorD(m_table.row(word).cast<double>().transpose() + radius * direction);
            });
    }

    void read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
              const LikelihoodVisitor& visit) const override {
        const auto count = static_cast<Eigen::Index>(tokens.size());
        RowMatrixF& points = scratch.points;
        points.resize(count, m_table.cols());
        for (Eigen::Index i = 0; i < count; ++i) {
            points.row(i) = m_points.row(tokens[static_cast<std::size_t>(i)]);
        }
        scratch.products.resize(count, m_table.rows());
        numeric::multiplyTransposed(points.data(), count, m_table.data(), m_table.rows(),
                                    m_table.cols(), -2.0F, scratch.products.data(), m_table.rows());
        for (Eigen::Index i = 0; i < count; ++i) {
            const float squaredNorm = points.row(i).squaredNorm();
            const auto squares =
                scratch.products.row(i).transpose().array() + m_squaredNorms.array() + squaredNorm;
            scratch.row = -static_cast<float>(m_epsilon) * squares.max(0.0F).sqrt();
            visit(static_cast<std::size_t>(i), scratch.row);
        }
    }

private:
    double m_epsilon;
    RowMatrixF m_table;
    VectorF m_squaredNorms{};
    RowMatrixF m_points{};  ///< tokens x dimensions
};

// Points of the Poincaré ball, in float64.
class HyperbolicVectors : public Channel {
public:
    HyperbolicVectors(embedding::EmbeddingHandle embedding, const HyperbolicNoise& noise,
                      const numeric::HyperbolicRadius& radius, std::span<const Row> words,
                      std::uint64_t seed)
        : m_embedding(std::move(embedding)),
          m_epsilon(radius.epsilon()),
          m_coshPower(noise.law() == numeric::RadialLaw::eq7
                          ? 2.0 * static_cast<double>(noise.dimensions())
                          : 0.0),
          m_gaps(m_embedding->wordCount()) {
        const RowMatrixF& vectors = m_embedding->vectors();
        for (Row row = 0; row < m_embedding->wordCount(); ++row) {
            m_gaps[row] = metric::ballGap(vectors.row(row).data(), vectors.cols());
        }
        m_points = noisyPoints<RowMatrixD>(
            words, seed, vectors.cols(), [&](Row word, double quantile, const VectorD& direction) {
                return mechanism::noisyPoint(vectors.row(word).data(), m_gaps[word],
                                             direction.data(), vectors.cols(),
                                             radius.quantile(quantile));
            });
    }

    void read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
              const LikelihoodVisitor& visit) const override {
        scratch.row.resize(m_gaps.size());
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const VectorD point = m_points.row(tokens[i]).transpose();
            // A point so near the edge that this cancels is far from every word, and its gap
            // changes all densities by the same factor.
            const double gap = std::max(1.0 - point.squaredNorm(), 0x1p-53);
            for (Eigen::Index row = 0; row < m_gaps.size(); ++row) {
                scratch.row[row] = static_cast<float>(logDensity(point, gap, row));
            }
            visit(i, scratch.row);
        }
    }

private:
    [[nodiscard]] double logDensity(const VectorD& point, double gap, Eigen::Index row) const {
        const double square =
            (m_embedding->vectors().row(row).cast<double>().transpose() - point).squaredNorm();
        const double radius =
            metric::distanceOfExcess(metric::coshExcess(square, gap, m_gaps[row]));
        const double logCosh = 0.5 * radius + std::log1p(std::exp(-radius)) - std::log(2.0);
        return -m_epsilon * radius - m_coshPower * logCosh;
    }

    embedding::EmbeddingHandle m_embedding;
    double m_epsilon;
    double m_coshPower;
    VectorD m_gaps;
    RowMatrixD m_points{};  ///< tokens x dimensions
};

// Each token a document of its own.
AttackedText independentTokens(std::vector<Row> words) {
    AttackedText text;
    text.treatments.assign(words.size(), Treatment::replaced);
    text.lineEnds.resize(words.size());
    std::iota(text.lineEnds.begin(), text.lineEnds.end(), std::int64_t{1});
    text.documents.resize(words.size());
    std::iota(text.documents.begin(), text.documents.end(), 0);
    text.words = std::move(words);
    return text;
}

}  // namespace

Result<std::unique_ptr<Channel>> noisyVectors(const embedding::EmbeddingHandle& embedding,
                                              const mechanism::Form& form, double epsilon,
                                              std::span<const Row> words, std::uint64_t seed,
                                              int threads) {
    if (const auto* elliptical = std::get_if<EllipticalNoise>(&form)) {
        return std::make_unique<EllipticalVectors>(*embedding, *elliptical, epsilon, words, seed,
                                                   threads);
    }
    const auto& hyperbolic = std::get<HyperbolicNoise>(form);
    ASSIGN_OR_RETURN(const auto radius, hyperbolic.radiusAt(epsilon));
    return std::make_unique<HyperbolicVectors>(embedding, hyperbolic, radius, words, seed);
}

Result<corpus::Measured> noisyVectorSuccess(const embedding::EmbeddingHandle& embedding,
                                            const mechanism::Form& form, double epsilon,
                                            const VectorD& prior, std::uint64_t seed, int threads,
                                            const JobContext& job, std::int64_t samples) {
    const AttackedText text = independentTokens(drawWords(prior, samples, seed));
    ASSIGN_OR_RETURN(const auto vectors,
                     noisyVectors(embedding, form, epsilon, text.words, seed, threads));
    ASSIGN_OR_RETURN(const TextGuesses guesses,
                     guessText(text, *vectors, prior, nullptr, threads, job));
    std::vector<float> successes;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        successes.push_back(guesses.alone[i] == text.words[i] ? 1.0F : 0.0F);
    }
    return corpus::shareByDocuments(successes, text.documents);
}

}  // namespace epsilens::attack
