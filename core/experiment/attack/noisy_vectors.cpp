#include "core/experiment/attack/noisy_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/pass_on.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/reconstruction.h"
#include "core/experiment/attack/streams.h"
#include "core/metric/poincare_distance.h"
#include "core/numeric/matrix_product.h"
#include "core/numeric/radial_laws.h"

namespace epsilens::experiment {
namespace {

using mechanism::EllipticalNoise;
using mechanism::HyperbolicNoise;

SeededStream streamOf(std::uint64_t seed, std::size_t token) {
    return SeededStream(StreamKey{seed, kNoisyVectors, 0, static_cast<std::uint32_t>(token)});
}

VectorD unitDirection(SeededStream& stream, Eigen::Index dimensions) {
    VectorD direction(dimensions);
    for (double& coordinate : direction) {
        coordinate = stream.normal();
    }
    return direction.normalized();
}

// Principal coordinates divided by the scales of the axes: there the metric is Euclidean and the
// noise is round.
class EllipticalVectors : public NoisyVectors {
public:
    EllipticalVectors(const embedding::PreparedEmbedding& embedding, const EllipticalNoise& noise,
                      double epsilon, std::span<const Row> words, std::uint64_t seed, int threads)
        : m_epsilon(epsilon),
          m_table(embedding::principalCoordinates(noise.basis(), embedding.vectors(), threads)) {
        m_table = m_table * noise.axisScales().cwiseInverse().cast<float>().asDiagonal();
        m_squaredNorms = m_table.rowwise().squaredNorm();
        m_points = pointsOf(words, seed);
    }

    [[nodiscard]] std::unique_ptr<ObservationReader> reader() const override {
        return std::make_unique<Reader>(*this);
    }

private:
    class Reader : public ObservationReader {
    public:
        explicit Reader(const EllipticalVectors& vectors) : m_vectors(vectors) {}

        void read(std::span<const std::int64_t> observations, RowMatrixF& result) override {
            const RowMatrixF& table = m_vectors.m_table;
            const auto count = static_cast<Eigen::Index>(observations.size());
            m_block.resize(count, table.cols());
            for (Eigen::Index i = 0; i < count; ++i) {
                m_block.row(i) = m_vectors.m_points.row(observations[static_cast<std::size_t>(i)]);
            }
            result.resize(count, table.rows());
            numeric::multiplyTransposed(m_block.data(), count, table.data(), table.rows(),
                                        table.cols(), -2.0F, result.data(), table.rows());
            for (Eigen::Index i = 0; i < count; ++i) {
                const float squaredNorm = m_block.row(i).squaredNorm();
                result.row(i) += m_vectors.m_squaredNorms.transpose();
                result.row(i) = -static_cast<float>(m_vectors.m_epsilon) *
                                (result.row(i).array() + squaredNorm).max(0.0F).sqrt().matrix();
            }
        }

    private:
        const EllipticalVectors& m_vectors;
        RowMatrixF m_block{};
    };

    [[nodiscard]] RowMatrixF pointsOf(std::span<const Row> words, std::uint64_t seed) const {
        const Eigen::Index dimensions = m_table.cols();
        RowMatrixF points = RowMatrixF::Zero(static_cast<Eigen::Index>(words.size()), dimensions);
        for (std::size_t token = 0; token < words.size(); ++token) {
            if (words[token] == kUnknownWord) {
                continue;
            }
            SeededStream stream = streamOf(seed, token);
            const double radius =
                numeric::gammaQuantile(static_cast<double>(dimensions), stream.uniform()) /
                m_epsilon;
            const VectorD noisy = m_table.row(words[token]).cast<double>().transpose() +
                                  radius * unitDirection(stream, dimensions);
            points.row(static_cast<Eigen::Index>(token)) = noisy.cast<float>().transpose();
        }
        return points;
    }

    double m_epsilon;
    RowMatrixF m_table;
    VectorF m_squaredNorms{};
    RowMatrixF m_points{};  ///< tokens x dimensions
};

// Points of the Poincaré ball, in float64.
class HyperbolicVectors : public NoisyVectors {
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
        m_points = pointsOf(radius, words, seed);
    }

