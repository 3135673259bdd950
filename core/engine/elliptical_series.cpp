#include "core/engine/elliptical_series.h"

#include <cmath>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/path_search.h"
#include "core/engine/score_columns.h"
#include "core/engine/sorted_search.h"
#include "core/mechanism/unit_draws.h"

namespace epsilens::engine {
namespace {

/// Draws of a batch, those of one variant after the other.
struct EllipticalDraws {
    RowMatrixF noise{};  ///< at epsilon = 1
    VectorD norms{};
    ScoreColumns columns{};
    std::int64_t perVariant = 0;
};

class EllipticalSearch final : public DrawSearch {
public:
    EllipticalSearch(const SearchSpace& space, std::span<const Row> words,
                     const ScoreColumns& distances, const EllipticalDraws& draws,
                     std::span<const ScoreWeights> weights)
        : m_words(words),
          m_distances(distances),
          m_draws(draws),
          m_weights(weights),
          m_search(space) {}

    void setWord(std::int64_t index) override {
        m_word = m_words[static_cast<std::size_t>(index)];
        m_search.setWord(m_word, m_distances, index);
    }
    void setDraw(std::int64_t variant, std::int64_t index) override {
        const std::int64_t row = variant * m_draws.perVariant + index;
        m_search.setDraw(m_draws.noise.row(row).data(), m_draws.norms[row], m_draws.columns, row);
    }
    [[nodiscard]] std::int32_t wordPosition() const override { return m_search.wordPosition(); }
    [[nodiscard]] std::int32_t nearest(std::size_t epsilon, std::int32_t /*guess*/) override {
        std::int32_t position = 0;
        m_search.nearest(m_weights.subspan(epsilon, 1), {&position, 1});
        return position;
    }
    void nearestAtAll(std::span<std::int32_t> positions) override {
        m_search.nearest(m_weights, positions);
    }
    [[nodiscard]] double criticalEpsilon() override { return criticalRate(m_search, m_word); }
    [[nodiscard]] DrawPath path() override { return drawPath(m_search); }
    [[nodiscard]] std::int64_t rechecked() const override { return m_search.rechecked(); }

private:
    std::span<const Row> m_words;
    const ScoreColumns& m_distances;
    const EllipticalDraws& m_draws;
    std::span<const ScoreWeights> m_weights;
    SortedSearch m_search;
    Row m_word = 0;
};

class EllipticalBatch final : public SearchBatch {
public:
    EllipticalBatch(const EllipticalSeries& series, std::span<const double> epsilons, int threads,
                    const JobContext& job)
        : m_series(series), m_threads(threads), m_job(job) {
        for (const double epsilon : epsilons) {
            m_weights.push_back(ScoreWeights::atEpsilon(epsilon));
        }
    }

    void setWords(std::span<const Row> words) override {
        m_words.assign(words.begin(), words.end());
        m_distances.setWords(m_series.space(), m_words, m_threads, m_job);
    }

    // All draws of the first variant first, in one product.
    void setDraws(const DrawSource& source, std::int64_t first, std::int64_t count) override {
        const Eigen::Index m = m_series.space().vectors().cols();
        const mechanism::UnitDraws units =
            mechanism::unitDraws(source.seed, source.purpose, source.block, first, count, m);
        m_draws.noise.resize(count * m_series.variants(), m);
        for (std::int64_t variant = 0; variant < m_series.variants(); ++variant) {
            m_draws.noise.middleRows(variant * count, count) =
                mechanism::noiseAtUnitEpsilon(units, m_series.noise(variant));
        }
        m_draws.norms = m_draws.noise.cast<double>().rowwise().norm();
        m_draws.perVariant = count;
        m_draws.columns.setDraws(m_series.space(), m_draws.noise, m_threads, m_job);
    }

    [[nodiscard]] std::unique_ptr<DrawSearch> search() const override {
        return std::make_unique<EllipticalSearch>(m_series.space(), m_words, m_distances, m_draws,
                                                  m_weights);
    }
    [[nodiscard]] Neighbourhood neighbours(std::int64_t index, int count) const override {
        return neighboursOf(m_series.space(), m_words[static_cast<std::size_t>(index)],
                            m_distances.list(index), count);
    }

private:
    const EllipticalSeries& m_series;
    int m_threads;
    const JobContext& m_job;
    std::vector<ScoreWeights> m_weights;
    std::vector<Row> m_words;
    ScoreColumns m_distances;
    EllipticalDraws m_draws;
};

std::shared_ptr<const embedding::PcaBasis> basisOf(const SearchSpace& space) {
    return {space.handle(), &space.handle()->basis};
}

}  // namespace

Result<NoiseSeriesHandle> EllipticalSeries::create(const SearchSpace& space,
                                                   std::span<const double> lambdas) {
    const auto basis = basisOf(space);
    std::vector<mechanism::EllipticalNoise> noises;
    for (const double lambda : lambdas) {
        ASSIGN_OR_RETURN(auto noise, mechanism::EllipticalNoise::create(basis, lambda));
        noises.push_back(std::move(noise));
    }
    return std::make_shared<const EllipticalSeries>(space, std::move(noises));
}

NoiseSeriesHandle EllipticalSeries::spherical(const SearchSpace& space) {
    return std::make_shared<const EllipticalSeries>(
        space, std::vector{mechanism::EllipticalNoise::spherical(basisOf(space))});
}

PairDistances EllipticalSeries::distances(std::int32_t a, std::int32_t b) const {
    const double squared = squaredDistance(
        m_space.vectors().row(a).data(), m_space.vectors().row(b).data(), m_space.vectors().cols());
    return {std::sqrt(squared), squared};
}

std::int64_t EllipticalSeries::rowBytes() const {
    return ScoreColumns::columnBytes(m_space);
}

std::unique_ptr<SearchBatch> EllipticalSeries::batch(std::span<const double> epsilons, int threads,
                                                     const JobContext& job) const {
    return std::make_unique<EllipticalBatch>(*this, epsilons, threads, job);
}

}  // namespace epsilens::engine
