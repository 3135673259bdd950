#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/ordered.h"
#include "core/engine/noise_series.h"
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

/// The epsilons of a batch from the largest down.
struct FallingEpsilons {
    explicit FallingEpsilons(std::span<const double> epsilons)
        : indices(ordered(epsilons.size(), [&](std::size_t i) { return -epsilons[i]; })) {
        for (const std::size_t index : indices) {
            weights.push_back(ScoreWeights::atEpsilon(epsilons[index]));
            t.push_back(1.0 / epsilons[index]);
        }
    }

    std::vector<std::size_t> indices;
    std::vector<ScoreWeights> weights{};
    std::vector<double> t{};  ///< 1 / epsilon, rising
};

class EllipticalSearch final : public DrawSearch {
public:
    EllipticalSearch(const SearchSpace& space, std::span<const Row> words,
                     const ScoreColumns& distances, const EllipticalDraws& draws,
                     const FallingEpsilons& epsilons)
        : DrawSearch(epsilons.indices),
          m_words(words),
          m_distances(distances),
          m_draws(draws),
          m_epsilons(epsilons),
          m_search(space) {}

    void setWord(std::int64_t index) override {
        m_search.setWord(m_words[static_cast<std::size_t>(index)], m_distances, index);
    }
    void setDraw(std::int64_t variant, std::int64_t index) override {
        const std::int64_t row = variant * m_draws.perVariant + index;
        m_search.setDraw(m_draws.noise.row(row).data(), m_draws.norms[row], m_draws.columns, row);
    }

private:
    [[nodiscard]] LineSearch& lines() override { return m_search; }
    void outputsAt(std::span<const std::uint32_t> numbers,
                   std::span<std::int32_t> positions) override {
        m_some.clear();
        for (const std::uint32_t number : numbers) {
            m_some.push_back(m_epsilons.weights[number]);
        }
        m_search.nearest(m_some, positions);
    }
    // Where their lines cross, as well as float32 knows.
    [[nodiscard]] std::uint32_t lastOf(const OutputRun& output, const OutputRun& next) override {
        const ScoreLine first = m_search.roughLineOf(output.position);
        const ScoreLine second = m_search.roughLineOf(next.position);
        const double t = 0.5 * (second.squaredDistance - first.squaredDistance) /
                         (second.projection - first.projection);
        const auto begin = m_epsilons.t.begin();
        const auto after = std::upper_bound(begin + output.first, begin + next.first, t);
        return static_cast<std::uint32_t>(after - begin) - (after == begin + output.first ? 0 : 1);
    }

    std::span<const Row> m_words;
    const ScoreColumns& m_distances;
    const EllipticalDraws& m_draws;
    const FallingEpsilons& m_epsilons;
    SortedSearch m_search;
    std::vector<ScoreWeights> m_some{};
};

using Noises = std::vector<mechanism::EllipticalNoise>;

class EllipticalBatch final : public SearchBatch {
public:
    EllipticalBatch(const SearchSpace& space, const Noises& noises,
                    std::span<const double> epsilons, int threads, const JobContext& job)
        : m_space(space), m_noises(noises), m_threads(threads), m_job(job), m_epsilons(epsilons) {}

    void setWords(std::span<const Row> words) override {
        m_words.assign(words.begin(), words.end());
        m_distances.setWords(m_space, m_words, m_threads, m_job);
    }

    // All draws of the first variant first, in one product.
    void setDraws(const DrawSource& source, std::int64_t first, std::int64_t count) override {
        const Eigen::Index m = m_space.vectors().cols();
        const mechanism::UnitDraws units =
            mechanism::unitDraws(source.seed, source.purpose, source.block, first, count, m);
        m_draws.noise.resize(count * static_cast<Eigen::Index>(m_noises.size()), m);
        Eigen::Index begin = 0;
        for (const mechanism::EllipticalNoise& noise : m_noises) {
            m_draws.noise.middleRows(begin, count) = mechanism::noiseAtUnitEpsilon(units, noise);
            begin += count;
        }
        m_draws.norms = m_draws.noise.cast<double>().rowwise().norm();
        m_draws.perVariant = count;
        m_draws.columns.setDraws(m_space, m_draws.noise, m_threads, m_job);
    }

    [[nodiscard]] std::unique_ptr<DrawSearch> search() const override {
        return std::make_unique<EllipticalSearch>(m_space, m_words, m_distances, m_draws,
                                                  m_epsilons);
    }
    [[nodiscard]] Neighbourhood neighbours(std::int64_t index, int count) const override {
        return neighboursOf(m_space, m_words[static_cast<std::size_t>(index)],
                            m_distances.list(index), count);
    }

private:
    const SearchSpace& m_space;
    const Noises& m_noises;
    int m_threads;
    const JobContext& m_job;
    FallingEpsilons m_epsilons;
    std::vector<Row> m_words{};
    ScoreColumns m_distances{};
    EllipticalDraws m_draws{};
};

class EllipticalSeries final : public NoiseSeries {
public:
    EllipticalSeries(const SearchSpace& space, Noises noises)
        : NoiseSeries(space), m_noises(std::move(noises)) {}

    [[nodiscard]] std::int64_t variants() const override { return std::ssize(m_noises); }
    [[nodiscard]] double lambda(std::int64_t variant) const override {
        return m_noises[static_cast<std::size_t>(variant)].lambda();
    }
    [[nodiscard]] mechanism::Guarantee guarantee(std::int64_t variant,
                                                 double epsilon) const override {
        return m_noises[static_cast<std::size_t>(variant)].guarantee(epsilon);
    }
    [[nodiscard]] PairDistances distances(std::int32_t a, std::int32_t b) const override {
        const RowMatrixF& vectors = space().vectors();
        const double squared =
            squaredDistance(vectors.row(a).data(), vectors.row(b).data(), vectors.cols());
        return {std::sqrt(squared), squared};
    }
    [[nodiscard]] std::int64_t rowBytes() const override {
        return ScoreColumns::columnBytes(space());
    }
    [[nodiscard]] std::unique_ptr<SearchBatch> batch(std::span<const double> epsilons, int threads,
                                                     const JobContext& job) const override {
        return std::make_unique<EllipticalBatch>(space(), m_noises, epsilons, threads, job);
    }

private:
    Noises m_noises;
};

}  // namespace

NoiseSeriesHandle ellipticalSeries(const SearchSpace& space, Noises noises) {
    return std::make_shared<const EllipticalSeries>(space, std::move(noises));
}

}  // namespace epsilens::engine
