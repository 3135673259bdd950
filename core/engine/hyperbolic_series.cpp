#include <utility>
#include <vector>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/engine/noise_series.h"
#include "core/engine/poincare_space.h"
#include "core/mechanism/unit_draws.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::engine {
namespace {

/// Draws of a batch with their radius at every epsilon.
struct HyperbolicDraws {
    DirectionBatch directions{};
    VectorD quantiles{};
    RowMatrixD radii{};                  ///< draws x epsilons
    std::vector<std::size_t> falling{};  ///< indices of the epsilons, from the largest down
};

class HyperbolicSearch final : public DrawSearch {
public:
    HyperbolicSearch(const PoincareSpace& space, const mechanism::HyperbolicNoise& noise,
                     std::span<const Row> words, const TiledRows& scores,
                     const HyperbolicDraws& draws)
        : DrawSearch(draws.falling),
          m_noise(noise),
          m_words(words),
          m_scores(scores),
          m_draws(draws),
          m_search(space) {}

    void setWord(std::int64_t index) override {
        m_search.setWord(m_words[static_cast<std::size_t>(index)], m_scores, index);
    }
    void setDraw(std::int64_t /*variant*/, std::int64_t index) override {
        m_draw = index;
        m_search.setDraw(m_draws.directions, index);
    }

    // Breaks come in rho; those that no epsilon of the law reaches are left out.
    [[nodiscard]] DrawPath path() override {
        DrawPath path = drawPath(m_search, leastRate());
        std::size_t reached = 0;
        for (; reached < path.breaks.size(); ++reached) {
            const double epsilon = epsilonOfRate(1.0 / path.breaks[reached]);
            if (!(epsilon > m_noise.epsilonBound())) {
                break;
            }
            path.breaks[reached] = 1.0 / epsilon;
        }
        path.breaks.resize(reached);
        path.outputs.resize(reached + 1);
        return path;
    }

private:
    [[nodiscard]] LineSearch& lines() override { return m_search; }
    void outputsAt(std::span<const std::uint32_t> numbers,
                   std::span<std::int32_t> positions) override {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto epsilon = static_cast<Eigen::Index>(falling()[numbers[i]]);
            positions[i] = m_search.nearest(m_draws.radii(m_draw, epsilon));
        }
    }

    // The rate that the draw's radius approaches as epsilon falls to the bound of the law.
    [[nodiscard]] double leastRate() const {
        return rateOfRadius(m_noise.largestRadius(m_draws.quantiles[m_draw]));
    }
    [[nodiscard]] double epsilonOfRate(double rate) const {
        return m_noise.epsilonOfRadius(radiusOfRate(rate), m_draws.quantiles[m_draw]);
    }

    const mechanism::HyperbolicNoise& m_noise;
    std::span<const Row> m_words;
    const TiledRows& m_scores;
    const HyperbolicDraws& m_draws;
    PoincareSearch m_search;
    Eigen::Index m_draw = 0;
};

class HyperbolicBatch final : public SearchBatch {
public:
    HyperbolicBatch(const PoincareSpace& space, const mechanism::HyperbolicNoise& noise,
                    std::span<const double> epsilons, int threads, const JobContext& job)
        : m_space(space), m_noise(noise), m_threads(threads), m_job(job) {
        for (const double epsilon : epsilons) {
            m_laws.push_back(noise.radiusAt(epsilon).value());
        }
        m_draws.falling = ordered(epsilons.size(), [&](std::size_t i) { return -epsilons[i]; });
    }

    void setWords(std::span<const Row> words) override {
        m_words.assign(words.begin(), words.end());
        wordScores(m_space, m_words, m_threads, m_job, m_scores);
    }

    void setDraws(const DrawSource& source, std::int64_t first, std::int64_t count) override {
        mechanism::UnitDraws units = mechanism::unitDraws(source.seed, source.purpose, source.block,
                                                          first, count, m_space.dimensions());
        m_draws.quantiles = std::move(units.quantiles);
        projectDirections(m_space, std::move(units.directions), m_threads, m_job,
                          m_draws.directions);
        m_draws.radii.resize(count, static_cast<Eigen::Index>(m_laws.size()));
        parallelFor(count, m_threads, [&](std::int64_t draw) {
            for (std::size_t epsilon = 0; epsilon < m_laws.size() && !m_job.stopRequested();
                 ++epsilon) {
                m_draws.radii(draw, static_cast<Eigen::Index>(epsilon)) =
                    m_laws[epsilon].quantile(m_draws.quantiles[draw]);
            }
        });
    }

    [[nodiscard]] std::unique_ptr<DrawSearch> search() const override {
        return std::make_unique<HyperbolicSearch>(m_space, m_noise, m_words, m_scores, m_draws);
    }
    [[nodiscard]] Neighbourhood neighbours(std::int64_t index, int count) const override {
        return poincareNeighbours(m_space, m_words[static_cast<std::size_t>(index)], count);
    }

private:
    const PoincareSpace& m_space;
    const mechanism::HyperbolicNoise& m_noise;
    int m_threads;
    const JobContext& m_job;
    std::vector<numeric::HyperbolicRadius> m_laws{};
    std::vector<Row> m_words{};
    TiledRows m_scores{};
    HyperbolicDraws m_draws{};
};

class HyperbolicSeries final : public NoiseSeries {
public:
    HyperbolicSeries(const SearchSpace& space, const mechanism::HyperbolicNoise& noise)
        : NoiseSeries(space), m_poincare(space), m_noise(noise) {}

    [[nodiscard]] mechanism::Guarantee guarantee(std::int64_t /*variant*/,
                                                 double epsilon) const override {
        return m_noise.guarantee(epsilon);
    }
    [[nodiscard]] PairDistances distances(std::int32_t a, std::int32_t b) const override {
        return {metric::distanceOfExcess(m_poincare.excess(a, b)),
                squaredDistance(m_poincare.vectorAt(a), m_poincare.vectorAt(b),
                                m_poincare.dimensions())};
    }
    [[nodiscard]] std::int64_t rowBytes() const override {
        return space().paddedPositions() * static_cast<std::int64_t>(sizeof(double));
    }
    [[nodiscard]] std::unique_ptr<SearchBatch> batch(std::span<const double> epsilons, int threads,
                                                     const JobContext& job) const override {
        return std::make_unique<HyperbolicBatch>(m_poincare, m_noise, epsilons, threads, job);
    }

private:
    PoincareSpace m_poincare;
    mechanism::HyperbolicNoise m_noise;
};

}  // namespace

NoiseSeriesHandle hyperbolicSeries(const SearchSpace& space,
                                   const mechanism::HyperbolicNoise& noise) {
    return std::make_shared<const HyperbolicSeries>(space, noise);
}

}  // namespace epsilens::engine
