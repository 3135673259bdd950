#include "core/engine/score_kernel.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/score_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace epsilens::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most one vector per group of padded tiles, and a whole number of vectors per tile.
template <typename T>
using Tag = hn::CappedTag<T, kTilePadding>;

// Rows and weights of one search, with the score of a vector of positions.
template <typename T, bool kShared>
class Scores {
public:
    using Vector = hn::Vec<Tag<T>>;

    Scores(const ScoreRows<T>& rows, const ScoreWeights& weights)
        : m_rows(rows),
          m_alpha(hn::Set(m_tag, static_cast<T>(weights.alpha))),
          m_tau(hn::Set(m_tag, static_cast<T>(weights.tau))),
          m_kappa(hn::Set(m_tag, static_cast<T>(weights.kappa))),
          m_boundC(weights.kappa >= 0.0 ? rows.leastC : rows.largestC) {}

    HWY_INLINE Vector at(std::int64_t position) const {
        return score(m_rows.a + position, m_rows.p + position,
                     kShared ? m_rows.c + position : nullptr);
    }
    HWY_INLINE Vector boundsAt(std::int64_t tile) const {
        return score(m_rows.leastA + tile, m_rows.largestP + tile,
                     kShared ? m_boundC + tile : nullptr);
    }

private:
    HWY_INLINE Vector score(const T* a, const T* p, const T* c) const {
        const Vector noiseless = hn::Mul(m_alpha, hn::Load(m_tag, a));
        const Vector noisy = hn::NegMulAdd(m_tau, hn::Load(m_tag, p), noiseless);
        if constexpr (kShared) {
            return hn::MulAdd(m_kappa, hn::Load(m_tag, c), noisy);
        } else {
            return noisy;
        }
    }

    const ScoreRows<T>& m_rows;
    Tag<T> m_tag{};
    Vector m_alpha;
    Vector m_tau;
    Vector m_kappa;
    const T* m_boundC;
};

template <typename T, bool kShared>
class TileSearch {
public:
    using Vector = hn::Vec<Tag<T>>;
    using IndexTag = hn::RebindToSigned<Tag<T>>;

    TileSearch(const ScoreRows<T>& rows, const ScoreWeights& weights, T start, T slack,
               Candidates<T>& found)
        : m_rows(rows), m_scores(rows, weights), m_slack(slack), m_found(found) {
        m_found.count = 0;
        setBest(start);
    }

    HWY_INLINE void run() {
        const std::int64_t first = computeBounds();
        visit(first);
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(m_tag));
        const T* bounds = m_found.bounds.data();
        for (std::int64_t group = 0; group < m_rows.tiles; group += lanes) {
            const Vector bound = hn::LoadU(m_tag, bounds + group);
            if (hn::AllFalse(m_tag, hn::Le(bound, hn::Set(m_tag, m_threshold)))) {
                continue;
            }
            const std::int64_t end = std::min(group + lanes, m_rows.tiles);
            for (std::int64_t tile = group; tile < end; ++tile) {
                if (bounds[tile] <= m_threshold && tile != first) {
                    visit(tile);
                }
            }
        }
        dropBeyondThreshold();
    }

