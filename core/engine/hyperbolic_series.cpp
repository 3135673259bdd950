#include "core/engine/hyperbolic_series.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/path_search.h"
#include "core/engine/poincare_search.h"
#include "core/engine/score_kernel.h"
#include "core/mechanism/unit_draws.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::engine {
namespace {

/// Draws of a batch with their radius at every epsilon.
struct HyperbolicDraws {
    DirectionBatch directions{};
    VectorD quantiles{};
    RowMatrixD radii{};                          ///< draws x epsilons
    std::vector<std::size_t> byFallingRadius{};  ///< indices of the epsilons, rising
};

class HyperbolicSearch final : public DrawSearch, private GridSearch {
public:
    HyperbolicSearch(const HyperbolicSeries& series, std::span<const Row> words,
                     const TiledRows& scores, const HyperbolicDraws& draws)
        : m_noise(series.noise()),
          m_words(words),
          m_scores(scores),
          m_draws(draws),
          m_nearest(series.poincare()) {}

    void setWord(std::int64_t index) override {
        m_word = m_words[static_cast<std::size_t>(index)];
        m_nearest.setWord(m_word, m_scores, index);
    }
    void setDraw(std::int64_t /*variant*/, std::int64_t index) override {
        m_draw = index;
        m_nearest.setDraw(m_draws.directions, index);
    }
    [[nodiscard]] std::int32_t wordPosition() const override { return m_nearest.wordPosition(); }
    [[nodiscard]] std::int32_t nearest(std::size_t epsilon) override {
        return m_nearest.nearest(m_draws.radii(m_draw, static_cast<Eigen::Index>(epsilon)));
    }

    // From large to small radius: a draw that returns the word at a radius does so at every smaller
    // one, where the word's score only gains on the others.
    void nearestAtAll(std::span<std::int32_t> positions) override {
        const std::int32_t own = wordPosition();
        std::int32_t position = -1;
        for (const std::size_t epsilon : m_draws.byFallingRadius) {
            if (position != own) {
                position = nearest(epsilon);
            }
            positions[epsilon] = position;
        }
    }

    [[nodiscard]] std::span<const OutputRun> runsAtAll() override { return m_finder.find(*this); }

    [[nodiscard]] double criticalEpsilon() override {
        const double rate = criticalRate(m_nearest, m_word, leastRate());
        return rate > 0.0 && std::isfinite(rate) ? epsilonOfRate(rate) : rate;
    }

    // Breaks come in rho; those that no epsilon of the law reaches are left out.
    [[nodiscard]] DrawPath path() override {
        DrawPath path = drawPath(m_nearest, leastRate());
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
    [[nodiscard]] std::int64_t rechecked() const override { return m_nearest.rechecked(); }

private:
    [[nodiscard]] std::size_t epsilons() const override { return m_draws.byFallingRadius.size(); }
    [[nodiscard]] std::size_t atOnce() const override { return 1; }
    [[nodiscard]] std::size_t byNumber(std::uint32_t epsilon) const {
        return m_draws.byFallingRadius[m_draws.byFallingRadius.size() - 1 - epsilon];
    }
    void outputsAt(std::span<const std::uint32_t> epsilons,
                   std::span<std::int32_t> positions) override {
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            positions[i] = nearest(byNumber(epsilons[i]));
        }
    }
    [[nodiscard]] std::uint32_t lastOf(const OutputRun& output, const OutputRun& next) override {
        return (output.first + next.first) / 2;
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
    PoincareSearch m_nearest;
    RunFinder m_finder{};
    Row m_word = 0;
    Eigen::Index m_draw = 0;
};

class HyperbolicBatch final : public SearchBatch {
public:
    HyperbolicBatch(const HyperbolicSeries& series, std::span<const double> epsilons, int threads,
                    const JobContext& job)
        : m_series(series), m_threads(threads), m_job(job) {
        for (const double epsilon : epsilons) {
            m_laws.push_back(series.noise().radiusAt(epsilon).value());
        }
        m_draws.byFallingRadius.resize(epsilons.size());
        std::iota(m_draws.byFallingRadius.begin(), m_draws.byFallingRadius.end(), std::size_t{0});
        std::sort(m_draws.byFallingRadius.begin(), m_draws.byFallingRadius.end(),
                  [&](std::size_t a, std::size_t b) { return epsilons[a] < epsilons[b]; });
    }

    void setWords(std::span<const Row> words) override {
        m_words.assign(words.begin(), words.end());
        wordScores(m_series.poincare(), m_words, m_threads, m_job, m_scores);
    }

    void setDraws(const DrawSource& source, std::int64_t first, std::int64_t count) override {
        mechanism::UnitDraws units =
            mechanism::unitDraws(source.seed, source.purpose, source.block, first, count,
                                 m_series.poincare().dimensions());
        m_draws.quantiles = std::move(units.quantiles);
        projectDirections(m_series.poincare(), std::move(units.directions), m_threads, m_job,
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
        return std::make_unique<HyperbolicSearch>(m_series, m_words, m_scores, m_draws);
    }
    [[nodiscard]] Neighbourhood neighbours(std::int64_t index, int count) const override {
        return poincareNeighbours(m_series.poincare(), m_words[static_cast<std::size_t>(index)],
                                  count);
    }

private:
    const HyperbolicSeries& m_series;
    int m_threads;
    const JobContext& m_job;
    std::vector<numeric::HyperbolicRadius> m_laws;
    std::vector<Row> m_words;
    TiledRows m_scores;
    HyperbolicDraws m_draws;
};

}  // namespace

Result<NoiseSeriesHandle> HyperbolicSeries::create(const SearchSpace& space,
                                                   mechanism::RadialLaw law) {
    ASSIGN_OR_RETURN(const auto noise, mechanism::HyperbolicNoise::create(space.embedding(), law));
    return std::make_shared<const HyperbolicSeries>(space, noise);
}

double HyperbolicSeries::lambda(std::int64_t /*variant*/) const {
    return 0.0;
}

mechanism::Guarantee HyperbolicSeries::guarantee(std::int64_t /*variant*/, double epsilon) const {
    return m_noise.guarantee(epsilon);
}

PairDistances HyperbolicSeries::distances(std::int32_t a, std::int32_t b) const {
    return {
        metric::distanceOfExcess(m_poincare.excess(a, b)),
        squaredDistance(m_poincare.vectorAt(a), m_poincare.vectorAt(b), m_poincare.dimensions())};
}

std::int64_t HyperbolicSeries::rowBytes() const {
    return space().paddedPositions() * static_cast<std::int64_t>(sizeof(double));
}

std::unique_ptr<SearchBatch> HyperbolicSeries::batch(std::span<const double> epsilons, int threads,
                                                     const JobContext& job) const {
    return std::make_unique<HyperbolicBatch>(*this, epsilons, threads, job);
}

}  // namespace epsilens::engine
