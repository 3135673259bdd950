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

// Weights handled in one pass: enough to hide the loads, few enough for 16 vector registers.
constexpr std::size_t kWeightsAtOnce = 5;

template <std::size_t kCount>
void minimaOfTiles(const float* HWY_RESTRICT a, const float* HWY_RESTRICT p, std::int64_t tiles,
                   const ScoreWeights* weights, float* HWY_RESTRICT minima) {
    const hn::ScalableTag<float> d;
    using Vector = decltype(hn::Zero(d));
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    float alpha[kCount];
    float tau[kCount];
    for (std::size_t k = 0; k < kCount; ++k) {
        alpha[k] = static_cast<float>(weights[k].alpha);
        tau[k] = static_cast<float>(weights[k].tau);
    }
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const float* tileA = a + tile * kTileWidth;
        const float* tileP = p + tile * kTileWidth;
        for (std::size_t k = 0; k < kCount; ++k) {
            const Vector vectorAlpha = hn::Set(d, alpha[k]);
            const Vector vectorTau = hn::Set(d, tau[k]);
            Vector least0 = hn::Set(d, __builtin_inff());
            Vector least1 = least0;
            for (std::int64_t i = 0; i < kTileWidth; i += 2 * lanes) {
                const Vector a0 = hn::Load(d, tileA + i);
                const Vector p0 = hn::Load(d, tileP + i);
                least0 = hn::Min(least0, hn::NegMulAdd(vectorTau, p0, hn::Mul(vectorAlpha, a0)));
                const Vector a1 = hn::Load(d, tileA + i + lanes);
                const Vector p1 = hn::Load(d, tileP + i + lanes);
                least1 = hn::Min(least1, hn::NegMulAdd(vectorTau, p1, hn::Mul(vectorAlpha, a1)));
            }
            minima[static_cast<std::int64_t>(k) * tiles + tile] =
                hn::GetLane(hn::MinOfLanes(d, hn::Min(least0, least1)));
        }
    }
}

void tileMinimaOnTarget(const float* a, const float* p, std::int64_t tiles,
                        const ScoreWeights* weights, std::size_t count, float* minima) {
    while (count >= kWeightsAtOnce) {
        minimaOfTiles<kWeightsAtOnce>(a, p, tiles, weights, minima);
        weights += kWeightsAtOnce;
        minima += static_cast<std::int64_t>(kWeightsAtOnce) * tiles;
        count -= kWeightsAtOnce;
    }
    for (; count > 0; --count) {
        minimaOfTiles<1>(a, p, tiles, weights, minima);
        ++weights;
        minima += tiles;
    }
}

std::size_t collectOnTarget(const float* HWY_RESTRICT a, const float* HWY_RESTRICT p, float alpha,
                            float tau, float threshold, std::int32_t* HWY_RESTRICT offsets) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto vectorAlpha = hn::Set(d, alpha);
    const auto vectorTau = hn::Set(d, tau);
    const auto limit = hn::Set(d, threshold);
    std::size_t count = 0;
    for (std::int64_t i = 0; i < kTileWidth; i += lanes) {
        const auto score =
            hn::NegMulAdd(vectorTau, hn::Load(d, p + i), hn::Mul(vectorAlpha, hn::Load(d, a + i)));
        const auto within = hn::Le(score, limit);
        if (!hn::AllFalse(d, within)) {
            count += hn::CompressBlendedStore(hn::Iota(di, static_cast<std::int32_t>(i)),
                                              hn::RebindMask(di, within), di, offsets + count);
        }
    }
    return count;
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(tileMinimaOnTarget);
HWY_EXPORT(collectOnTarget);

ScoreWeights ScoreWeights::atEpsilon(double epsilon) {
    const double twice = 2.0 / epsilon;
    return twice > 1.0 ? ScoreWeights{0.5 * epsilon, 1.0} : ScoreWeights{1.0, twice};
}

void tileMinima(const float* a, const float* p, std::int64_t tiles,
                const std::vector<ScoreWeights>& weights, float* minima) {
    HWY_DYNAMIC_DISPATCH(tileMinimaOnTarget)(a, p, tiles, weights.data(), weights.size(), minima);
}

void collectWithin(const float* a, const float* p, std::int64_t tile, const ScoreWeights& weights,
                   float threshold, std::vector<std::int32_t>& found) {
    const std::int64_t first = tile * kTileWidth;
    std::int32_t offsets[kTileWidth];
    const std::size_t count = HWY_DYNAMIC_DISPATCH(collectOnTarget)(
        a + first, p + first, static_cast<float>(weights.alpha), static_cast<float>(weights.tau),
        threshold, offsets);
    for (std::size_t i = 0; i < count; ++i) {
        found.push_back(static_cast<std::int32_t>(first) + offsets[i]);
    }
}

}  // namespace epsilens::engine
#endif
