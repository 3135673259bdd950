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

// A tile and the bounds of a group are a whole number of vectors.
static_assert(kTileWidth == kGroupWidth);
template <typename T>
using Tag = hn::CappedTag<T, kTileWidth>;

// Rows and weights of one search, with the score of a vector of positions.
class Scores {
public:
    using Vector = hn::Vec<Tag<double>>;

    Scores(const ScoreRows& rows, const ScoreWeights& weights)
        : m_rows(rows),
          m_alpha(hn::Set(m_tag, weights.alpha)),
          m_tau(hn::Set(m_tag, weights.tau)),
          m_kappa(hn::Set(m_tag, weights.kappa)),
          m_boundC(weights.kappa >= 0.0 ? rows.leastC : rows.largestC) {}

    HWY_INLINE Vector at(std::int64_t position) const {
        return score(m_rows.a + position, m_rows.p + position, m_rows.c + position);
    }
    // index  of a row of bounds: tiles, and groups behind them
    HWY_INLINE Vector boundsAt(std::int64_t index) const {
        return score(m_rows.leastA + index, m_rows.largestP + index, m_boundC + index);
    }

private:
    HWY_INLINE Vector score(const double* a, const double* p, const double* c) const {
        const Vector noiseless = hn::Mul(m_alpha, hn::Load(m_tag, a));
        const Vector noisy = hn::NegMulAdd(m_tau, hn::Load(m_tag, p), noiseless);
        return hn::MulAdd(m_kappa, hn::Load(m_tag, c), noisy);
    }

    const ScoreRows& m_rows;
    Tag<double> m_tag{};
    Vector m_alpha;
    Vector m_tau;
    Vector m_kappa;
    const double* m_boundC;
};

// Groups looked into before the threshold is lowered.
constexpr std::size_t kGroupsAtOnce = 64;

class TileSearch {
public:
    using Vector = hn::Vec<Tag<double>>;

    TileSearch(const ScoreRows& rows, const ScoreWeights& weights, double start, double slack,
               Candidates& found)
        : m_tiles(rows.tiles),
          m_groups(groupCount(rows.tiles)),
          m_scores(rows, weights),
          m_slack(slack),
          m_found(found) {
        m_found.count = 0;
        setBest(start);
    }

    // Whether a tile can matter is hard to foresee for a processor: lists are made without branches
    // and worked through without decisions.
    HWY_INLINE void run() {
        lowerBestIn(computeGroupBounds());
        const std::size_t groups = listGroups();
        std::size_t tiles = 0;
        for (std::size_t group = 0; group < groups; group += kGroupsAtOnce) {
            const std::size_t before = tiles;
            tiles = listTiles(group, std::min(group + kGroupsAtOnce, groups), tiles);
            lowerBest(before, tiles);
        }
        collect(tiles);
    }

private:
    HWY_INLINE std::int64_t lanes() const { return static_cast<std::int64_t>(hn::Lanes(m_tag)); }

    HWY_INLINE void setBest(double best) {
        m_best = best;
        m_threshold = best + m_slack;
    }

    HWY_INLINE static double* withRoom(std::vector<double>& values, std::int64_t count) {
        if (values.size() < static_cast<std::size_t>(count)) {
            values.resize(static_cast<std::size_t>(count));
        }
        return values.data();
    }

    // Fills the bounds of the groups and returns the group with the least one.
    HWY_INLINE std::int64_t computeGroupBounds() {
        double* bounds = withRoom(m_found.bounds, groupCount(m_groups) * kGroupWidth);
        const std::int64_t firstGroup = m_groups * kGroupWidth;
        // Each lane remembers its least bound and where it stood; such counts are exact.
        Vector least = hn::Set(m_tag, kPaddingA<double>);
        Vector leastAt = hn::Zero(m_tag);
        const Vector one = hn::Set(m_tag, double{1});
        Vector at = hn::Zero(m_tag);
        for (std::int64_t group = 0; group < m_groups; group += lanes()) {
            const Vector bound = m_scores.boundsAt(firstGroup + group);
            hn::StoreU(bound, m_tag, bounds + group);
            leastAt = hn::IfThenElse(hn::Lt(bound, least), at, leastAt);
            least = hn::Min(least, bound);
            at = hn::Add(at, one);
        }
        const std::int64_t lane = leastLane(least);
        HWY_ALIGN double steps[kGroupWidth];
        hn::Store(leastAt, m_tag, steps);
        return static_cast<std::int64_t>(steps[lane]) * lanes() + lane;
    }

    HWY_INLINE std::int64_t leastLane(Vector values) const {
        const std::intptr_t lane =
            hn::FindFirstTrue(m_tag, hn::Eq(values, hn::MinOfLanes(m_tag, values)));
        return static_cast<std::int64_t>(std::max<std::intptr_t>(lane, 0));
    }

