#include "core/engine/point_candidates.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/point_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace epsilens::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::CappedTag<T, kTileWidth>;

template <typename T>
HWY_INLINE hn::Vec<Tag<T>> scoresAt(const PointScores<T>& scores, hn::Vec<Tag<T>> scale,
                                    std::int64_t j) {
    const Tag<T> d;
    return hn::MulSub(scale, hn::Load(d, scores.heights + j), hn::Load(d, scores.products + j));
}

template <typename T>
HWY_INLINE T leastOnTarget(const PointScores<T>& scores) {
    const Tag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto scale = hn::Set(d, scores.scale);
    auto least = hn::Set(d, kPaddingA<T>);
    for (std::int64_t j = 0; j < scores.count; j += lanes) {
        least = hn::Min(least, scoresAt(scores, scale, j));
    }
    return hn::GetLane(hn::MinOfLanes(d, least));
}

template <typename T>
HWY_INLINE void collectOnTarget(const PointScores<T>& scores, T threshold, std::int32_t first,
                                std::vector<std::int32_t>& found) {
    const Tag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto scale = hn::Set(d, scores.scale);
    const auto highest = hn::Set(d, threshold);
    HWY_ALIGN T values[kTileWidth];
    for (std::int64_t j = 0; j < scores.count; j += lanes) {
        const auto computed = scoresAt(scores, scale, j);
        if (hn::AllFalse(d, hn::Le(computed, highest))) {
            continue;
        }
        hn::Store(computed, d, values);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            if (values[lane] <= threshold) {
                found.push_back(first + static_cast<std::int32_t>(j + lane));
            }
        }
    }
}

// Dispatch goes through plain functions: the table of targets cannot hold templates.
float leastFloat(const PointScores<float>& scores) {
    return leastOnTarget(scores);
}
double leastDouble(const PointScores<double>& scores) {
    return leastOnTarget(scores);
}
void collectFloat(const PointScores<float>& scores, float threshold, std::int32_t first,
                  std::vector<std::int32_t>& found) {
    collectOnTarget(scores, threshold, first, found);
}
void collectDouble(const PointScores<double>& scores, double threshold, std::int32_t first,
                   std::vector<std::int32_t>& found) {
    collectOnTarget(scores, threshold, first, found);
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(leastFloat);
HWY_EXPORT(leastDouble);
HWY_EXPORT(collectFloat);
HWY_EXPORT(collectDouble);

template <>
float leastScore(const PointScores<float>& scores) {
    return HWY_DYNAMIC_DISPATCH(leastFloat)(scores);
}

template <>
double leastScore(const PointScores<double>& scores) {
    return HWY_DYNAMIC_DISPATCH(leastDouble)(scores);
}

template <>
void collectScores(const PointScores<float>& scores, float threshold, std::int32_t first,
                   std::vector<std::int32_t>& found) {
    HWY_DYNAMIC_DISPATCH(collectFloat)(scores, threshold, first, found);
}

template <>
void collectScores(const PointScores<double>& scores, double threshold, std::int32_t first,
                   std::vector<std::int32_t>& found) {
    HWY_DYNAMIC_DISPATCH(collectDouble)(scores, threshold, first, found);
}

}  // namespace epsilens::engine
#endif
