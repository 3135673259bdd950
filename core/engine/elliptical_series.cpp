#include "core/engine/elliptical_series.h"

#include <algorithm>
#include <cmath>
#include <functional>
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

/// Weights of the epsilons of a batch.
struct GridWeights {
    explicit GridWeights(std::span<const double> epsilons) {
        std::vector<double> ordered(epsilons.begin(), epsilons.end());
        std::sort(ordered.begin(), ordered.end(), std::greater<>());
        for (const double epsilon : epsilons) {
            asked.push_back(ScoreWeights::atEpsilon(epsilon));
        }
        for (const double epsilon : ordered) {
            falling.push_back(ScoreWeights::atEpsilon(epsilon));
            t.push_back(1.0 / epsilon);
        }
    }

    std::vector<ScoreWeights> asked{};    ///< in the order of the epsilons
    std::vector<ScoreWeights> falling{};  ///< from the largest epsilon down
    std::vector<double> t{};              ///< 1 / epsilon of these, rising
};

class EllipticalSearch final : public DrawSearch, private GridSearch {
public:
    EllipticalSearch(const SearchSpace& space, std::span<const Row> words,
                     const ScoreColumns& distances, const EllipticalDraws& draws,
                     const GridWeights& grid)
        : m_words(words), m_distances(distances), m_draws(draws), m_grid(grid), m_search(space) {}

    void setWord(std::int64_t index) override {
        m_word = m_words[static_cast<std::size_t>(index)];
        m_search.setWord(m_word, m_distances, index);
    }
    void setDraw(std::int64_t variant, std::int64_t index) override {
        const std::int64_t row = variant * m_draws.perVariant + index;
        m_search.setDraw(m_draws.noise.row(row).data(), m_draws.norms[row], m_draws.columns, row);
    }
    [[nodiscard]] std::int32_t wordPosition() const override { return m_search.wordPosition(); }
    [[nodiscard]] std::int32_t nearest(std::size_t epsilon) override {
        std::int32_t position = 0;
        m_search.nearest(std::span(m_grid.asked).subspan(epsilon, 1), {&position, 1});
        return position;
    }
    void nearestAtAll(std::span<std::int32_t> positions) override {
        m_search.nearest(m_grid.asked, positions);
    }
    [[nodiscard]] std::span<const OutputRun> runsAtAll() override { return m_finder.find(*this); }
    [[nodiscard]] double criticalEpsilon() override { return criticalRate(m_search, m_word); }
    [[nodiscard]] DrawPath path() override { return drawPath(m_search); }
    [[nodiscard]] std::int64_t rechecked() const override { return m_search.rechecked(); }

private:
    [[nodiscard]] std::size_t epsilons() const override { return m_grid.falling.size(); }
    [[nodiscard]] std::size_t atOnce() const override { return kWalkWidth; }
    void outputsAt(std::span<const std::uint32_t> epsilons,
                   std::span<std::int32_t> positions) override {
        m_some.clear();
        for (const std::uint32_t epsilon : epsilons) {
            m_some.push_back(m_grid.falling[epsilon]);
        }
        m_search.nearest(m_some, positions);
    }
    // Where their lines cross, as well as float32 knows.
    [[nodiscard]] std::uint32_t lastOf(const OutputRun& output, const OutputRun& next) override {
        const ScoreLine first = m_search.roughLineOf(output.position);
        const ScoreLine second = m_search.roughLineOf(next.position);
        const double t = 0.5 * (second.squaredDistance - first.squaredDistance) /
                         (second.projection - first.projection);
        const auto from = m_grid.t.begin() + output.first;
        const auto after = std::upper_bound(from, m_grid.t.begin() + next.first, t);
        return static_cast<std::uint32_t>(after - m_grid.t.begin()) - (after == from ? 0 : 1);
    }

    std::span<const Row> m_words;
    const ScoreColumns& m_distances;
    const EllipticalDraws& m_draws;
    const GridWeights& m_grid;
    SortedSearch m_search;
    RunFinder m_finder{};
    std::vector<ScoreWeights> m_some{};
    Row m_word = 0;
};

class EllipticalBatch final : public SearchBatch {
public:
    EllipticalBatch(const EllipticalSeries& series, std::span<const double> epsilons, int threads,
                    const JobContext& job)
        : m_series(series), m_threads(threads), m_job(job), m_grid(epsilons) {}

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
                                                  m_grid);
    }
    [[nodiscard]] Neighbourhood neighbours(std::int64_t index, int count) const override {
        return neighboursOf(m_series.space(), m_words[static_cast<std::size_t>(index)],
                            m_distances.list(index), count);
    }

private:
    const EllipticalSeries& m_series;
    int m_threads;
    const JobContext& m_job;
    GridWeights m_grid;
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