private:
    HWY_INLINE void setBest(T best) {
        m_best = best;
        m_threshold = best + m_slack;
    }

    // Fills the bounds and returns the tile with the least one.
    HWY_INLINE std::int64_t computeBounds() {
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(m_tag));
        m_found.bounds.resize(static_cast<std::size_t>(paddedTileCount(m_rows.tiles)));
        T* bounds = m_found.bounds.data();
        // Each lane remembers its least bound and where it stood; numbers of groups are exact in T.
        Vector least = hn::Set(m_tag, kPaddingA<T>);
        Vector leastGroup = hn::Zero(m_tag);
        const Vector one = hn::Set(m_tag, T{1});
        Vector group = hn::Zero(m_tag);
        for (std::int64_t tile = 0; tile < m_rows.tiles; tile += lanes) {
            const Vector bound = m_scores.boundsAt(tile);
            hn::StoreU(bound, m_tag, bounds + tile);
            leastGroup = hn::IfThenElse(hn::Lt(bound, least), group, leastGroup);
            least = hn::Min(least, bound);
            group = hn::Add(group, one);
        }
        const std::intptr_t lane =
            hn::FindFirstTrue(m_tag, hn::Eq(least, hn::MinOfLanes(m_tag, least)));
        HWY_ALIGN T groups[kTilePadding];
        hn::Store(leastGroup, m_tag, groups);
        const auto found = static_cast<std::int64_t>(std::max<std::intptr_t>(lane, 0));
        return static_cast<std::int64_t>(groups[found]) * lanes + found;
    }

    HWY_INLINE void visit(std::int64_t tile) {
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(m_tag));
        const std::int64_t first = tile * kTileWidth;
        ++m_found.visitedTiles;
        Vector least = m_scores.at(first);
        for (std::int64_t i = lanes; i < kTileWidth; i += lanes) {
            least = hn::Min(least, m_scores.at(first + i));
        }
        if (hn::AllFalse(m_tag, hn::Le(least, hn::Set(m_tag, m_threshold)))) {
            return;
        }
        const T tileLeast = hn::GetLane(hn::MinOfLanes(m_tag, least));
        if (tileLeast < m_best) {
            setBest(tileLeast);
        }
        keepCandidates(first);
    }

    HWY_NOINLINE void keepCandidates(std::int64_t first) {
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(m_tag));
        const std::size_t room = m_found.count + static_cast<std::size_t>(kTileWidth);
        if (m_found.scores.size() < room) {
            m_found.scores.resize(2 * room);
            m_found.positions.resize(2 * room);
        }
        const Vector threshold = hn::Set(m_tag, m_threshold);
        HWY_ALIGN T scores[kTileWidth];
        for (std::int64_t i = 0; i < kTileWidth; i += lanes) {
            const Vector score = m_scores.at(first + i);
            if (hn::AllFalse(m_tag, hn::Le(score, threshold))) {
                continue;
            }
            hn::Store(score, m_tag, scores);
            for (std::int64_t lane = 0; lane < lanes; ++lane) {
                if (scores[lane] <= m_threshold) {
                    m_found.scores[m_found.count] = scores[lane];
                    m_found.positions[m_found.count] = static_cast<std::int32_t>(first + i + lane);
                    ++m_found.count;
                }
            }
        }
    }

    HWY_INLINE void dropBeyondThreshold() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_found.count; ++i) {
            if (m_found.scores[i] <= m_threshold) {
                m_found.scores[kept] = m_found.scores[i];
                m_found.positions[kept] = m_found.positions[i];
                ++kept;
            }
        }
        m_found.count = kept;
    }

    const ScoreRows<T>& m_rows;
    Tag<T> m_tag{};
    Scores<T, kShared> m_scores;
    T m_slack;
    T m_best{};
    T m_threshold{};
    Candidates<T>& m_found;
};

template <typename T>
void searchOnTarget(const ScoreRows<T>& rows, const ScoreWeights& weights, T start, T slack,
                    Candidates<T>& found) {
    if (weights.kappa == 0.0) {
        TileSearch<T, false>(rows, weights, start, slack, found).run();
    } else {
        TileSearch<T, true>(rows, weights, start, slack, found).run();
    }
}

template <typename T>
void minimaOnTarget(const T* values, std::int64_t tiles, T* minima) {
    const Tag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        auto least = hn::Load(d, values + tile * kTileWidth);
        for (std::int64_t i = lanes; i < kTileWidth; i += lanes) {
            least = hn::Min(least, hn::Load(d, values + tile * kTileWidth + i));
        }
        minima[tile] = hn::GetLane(hn::MinOfLanes(d, least));
    }
}

template <typename T>
void maximaOnTarget(const T* values, std::int64_t tiles, T* maxima) {
    const Tag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        auto largest = hn::Load(d, values + tile * kTileWidth);
        for (std::int64_t i = lanes; i < kTileWidth; i += lanes) {
            largest = hn::Max(largest, hn::Load(d, values + tile * kTileWidth + i));
        }
        maxima[tile] = hn::GetLane(hn::MaxOfLanes(d, largest));
    }
}

double squaredDistanceOnTarget(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                               std::int64_t count) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> df;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    std::int64_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
        const auto difference0 =
            hn::Sub(hn::PromoteTo(d, hn::LoadU(df, a + i)), hn::PromoteTo(d, hn::LoadU(df, b + i)));
        const auto difference1 = hn::Sub(hn::PromoteTo(d, hn::LoadU(df, a + i + lanes)),
                                         hn::PromoteTo(d, hn::LoadU(df, b + i + lanes)));
        sum0 = hn::MulAdd(difference0, difference0, sum0);
        sum1 = hn::MulAdd(difference1, difference1, sum1);
    }
    double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
    for (; i < count; ++i) {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += difference * difference;
    }
    return sum;
}

