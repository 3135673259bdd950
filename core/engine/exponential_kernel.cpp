#include "core/engine/exponential_kernel.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/exponential_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace epsilens::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Four vectors are at most the padding of a row, so that rows end on whole groups of four.
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

/// kSumOnly  neither stores the weights nor forms other sums
template <bool kSumOnly>
class WeightRow {
public:
    WeightRow(const float* distances, const float* cosines, float rate, float cap, float* weights)
        : m_distances(distances),
          m_cosines(cosines),
          m_weights(weights),
          m_rate(hn::Set(m_tag, rate)),
          m_cap(hn::Set(m_tag, cap)) {}

    // Vectors of entries [first, last), the last one masked when it reaches beyond.
    HWY_INLINE void run(std::int64_t first, std::int64_t last, WeightSums& sums) {
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(m_tag));
        m_weightSum = m_exponentSum = m_distanceSum = m_cosineSum = m_cappedSum = hn::Zero(m_tag);
        std::int64_t i = first;
        for (; i + lanes <= last; i += lanes) {
            add(i, weightAt(i));
        }
        if (i < last) {
            const auto inside = hn::FirstN(m_tag, static_cast<std::size_t>(last - i));
            add(i, hn::IfThenElseZero(inside, weightAt(i)));
        }
        sums.weights += total(m_weightSum);
        if constexpr (kSumOnly) {
            return;
        }
        sums.exponents += total(m_exponentSum);
        sums.distances += total(m_distanceSum);
        sums.cosines += total(m_cosineSum);
        sums.capped += total(m_cappedSum);
    }

private:
    HWY_INLINE Vector exponentAt(std::int64_t i) const {
        return hn::Min(hn::Mul(m_rate, hn::Load(m_tag, m_distances + i)), m_cap);
    }
    HWY_INLINE Vector weightAt(std::int64_t i) const {
        return hn::Exp(m_tag, hn::Neg(exponentAt(i)));
    }
    HWY_INLINE void add(std::int64_t i, Vector weight) {
        m_weightSum = hn::Add(m_weightSum, weight);
        if constexpr (kSumOnly) {
            return;
        }
        hn::Store(weight, m_tag, m_weights + i);
        const Vector exponent = exponentAt(i);
        m_exponentSum = hn::MulAdd(exponent, weight, m_exponentSum);
        m_distanceSum = hn::MulAdd(hn::Load(m_tag, m_distances + i), weight, m_distanceSum);
        if (m_cosines != nullptr) {
            m_cosineSum = hn::MulAdd(hn::Load(m_tag, m_cosines + i), weight, m_cosineSum);
        }
        m_cappedSum = hn::Add(m_cappedSum, hn::IfThenElseZero(hn::Eq(exponent, m_cap), weight));
    }
    HWY_INLINE double total(Vector sum) const {
        return static_cast<double>(hn::GetLane(hn::SumOfLanes(m_tag, sum)));
    }

    Tag m_tag{};
    const float* m_distances;
    const float* m_cosines;
    float* m_weights;
    Vector m_rate;
    Vector m_cap;
    Vector m_weightSum = hn::Zero(m_tag);
    Vector m_exponentSum = hn::Zero(m_tag);
    Vector m_distanceSum = hn::Zero(m_tag);
    Vector m_cosineSum = hn::Zero(m_tag);
    Vector m_cappedSum = hn::Zero(m_tag);
};

template <bool kSumOnly>
HWY_INLINE WeightSums sumsOf(WeightRow<kSumOnly> row, std::int64_t count) {
    WeightSums sums;
    const std::int64_t step =
        std::min(kFloatSumLength, kFloatSumVectors * static_cast<std::int64_t>(hn::Lanes(Tag())));
    for (std::int64_t first = 0; first < count; first += step) {
        row.run(first, std::min(first + step, count), sums);
    }
    return sums;
}

WeightSums weightsOnTarget(const float* distances, const float* cosines, std::int64_t count,
                           float rate, float cap, float* weights) {
    return sumsOf(WeightRow<false>(distances, cosines, rate, cap, weights), count);
}

double sumOnTarget(const float* distances, std::int64_t count, float rate, float cap) {
    return sumsOf(WeightRow<true>(distances, nullptr, rate, cap, nullptr), count).weights;
}

