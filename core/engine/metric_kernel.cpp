#include "core/engine/metric_kernel.h"

#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/metric_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace epsilens::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most a quarter of a tile, as in the other kernels: rows end on whole vectors.
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

HWY_INLINE Vector cosinesAt(Tag d, const ProductRow& row, Vector products, std::int64_t i) {
    // One factor after the other: their product alone may overflow.
    const Vector component = hn::Mul(products, hn::Set(d, row.wordInverseNorm));
    return hn::Clamp(hn::Mul(component, hn::Load(d, row.inverseNorms + i)), hn::Set(d, -1.0F),
                     hn::Set(d, 1.0F));
}

HWY_INLINE Vector euclideanAt(Tag d, const ProductRow& row, Vector products, std::int64_t i) {
    const Vector norms =
        hn::Add(hn::Load(d, row.squaredNorms + i), hn::Set(d, row.wordSquaredNorm));
    return hn::Sqrt(hn::ZeroIfNegative(hn::NegMulAdd(hn::Set(d, 2.0F), products, norms)));
}

void euclideanOnTarget(const ProductRow& row, float* products, float* cosines) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < row.count; i += lanes) {
        const Vector product = hn::Load(d, products + i);
        if (cosines != nullptr) {
            hn::Store(cosinesAt(d, row, product, i), d, cosines + i);
        }
        hn::Store(euclideanAt(d, row, product, i), d, products + i);
    }
}

HWY_INLINE Vector anglesOf(Tag d, Vector cosines) {
    const Vector two = hn::Set(d, 2.0F);
    const Vector chord = hn::NegMulAdd(two, cosines, two);
    const Vector complement = hn::MulAdd(two, cosines, two);
    const Vector smaller = hn::Sqrt(hn::ZeroIfNegative(hn::Min(chord, complement)));
    const Vector angle = hn::Mul(two, hn::Asin(d, hn::Mul(hn::Set(d, 0.5F), smaller)));
    const Vector pi = hn::Set(d, std::numbers::pi_v<float>);
    return hn::IfThenElse(hn::Le(chord, complement), angle, hn::Sub(pi, angle));
}

void anglesOnTarget(const ProductRow& row, float* products, float* cosines) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < row.count; i += lanes) {
        const Vector cosine = cosinesAt(d, row, hn::Load(d, products + i), i);
        if (cosines != nullptr) {
            hn::Store(cosine, d, cosines + i);
        }
        hn::Store(anglesOf(d, cosine), d, products + i);
    }
}

void cosinesOnTarget(const ProductRow& row, float* products) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < row.count; i += lanes) {
        hn::Store(cosinesAt(d, row, hn::Load(d, products + i), i), d, products + i);
    }
}

void poincareOnTarget(const PoincareTable& table, const double* word, double wordGap,
                      float* distances) {
    const hn::CappedTag<double, 16> d;
    const hn::Rebind<float, decltype(d)> df;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto one = hn::Set(d, 1.0);
    for (std::int64_t i = 0; i < table.count; i += lanes) {
        auto squares = hn::Zero(d);
        for (std::int64_t k = 0; k < table.dimensions; ++k) {
            const auto difference = hn::Sub(hn::LoadU(d, table.coordinates + k * table.stride + i),
                                            hn::Set(d, word[k]));
            squares = hn::MulAdd(difference, difference, squares);
        }
        const auto q = hn::Div(squares, hn::Mul(hn::LoadU(d, table.gaps + i), hn::Set(d, wordGap)));
        // arsinh(s) = log1p(s + s^2 / (1 + sqrt(1 + s^2))), without cancellation for any s.
        const auto fraction = hn::Div(q, hn::Add(one, hn::Sqrt(hn::Add(one, q))));
        const auto halfDistance = hn::Log1p(d, hn::Add(hn::Sqrt(q), fraction));
        hn::StoreU(hn::DemoteTo(df, hn::Add(halfDistance, halfDistance)), df, distances + i);
    }
}