// Dispatch goes through plain functions: the table of targets cannot hold templates.
void searchFloat(const ScoreRows<float>& rows, const ScoreWeights& weights, float start,
                 float slack, Candidates<float>& found) {
    searchOnTarget(rows, weights, start, slack, found);
}
void searchDouble(const ScoreRows<double>& rows, const ScoreWeights& weights, double start,
                  double slack, Candidates<double>& found) {
    searchOnTarget(rows, weights, start, slack, found);
}
void minimaFloat(const float* values, std::int64_t tiles, float* minima) {
    minimaOnTarget(values, tiles, minima);
}
void minimaDouble(const double* values, std::int64_t tiles, double* minima) {
    minimaOnTarget(values, tiles, minima);
}
void maximaFloat(const float* values, std::int64_t tiles, float* maxima) {
    maximaOnTarget(values, tiles, maxima);
}
void maximaDouble(const double* values, std::int64_t tiles, double* maxima) {
    maximaOnTarget(values, tiles, maxima);
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(searchFloat);
HWY_EXPORT(searchDouble);
HWY_EXPORT(minimaFloat);
HWY_EXPORT(minimaDouble);
HWY_EXPORT(maximaFloat);
HWY_EXPORT(maximaDouble);
HWY_EXPORT(squaredDistanceOnTarget);

double squaredDistance(const float* a, const float* b, std::int64_t dimensions) {
    return HWY_DYNAMIC_DISPATCH(squaredDistanceOnTarget)(a, b, dimensions);
}

ScoreWeights ScoreWeights::atEpsilon(double epsilon) {
    const double twice = 2.0 / epsilon;
    return twice > 1.0 ? ScoreWeights{0.5 * epsilon, 1.0, 0.0} : ScoreWeights{1.0, twice, 0.0};
}

template <>
void searchTiles(const ScoreRows<float>& rows, const ScoreWeights& weights, float start,
                 float slack, Candidates<float>& found) {
    HWY_DYNAMIC_DISPATCH(searchFloat)(rows, weights, start, slack, found);
}

template <>
void searchTiles(const ScoreRows<double>& rows, const ScoreWeights& weights, double start,
                 double slack, Candidates<double>& found) {
    HWY_DYNAMIC_DISPATCH(searchDouble)(rows, weights, start, slack, found);
}

template <>
void tileMinima(const float* values, std::int64_t tiles, float* minima) {
    HWY_DYNAMIC_DISPATCH(minimaFloat)(values, tiles, minima);
    std::fill(minima + tiles, minima + paddedTileCount(tiles), kPaddingA<float>);
}

template <>
void tileMinima(const double* values, std::int64_t tiles, double* minima) {
    HWY_DYNAMIC_DISPATCH(minimaDouble)(values, tiles, minima);
    std::fill(minima + tiles, minima + paddedTileCount(tiles), kPaddingA<double>);
}

template <>
void tileMaxima(const float* values, std::int64_t tiles, float* maxima) {
    HWY_DYNAMIC_DISPATCH(maximaFloat)(values, tiles, maxima);
    std::fill(maxima + tiles, maxima + paddedTileCount(tiles), kPaddingP<float>);
}

template <>
void tileMaxima(const double* values, std::int64_t tiles, double* maxima) {
    HWY_DYNAMIC_DISPATCH(maximaDouble)(values, tiles, maxima);
    std::fill(maxima + tiles, maxima + paddedTileCount(tiles), kPaddingP<double>);
}

template <typename T>
T scoreAt(const ScoreRows<T>& rows, const ScoreWeights& weights, std::int32_t position) {
    const T noisy = static_cast<T>(weights.alpha) * rows.a[position] -
                    static_cast<T>(weights.tau) * rows.p[position];
    return weights.kappa == 0.0 ? noisy : noisy + static_cast<T>(weights.kappa) * rows.c[position];
}

template float scoreAt(const ScoreRows<float>&, const ScoreWeights&, std::int32_t);
template double scoreAt(const ScoreRows<double>&, const ScoreWeights&, std::int32_t);

}  // namespace epsilens::engine
#endif