// Expected distinct words among those of four vectors: independent chains hide their latency.
HWY_INLINE Vector distinctOfFour(Tag d, const float* weights, Vector scale, unsigned draws) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const Vector p0 = hn::Mul(scale, hn::Load(d, weights));
    const Vector p1 = hn::Mul(scale, hn::Load(d, weights + lanes));
    const Vector p2 = hn::Mul(scale, hn::Load(d, weights + 2 * lanes));
    const Vector p3 = hn::Mul(scale, hn::Load(d, weights + 3 * lanes));
    Vector q0 = p0;
    Vector q1 = p1;
    Vector q2 = p2;
    Vector q3 = p3;
    for (unsigned bit = std::bit_floor(draws) >> 1U; bit != 0; bit >>= 1U) {
        q0 = hn::NegMulAdd(q0, q0, hn::Add(q0, q0));
        q1 = hn::NegMulAdd(q1, q1, hn::Add(q1, q1));
        q2 = hn::NegMulAdd(q2, q2, hn::Add(q2, q2));
        q3 = hn::NegMulAdd(q3, q3, hn::Add(q3, q3));
        if ((draws & bit) != 0) {
            q0 = hn::NegMulAdd(p0, q0, hn::Add(q0, p0));
            q1 = hn::NegMulAdd(p1, q1, hn::Add(q1, p1));
            q2 = hn::NegMulAdd(p2, q2, hn::Add(q2, p2));
            q3 = hn::NegMulAdd(p3, q3, hn::Add(q3, p3));
        }
    }
    return hn::Add(hn::Add(q0, q1), hn::Add(q2, q3));
}

double distinctOnTarget(const float* weights, std::int64_t count, float scale, unsigned draws) {
    const Tag d;
    const auto step = 4 * static_cast<std::int64_t>(hn::Lanes(d));
    const Vector scaleVector = hn::Set(d, scale);
    double sum = 0.0;
    for (std::int64_t first = 0; first < count; first += kFloatSumLength) {
        const std::int64_t last = std::min(first + kFloatSumLength, count);
        Vector partial = hn::Zero(d);
        for (std::int64_t i = first; i < last; i += step) {
            partial = hn::Add(partial, distinctOfFour(d, weights + i, scaleVector, draws));
        }
        sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, partial)));
    }
    return sum;
}

// In whole vectors from `first` on; returns where the rest begins.
template <class DoubleTag>
HWY_INLINE std::size_t powersInVectors(DoubleTag tag, std::span<const double> values, double rate,
                                       std::size_t first, std::span<double> powers) {
    const auto factor = hn::Set(tag, -rate);
    const std::size_t lanes = hn::Lanes(tag);
    for (; first + lanes <= values.size(); first += lanes) {
        const auto exponents = hn::Mul(factor, hn::LoadU(tag, values.data() + first));
        hn::StoreU(hn::Exp(tag, exponents), tag, powers.data() + first);
    }
    return first;
}

void powersOnTarget(std::span<const double> values, double rate, std::span<double> powers) {
    const std::size_t rest = powersInVectors(hn::ScalableTag<double>(), values, rate, 0, powers);
    powersInVectors(hn::CappedTag<double, 1>(), values, rate, rest, powers);
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(weightsOnTarget);
HWY_EXPORT(sumOnTarget);
HWY_EXPORT(distinctOnTarget);
HWY_EXPORT(powersOnTarget);

WeightSums exponentialWeights(const float* distances, const float* cosines, std::int64_t count,
                              float rate, float cap, float* weights) {
    std::fill(weights + count, weights + paddedRowLength(count), 0.0F);
    return HWY_DYNAMIC_DISPATCH(weightsOnTarget)(distances, cosines, count, rate, cap, weights);
}

double exponentialSum(const float* distances, std::int64_t count, float rate, float cap) {
    return HWY_DYNAMIC_DISPATCH(sumOnTarget)(distances, count, rate, cap);
}

double expectedDistinct(const float* weights, std::int64_t count, double total, int draws) {
    const double distinct = HWY_DYNAMIC_DISPATCH(distinctOnTarget)(
        weights, count, static_cast<float>(1.0 / total), static_cast<unsigned>(draws));
    return std::min(distinct, static_cast<double>(draws));
}

void exponentials(std::span<const double> values, double rate, std::span<double> powers) {
    HWY_DYNAMIC_DISPATCH(powersOnTarget)(values, rate, powers);
}

}  // namespace epsilens::engine
#endif