    // Looks into the tile of least bound of a group, for a good threshold from the start.
    HWY_INLINE void lowerBestIn(std::int64_t group) {
        const std::int64_t firstTile = group * kGroupWidth;
        std::int64_t tile = firstTile;
        double least = kPaddingA<double>;
        for (std::int64_t i = 0; i < kGroupWidth; i += lanes()) {
            const Vector bounds = m_scores.boundsAt(firstTile + i);
            const double bound = hn::GetLane(hn::MinOfLanes(m_tag, bounds));
            if (bound < least) {
                least = bound;
                tile = firstTile + i + leastLane(bounds);
            }
        }
        setBest(std::min(m_best, hn::GetLane(hn::MinOfLanes(m_tag, leastOf(tile)))));
    }

    // Each lane's least score in a tile.
    HWY_INLINE Vector leastOf(std::int64_t tile) const {
        Vector least = m_scores.at(tile * kTileWidth);
        for (std::int64_t i = lanes(); i < kTileWidth; i += lanes()) {
            least = hn::Min(least, m_scores.at(tile * kTileWidth + i));
        }
        return least;
    }

    // Appends to `list` the numbers first, first + 1, … of lanes within the threshold, below `end`.
    HWY_INLINE std::size_t append(Vector bounds, std::int64_t first, std::int64_t end,
                                  double* list) const {
        const Vector numbers = hn::Iota(m_tag, static_cast<double>(first));
        const auto exists = hn::Lt(numbers, hn::Set(m_tag, static_cast<double>(end)));
        const auto within = hn::Le(bounds, hn::Set(m_tag, m_threshold));
        return hn::CompressStore(numbers, hn::And(exists, within), m_tag, list);
    }

    HWY_INLINE std::size_t listGroups() {
        const double* bounds = m_found.bounds.data();
        double* list = withRoom(m_found.groups, (groupCount(m_groups) + 1) * kGroupWidth);
        std::size_t count = 0;
        for (std::int64_t group = 0; group < m_groups; group += lanes()) {
            count += append(hn::LoadU(m_tag, bounds + group), group, m_groups, list + count);
        }
        return count;
    }

    HWY_INLINE std::size_t listTiles(std::size_t group, std::size_t endGroup, std::size_t count) {
        double* list = withRoom(m_found.tiles, (m_groups + 1) * kGroupWidth);
        for (; group < endGroup; ++group) {
            const auto firstTile = static_cast<std::int64_t>(m_found.groups[group]) * kGroupWidth;
            for (std::int64_t tile = firstTile; tile < firstTile + kGroupWidth; tile += lanes()) {
                count += append(m_scores.boundsAt(tile), tile, m_tiles, list + count);
            }
        }
        return count;
    }

    HWY_INLINE void lowerBest(std::size_t tile, std::size_t endTile) {
        Vector least = hn::Set(m_tag, m_best);
        for (; tile < endTile; ++tile) {
            least = hn::Min(least, leastOf(static_cast<std::int64_t>(m_found.tiles[tile])));
        }
        setBest(hn::GetLane(hn::MinOfLanes(m_tag, least)));
    }

    HWY_INLINE void collect(std::size_t tiles) {
        const Vector threshold = hn::Set(m_tag, m_threshold);
        for (std::size_t i = 0; i < tiles; ++i) {
            const std::int64_t first = static_cast<std::int64_t>(m_found.tiles[i]) * kTileWidth;
            for (std::int64_t position = first; position < first + kTileWidth;
                 position += lanes()) {
                const Vector scores = m_scores.at(position);
                if (!hn::AllFalse(m_tag, hn::Le(scores, threshold))) {
                    keep(scores, position);
                }
            }
        }
    }

    HWY_NOINLINE void keep(Vector scores, std::int64_t first) {
        const std::size_t room = m_found.count + static_cast<std::size_t>(kTileWidth);
        if (m_found.positions.size() < room) {
            m_found.positions.resize(2 * room);
        }
        HWY_ALIGN double values[kTileWidth];
        hn::Store(scores, m_tag, values);
        for (std::int64_t lane = 0; lane < lanes(); ++lane) {
            if (values[lane] <= m_threshold) {
                m_found.positions[m_found.count++] = static_cast<std::int32_t>(first + lane);
            }
        }
    }

    std::int64_t m_tiles;
    std::int64_t m_groups;
    Tag<double> m_tag{};
    Scores m_scores;
    double m_slack;
    double m_best{};
    double m_threshold{};
    Candidates& m_found;
};

void searchOnTarget(const ScoreRows& rows, const ScoreWeights& weights, double start, double slack,
                    Candidates& found) {
    TileSearch(rows, weights, start, slack, found).run();
}

// Least or largest value of every kTileWidth.
template <bool kLeast, typename T>
HWY_INLINE void extremesOf(const T* values, std::int64_t tiles, T* extremes) {
    const Tag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        auto extreme = hn::Load(d, values + tile * kTileWidth);
        for (std::int64_t i = lanes; i < kTileWidth; i += lanes) {
            const auto others = hn::Load(d, values + tile * kTileWidth + i);
            extreme = kLeast ? hn::Min(extreme, others) : hn::Max(extreme, others);
        }
        extremes[tile] =
            hn::GetLane(kLeast ? hn::MinOfLanes(d, extreme) : hn::MaxOfLanes(d, extreme));
    }
}

