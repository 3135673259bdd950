#include "core/engine/power_kernel.h"

#include <algorithm>
#include <array>

#include "core/base/eigen.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/power_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef EPSILENS_POWER_KERNEL_ONCE
#define EPSILENS_POWER_KERNEL_ONCE

#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

namespace epsilens::engine {

/// The row and the law of a sum.
struct PowerRow {
    const float* distances;
    const float* cosines;
    std::int64_t count;
    float rate;
    float cap;
};

/// Products below the normal range are 0 while it lives: they take a hundred times as long as
/// others on some processors.
class FlushedProducts {
public:
#if HWY_ARCH_X86
    FlushedProducts() : m_before(_mm_getcsr()) {
        _mm_setcsr(m_before | kFlushToZero);
    }
    ~FlushedProducts() {
        _mm_setcsr(m_before);
    }
#else
    FlushedProducts() = default;
    ~FlushedProducts() = default;
#endif
    FlushedProducts(const FlushedProducts&) = delete;
    FlushedProducts& operator=(const FlushedProducts&) = delete;

private:
#if HWY_ARCH_X86
    static constexpr unsigned kFlushToZero = 0x8000;
    unsigned m_before;
#endif
};

/// Entries that are added up before their sum is added to others, and vectors of them at most; sums
/// of these before float64.
constexpr std::int64_t kInnerLength = 128;
constexpr std::int64_t kInnerVectors = 32;
constexpr std::int64_t kInnerSums = 16;

}  // namespace epsilens::engine

#endif

HWY_BEFORE_NAMESPACE();
namespace epsilens::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A step holds whole vectors.
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

HWY_INLINE std::int64_t innerLength() {
    return std::min(kInnerLength, kInnerVectors * static_cast<std::int64_t>(hn::Lanes(Tag())));
}

HWY_INLINE double total(Vector sum) {
    return static_cast<double>(hn::GetLane(hn::SumOfLanes(Tag(), sum)));
}

// 2^-y for y in [0, 126): the integer next to y goes into the exponent, the rest into a polynomial,
// which is within 1.61 * 2^-24 of 2^-f on [-1/2, 1/2] and 1 at 0. Equioscillating with that
// condition, rounded to float32. Its roundings: exact_statistics.md
HWY_INLINE Vector powerOf(Vector y) {
    const Tag d;
    const hn::RebindToUnsigned<Tag> bits;
    const Vector toInteger = hn::Set(d, 0x1.8p23F);
    const Vector shifted = hn::Add(y, toInteger);
    const Vector f = hn::Sub(y, hn::Sub(shifted, toInteger));
    Vector p = hn::MulAdd(hn::Set(d, -0x1.5bba1ep-10F), f, hn::Set(d, 0x1.3cea84p-7F));
    p = hn::MulAdd(p, f, hn::Set(d, -0x1.c6b70cp-5F));
    p = hn::MulAdd(p, f, hn::Set(d, 0x1.ebf9bep-3F));
    p = hn::MulAdd(p, f, hn::Set(d, -0x1.62e42ap-1F));
    p = hn::MulAdd(p, f, hn::Set(d, 1.0F));
    constexpr int kMantissaBits = 23;
    return hn::BitCast(
        d, hn::Sub(hn::BitCast(bits, p), hn::ShiftLeft<kMantissaBits>(hn::BitCast(bits, shifted))));
}

struct LaneSums {
    Vector weights;
    Vector distances;
    Vector cosines;
    Vector squares;
    Vector cubes;
    Vector fourths;

    HWY_INLINE LaneSums() {
        weights = distances = cosines = squares = cubes = fourths = hn::Zero(Tag());
    }
    HWY_INLINE void add(Vector distance, Vector cosine, Vector weight) {
        weights = hn::Add(weights, weight);
        distances = hn::MulAdd(distance, weight, distances);
        cosines = hn::MulAdd(cosine, weight, cosines);
        const Vector square = hn::Mul(weight, weight);
        squares = hn::Add(squares, square);
        cubes = hn::MulAdd(square, weight, cubes);
        fourths = hn::MulAdd(square, square, fourths);
    }
    HWY_INLINE void add(const LaneSums& inner) {
        weights = hn::Add(weights, inner.weights);
        distances = hn::Add(distances, inner.distances);
        cosines = hn::Add(cosines, inner.cosines);
        squares = hn::Add(squares, inner.squares);
        cubes = hn::Add(cubes, inner.cubes);
        fourths = hn::Add(fourths, inner.fourths);
    }
    HWY_INLINE void addTo(PowerSums& sums) const {
        sums.weights += total(weights);
        sums.distances += total(distances);
        sums.cosines += total(cosines);
        sums.squares += total(squares);
        sums.cubes += total(cubes);
        sums.fourths += total(fourths);
    }
};

// No entry reaches the cap.
PowerSums sumsBelowCap(const PowerRow& row) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t innerStep = innerLength();
    const std::int64_t outerStep = kInnerSums * innerStep;
    const Vector rate = hn::Set(d, row.rate);
    PowerSums sums;
    for (std::int64_t outer = 0; outer < row.count; outer += outerStep) {
        const std::int64_t outerEnd = std::min(outer + outerStep, row.count);
        LaneSums outerSums;
        for (std::int64_t inner = outer; inner < outerEnd; inner += innerStep) {
            const std::int64_t end = std::min(inner + innerStep, outerEnd);
            LaneSums innerSums;
            for (std::int64_t i = inner; i < end; i += lanes) {
                const Vector distance = hn::Load(d, row.distances + i);
                innerSums.add(distance, hn::Load(d, row.cosines + i),
                              powerOf(hn::Mul(rate, distance)));
            }
            outerSums.add(innerSums);
        }
        outerSums.addTo(sums);
    }
    sums.exponents = static_cast<double>(row.rate) * sums.distances;
    return sums;
}