// Adds the terms from `first` on to a sum, two vectors at a time; returns where the rest begins.
template <class DoubleTag, class Add>
HWY_INLINE std::int64_t addTerms(DoubleTag tag, std::int64_t first, std::int64_t count,
                                 const Add& add, double& sum) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    auto sum0 = hn::Zero(tag);
    auto sum1 = hn::Zero(tag);
    for (; first + 2 * lanes <= count; first += 2 * lanes) {
        sum0 = add(tag, first, sum0);
        sum1 = add(tag, first + lanes, sum1);
    }
    for (; first + lanes <= count; first += lanes) {
        sum0 = add(tag, first, sum0);
    }
    sum += hn::GetLane(hn::SumOfLanes(tag, hn::Add(sum0, sum1)));
    return first;
}

// add  called with a tag, an index and a sum, to which it adds the terms from the index on
template <class Add>
HWY_INLINE double sumOfTerms(std::int64_t count, const Add& add) {
    double sum = 0.0;
    const std::int64_t rest = addTerms(hn::ScalableTag<double>(), 0, count, add, sum);
    addTerms(hn::CappedTag<double, 1>(), rest, count, add, sum);
    return sum;
}

template <class DoubleTag>
HWY_INLINE hn::Vec<DoubleTag> doublesAt(DoubleTag tag, const float* values) {
    return hn::PromoteTo(tag, hn::LoadU(hn::Rebind<float, DoubleTag>(), values));
}

double squaredOnTarget(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                       std::int64_t count) {
    return sumOfTerms(count, [&](auto tag, std::int64_t i, auto sum) HWY_ATTR {
        const auto difference = hn::Sub(doublesAt(tag, a + i), doublesAt(tag, b + i));
        return hn::MulAdd(difference, difference, sum);
    });
}

double scaledOnTarget(const float* HWY_RESTRICT a, double scaleA, const float* HWY_RESTRICT b,
                      double scaleB, std::int64_t count) {
    return sumOfTerms(count, [&](auto tag, std::int64_t i, auto sum) HWY_ATTR {
        const auto difference = hn::Sub(hn::Mul(hn::Set(tag, scaleA), doublesAt(tag, a + i)),
                                        hn::Mul(hn::Set(tag, scaleB), doublesAt(tag, b + i)));
        return hn::MulAdd(difference, difference, sum);
    });
}

double weightedOnTarget(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                        const double* HWY_RESTRICT weights, std::int64_t count) {
    return sumOfTerms(count, [&](auto tag, std::int64_t i, auto sum) HWY_ATTR {
        const auto difference = hn::Sub(doublesAt(tag, a + i), doublesAt(tag, b + i));
        return hn::MulAdd(hn::Mul(hn::LoadU(tag, weights + i), difference), difference, sum);
    });
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(euclideanOnTarget);
HWY_EXPORT(anglesOnTarget);
HWY_EXPORT(cosinesOnTarget);
HWY_EXPORT(poincareOnTarget);
HWY_EXPORT(squaredOnTarget);
HWY_EXPORT(scaledOnTarget);
HWY_EXPORT(weightedOnTarget);

void productsToEuclidean(const ProductRow& row, float* products, float* cosines) {
    HWY_DYNAMIC_DISPATCH(euclideanOnTarget)(row, products, cosines);
}

void productsToAngles(const ProductRow& row, float* products, float* cosines) {
    HWY_DYNAMIC_DISPATCH(anglesOnTarget)(row, products, cosines);
}

void productsToCosines(const ProductRow& row, float* products) {
    HWY_DYNAMIC_DISPATCH(cosinesOnTarget)(row, products);
}

void poincareDistances(const PoincareTable& table, const double* word, double wordGap,
                       float* distances) {
    HWY_DYNAMIC_DISPATCH(poincareOnTarget)(table, word, wordGap, distances);
}

double squaredDistance(const float* a, const float* b, std::int64_t dimensions) {
    return HWY_DYNAMIC_DISPATCH(squaredOnTarget)(a, b, dimensions);
}

double scaledSquaredDifference(const float* a, double scaleA, const float* b, double scaleB,
                               std::int64_t dimensions) {
    return HWY_DYNAMIC_DISPATCH(scaledOnTarget)(a, scaleA, b, scaleB, dimensions);
}

double weightedSquaredDifference(const float* a, const float* b, const double* weights,
                                 std::int64_t dimensions) {
    return HWY_DYNAMIC_DISPATCH(weightedOnTarget)(a, b, weights, dimensions);
}

}  // namespace epsilens::engine
#endif