template <bool kLeast, typename T>
HWY_INLINE void boundsOnTarget(const T* values, std::int64_t tiles, T* bounds) {
    constexpr T kPadding = kLeast ? kPaddingA<T> : kPaddingP<T>;
    const std::int64_t groups = groupCount(tiles);
    T* ofGroups = bounds + groups * kGroupWidth;
    extremesOf<kLeast>(values, tiles, bounds);
    std::fill(bounds + tiles, ofGroups, kPadding);
    extremesOf<kLeast>(bounds, groups, ofGroups);
    std::fill(ofGroups + groups, bounds + boundCount(tiles), kPadding);
}

// Sums of 16 lanes whatever the width of a vector, so that wide and narrow ones add in the same
// order.
void lineOnTarget(const float* HWY_RESTRICT word, const float* HWY_RESTRICT candidate,
                  const float* HWY_RESTRICT noise, std::int64_t count, ScoreLine& line) {
    constexpr std::int64_t kHalf = 8;
    const hn::CappedTag<double, kHalf> d;
    const hn::Rebind<float, decltype(d)> df;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    HWY_ALIGN double squares[kHalf];
    HWY_ALIGN double projections[kHalf];
    const std::int64_t whole = count / (2 * kHalf) * (2 * kHalf);
    for (std::int64_t lane = 0; lane < kHalf; lane += lanes) {
        auto squares0 = hn::Zero(d);
        auto squares1 = hn::Zero(d);
        auto projections0 = hn::Zero(d);
        auto projections1 = hn::Zero(d);
        const auto add = [&](std::int64_t k, auto& sumOfSquares, auto& sumOfProjections) HWY_ATTR {
            const auto difference = hn::Sub(hn::PromoteTo(d, hn::LoadU(df, candidate + k)),
                                            hn::PromoteTo(d, hn::LoadU(df, word + k)));
            sumOfSquares = hn::MulAdd(difference, difference, sumOfSquares);
            sumOfProjections = hn::MulAdd(difference, hn::PromoteTo(d, hn::LoadU(df, noise + k)),
                                          sumOfProjections);
        };
        for (std::int64_t k = lane; k < whole; k += 2 * kHalf) {
            add(k, squares0, projections0);
            add(k + kHalf, squares1, projections1);
        }
        hn::Store(hn::Add(squares0, squares1), d, squares + lane);
        hn::Store(hn::Add(projections0, projections1), d, projections + lane);
    }
    line = {};
    for (std::int64_t lane = 0; lane < kHalf; ++lane) {
        line.squaredDistance += squares[lane];
        line.projection += projections[lane];
    }
    for (std::int64_t k = whole; k < count; ++k) {
        const double difference = static_cast<double>(candidate[k]) - static_cast<double>(word[k]);
        line.squaredDistance += difference * difference;
        line.projection += difference * static_cast<double>(noise[k]);
    }
}

// Dispatch goes through plain functions: the table of targets cannot hold templates.
void minimaFloat(const float* values, std::int64_t tiles, float* minima) {
    boundsOnTarget<true>(values, tiles, minima);
}
void minimaDouble(const double* values, std::int64_t tiles, double* minima) {
    boundsOnTarget<true>(values, tiles, minima);
}
void maximaDouble(const double* values, std::int64_t tiles, double* maxima) {
    boundsOnTarget<false>(values, tiles, maxima);
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(searchOnTarget);
HWY_EXPORT(minimaFloat);
HWY_EXPORT(minimaDouble);
HWY_EXPORT(maximaDouble);
HWY_EXPORT(lineOnTarget);

ScoreLine scoreLine(const float* word, const float* candidate, const float* noise,
                    std::int64_t dimensions) {
    ScoreLine line;
    HWY_DYNAMIC_DISPATCH(lineOnTarget)(word, candidate, noise, dimensions, line);
    return line;
}

ScoreWeights ScoreWeights::atEpsilon(double epsilon) {
    const double twice = 2.0 / epsilon;
    return twice > 1.0 ? ScoreWeights{0.5 * epsilon, 1.0, 0.0} : ScoreWeights{1.0, twice, 0.0};
}

void searchTiles(const ScoreRows& rows, const ScoreWeights& weights, double start, double slack,
                 Candidates& found) {
    HWY_DYNAMIC_DISPATCH(searchOnTarget)(rows, weights, start, slack, found);
}

template <>
void leastBounds(const float* values, std::int64_t tiles, float* minima) {
    HWY_DYNAMIC_DISPATCH(minimaFloat)(values, tiles, minima);
}

template <>
void leastBounds(const double* values, std::int64_t tiles, double* minima) {
    HWY_DYNAMIC_DISPATCH(minimaDouble)(values, tiles, minima);
}

void largestBounds(const double* values, std::int64_t tiles, double* maxima) {
    HWY_DYNAMIC_DISPATCH(maximaDouble)(values, tiles, maxima);
}

double scoreAt(const ScoreRows& rows, const ScoreWeights& weights, std::int32_t position) {
    return weights.alpha * rows.a[position] - weights.tau * rows.p[position] +
           weights.kappa * rows.c[position];
}

}  // namespace epsilens::engine
#endif
