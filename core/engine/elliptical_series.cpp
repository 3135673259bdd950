#include "core/engine/elliptical_series.h"

#include <cmath>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/block_search.h"
#include "core/engine/path_search.h"
#include "core/mechanism/unit_draws.h"

namespace epsilens::engine {
namespace {

class EllipticalSearch final : public DrawSearch {
public:
    EllipticalSearch(const SearchSpace& space, std::span<const Row> words,
                     const TiledRows& distances, const NoiseBatch& noise, std::int64_t draws,
                     std::span<const ScoreWeights> weights)
        : m_words(words),
          m_distances(distances),
          m_noise(noise),
          m_draws(draws),
          m_weights(weights),
          m_nearest(space) {}

    void setWord(std::int64_t index) override {
        m_word = m_words[static_cast<std::size_t>(index)];
        m_nearest.setWord(m_word, m_distances, index);
    }
    void setDraw(std::int64_t variant, std::int64_t index) override {
        m_nearest.setDraw(m_noise, variant * m_draws + index);
    }
    [[nodiscard]] std::int32_t wordPosition() const override { return m_nearest.wordPosition(); }
    [[nodiscard]] std::int32_t nearest(std::size_t epsilon, std::int32_t guess) override {
        return m_nearest.nearest(m_weights[epsilon], guess);
    }
    [[nodiscard]] double criticalEpsilon() override { return criticalRate(m_nearest, m_word); }
    [[nodiscard]] DrawPath path() override { return drawPath(m_nearest); }
    [[nodiscard]] std::int64_t rechecked() const override { return m_nearest.rechecked(); }

private:
    std::span<const Row> m_words;
    const TiledRows& m_distances;
    const NoiseBatch& m_noise;
    std::int64_t m_draws;
    std::span<const ScoreWeights> m_weights;
    NearestSearch m_nearest;
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
        squaredDistances(m_series.space(), m_words, m_threads, m_job, m_distances);
    }

    // All draws of the first variant first, in one product.
    void setDraws(const DrawSource& source, std::int64_t first, std::int64_t count) override {
        const Eigen::Index m = m_series.space().vectors().cols();
        const mechanism::UnitDraws units =
            mechanism::unitDraws(source.seed, source.purpose, source.block, first, count, m);
        RowMatrixF noise(count * m_series.variants(), m);
        for (std::int64_t variant = 0; variant < m_series.variants(); ++variant) {
            noise.middleRows(variant * count, count) =
                mechanism::noiseAtUnitEpsilon(units, m_series.noise(variant));
        }
        m_draws = count;
        projectNoise(m_series.space(), std::move(noise), m_threads, m_job, m_noise);
    }

    [[nodiscard]] std::unique_ptr<DrawSearch> search() const override {
        return std::make_unique<EllipticalSearch>(m_series.space(), m_words, m_distances, m_noise,
                                                  m_draws, m_weights);
    }
    [[nodiscard]] Neighbourhood neighbours(std::int64_t index, int count) const override {
        return neighboursOf(m_series.space(), m_words[static_cast<std::size_t>(index)], m_distances,
                            index, count);
    }

private:
    const EllipticalSeries& m_series;
    int m_threads;
    const JobContext& m_job;
    std::vector<ScoreWeights> m_weights;
    std::vector<Row> m_words;
    TiledRows m_distances;
    NoiseBatch m_noise;
    std::int64_t m_draws = 0;
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
    return m_space.paddedPositions() * static_cast<std::int64_t>(sizeof(float));
}

std::unique_ptr<SearchBatch> EllipticalSeries::batch(std::span<const double> epsilons, int threads,
                                                     const JobContext& job) const {
    return std::make_unique<EllipticalBatch>(*this, epsilons, threads, job);
}

}  // namespace epsilens::engine