    [[nodiscard]] std::unique_ptr<ObservationReader> reader() const override {
        return std::make_unique<Reader>(*this);
    }

private:
    class Reader : public ObservationReader {
    public:
        explicit Reader(const HyperbolicVectors& vectors) : m_vectors(vectors) {}

        void read(std::span<const std::int64_t> observations, RowMatrixF& result) override {
            result.resize(static_cast<Eigen::Index>(observations.size()), m_vectors.m_gaps.size());
            for (Eigen::Index i = 0; i < result.rows(); ++i) {
                const VectorD point =
                    m_vectors.m_points.row(observations[static_cast<std::size_t>(i)]).transpose();
                // A point so near the edge that this cancels is far from every word, and its gap
                // changes all densities by the same factor.
                const double gap = std::max(1.0 - point.squaredNorm(), 0x1p-53);
                for (Eigen::Index row = 0; row < result.cols(); ++row) {
                    result(i, row) = static_cast<float>(m_vectors.logDensity(point, gap, row));
                }
            }
        }

    private:
        const HyperbolicVectors& m_vectors;
    };

    [[nodiscard]] RowMatrixD pointsOf(const numeric::HyperbolicRadius& radius,
                                      std::span<const Row> words, std::uint64_t seed) const {
        const RowMatrixF& vectors = m_embedding->vectors();
        RowMatrixD points =
            RowMatrixD::Zero(static_cast<Eigen::Index>(words.size()), vectors.cols());
        for (std::size_t token = 0; token < words.size(); ++token) {
            if (words[token] == kUnknownWord) {
                continue;
            }
            SeededStream stream = streamOf(seed, token);
            const double length = radius.quantile(stream.uniform());
            const VectorD direction = unitDirection(stream, vectors.cols());
            points.row(static_cast<Eigen::Index>(token)) =
                mechanism::noisyPoint(vectors.row(words[token]).data(), m_gaps[words[token]],
                                      direction.data(), vectors.cols(), length)
                    .transpose();
        }
        return points;
    }

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

Result<std::unique_ptr<NoisyVectors>> NoisyVectors::create(
    const embedding::EmbeddingHandle& embedding, const mechanism::Form& form, double epsilon,
    std::span<const Row> words, std::uint64_t seed, int threads) {
    if (const auto* elliptical = std::get_if<EllipticalNoise>(&form)) {
        return std::make_unique<EllipticalVectors>(*embedding, *elliptical, epsilon, words, seed,
                                                   threads);
    }
    const auto* hyperbolic = std::get_if<HyperbolicNoise>(&form);
    if (hyperbolic == nullptr) {
        return fail(ErrorCode::unsupported,
                    "the upper end of the success needs noise: Laplace, Mahalanobis or hyperbolic");
    }
    ASSIGN_OR_RETURN(const auto radius, hyperbolic->radiusAt(epsilon));
    return std::make_unique<HyperbolicVectors>(embedding, *hyperbolic, radius, words, seed);
}

Result<Share> noisyVectorSuccess(const embedding::EmbeddingHandle& embedding,
                                 const mechanism::Form& form, double epsilon, const VectorD& prior,
                                 const NoisyVectorOptions& options, const JobContext& job) {
    const AttackedText text = independentTokens(drawWords(prior, options.samples, options.seed));
    ASSIGN_OR_RETURN(const auto vectors, NoisyVectors::create(embedding, form, epsilon, text.words,
                                                              options.seed, options.threads));
    ASSIGN_OR_RETURN(const TextGuesses guesses,
                     guessText(text, *vectors, prior, nullptr, options.threads, job));
    return shareByDocuments(hits(replacedTokens(text), guesses.alone), text.documents);
}

std::vector<Row> drawWords(const VectorD& prior, std::int64_t count, std::uint64_t seed) {
    std::vector<double> cumulative(static_cast<std::size_t>(prior.size()));
    std::partial_sum(prior.begin(), prior.end(), cumulative.begin());
    SeededStream stream(StreamKey{seed, kWordDraws, 0, 0});
    std::vector<Row> words;
    words.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const double place = stream.uniform() * cumulative.back();
        const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), place);
        words.push_back(static_cast<Row>(
            std::min<std::ptrdiff_t>(found - cumulative.begin(), prior.size() - 1)));
    }
    return words;
}

}  // namespace epsilens::experiment