// What the vectors with an entry below the cap leave of the totals lies at the cap.
struct BelowCap {
    double exponents = 0.0;
    double distances = 0.0;
    double cosines = 0.0;
    std::int64_t entries = 0;
};

// Vectors of [first, last) with an entry below the cap, without a branch that is hard to foretell.
HWY_INLINE std::size_t listBelowCap(const PowerRow& row, std::int64_t first, std::int64_t last,
                                    std::int64_t* list) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const Vector rate = hn::Set(d, row.rate);
    const Vector cap = hn::Set(d, row.cap);
    std::size_t listed = 0;
    for (std::int64_t i = first; i < last; i += lanes) {
        list[listed] = i;
        const auto below = hn::Lt(hn::Mul(rate, hn::Load(d, row.distances + i)), cap);
        listed += hn::AllFalse(d, below) ? 0 : 1;
    }
    return listed;
}

HWY_INLINE void addListed(const PowerRow& row, const std::int64_t* list, std::size_t listed,
                          PowerSums& sums, BelowCap& below) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const Vector rate = hn::Set(d, row.rate);
    const Vector cap = hn::Set(d, row.cap);
    const std::size_t atOnce = static_cast<std::size_t>(innerLength() / lanes);
    LaneSums outerSums;
    Vector outerExponents = hn::Zero(d);
    Vector outerDistances = hn::Zero(d);
    Vector outerCosines = hn::Zero(d);
    for (std::size_t first = 0; first < listed; first += atOnce) {
        LaneSums innerSums;
        Vector exponents = hn::Zero(d);
        Vector distances = hn::Zero(d);
        Vector cosines = hn::Zero(d);
        for (std::size_t k = first; k < std::min(first + atOnce, listed); ++k) {
            const Vector distance = hn::Load(d, row.distances + list[k]);
            const Vector cosine = hn::Load(d, row.cosines + list[k]);
            const Vector exponent = hn::Min(hn::Mul(rate, distance), cap);
            const Vector weight = powerOf(exponent);
            innerSums.add(distance, cosine, weight);
            exponents = hn::MulAdd(exponent, weight, exponents);
            distances = hn::Add(distances, distance);
            cosines = hn::Add(cosines, cosine);
        }
        outerSums.add(innerSums);
        outerExponents = hn::Add(outerExponents, exponents);
        outerDistances = hn::Add(outerDistances, distances);
        outerCosines = hn::Add(outerCosines, cosines);
    }
    outerSums.addTo(sums);
    below.exponents += total(outerExponents);
    below.distances += total(outerDistances);
    below.cosines += total(outerCosines);
    below.entries += static_cast<std::int64_t>(listed) * lanes;
}

PowerSums sumsUpToCap(const PowerRow& row, const RowTotals& totals) {
    const Tag d;
    PowerSums sums;
    BelowCap below;
    const std::int64_t outerStep = kInnerSums * innerLength();
    std::array<std::int64_t, kInnerSums * kInnerVectors> list;
    for (std::int64_t first = 0; first < row.count; first += outerStep) {
        const std::int64_t last = std::min(first + outerStep, row.count);
        const std::size_t listed = listBelowCap(row, first, last, list.data());
        addListed(row, list.data(), listed, sums, below);
    }
    const double weight = static_cast<double>(hn::GetLane(powerOf(hn::Set(d, row.cap))));
    const auto others = static_cast<double>(row.count - below.entries);
    sums.weights += others * weight;
    sums.exponents = below.exponents + others * static_cast<double>(row.cap) * weight;
    sums.distances += (totals.distances - below.distances) * weight;
    sums.cosines += (totals.cosines - below.cosines) * weight;
    sums.squares += others * weight * weight;
    sums.cubes += others * weight * weight * weight;
    sums.fourths += others * weight * weight * weight * weight;
    return sums;
}

PowerSums powerSumsOnTarget(const PowerRow& row, float largest, const RowTotals& totals) {
    const FlushedProducts flushed;
    return row.rate * largest < row.cap ? sumsBelowCap(row) : sumsUpToCap(row, totals);
}

RowTotals totalsOnTarget(const float* distances, const float* cosines, std::int64_t count) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    RowTotals totals;
    const std::int64_t step = innerLength();
    for (std::int64_t first = 0; first < count; first += step) {
        Vector distanceSum = hn::Zero(d);
        Vector cosineSum = hn::Zero(d);
        for (std::int64_t i = first; i < std::min(first + step, count); i += lanes) {
            distanceSum = hn::Add(distanceSum, hn::Load(d, distances + i));
            cosineSum = hn::Add(cosineSum, hn::Load(d, cosines + i));
        }
        totals.distances += total(distanceSum);
        totals.cosines += total(cosineSum);
    }
    return totals;
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(powerSumsOnTarget);
HWY_EXPORT(totalsOnTarget);

float copyWithLargest(const float* from, std::int64_t count, float* to) {
    std::copy_n(from, count, to);
    return Eigen::Map<const VectorF>(from, count).maxCoeff();
}

RowTotals rowTotals(const float* distances, const float* cosines, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(totalsOnTarget)(distances, cosines, count);
}

PowerSums powerSums(const float* distances, const float* cosines, std::int64_t count, float rate,
                    float cap, float largest, const RowTotals& totals) {
    return HWY_DYNAMIC_DISPATCH(powerSumsOnTarget)({distances, cosines, count, rate, cap}, largest,
                                                   totals);
}

}  // namespace epsilens::engine
#endif
