#include "core/engine/pair_filter.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/pair_filter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace epsilens::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::int64_t collectOnTarget(float squaredNorm, float limit, const PairRow& others,
                             const float* HWY_RESTRICT products, std::int32_t* HWY_RESTRICT found) {
    const hn::CappedTag<float, kPairPadding> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto norm = hn::Set(d, squaredNorm);
    const auto ownLimit = hn::Set(d, limit);
    std::int64_t count = 0;
    for (std::int64_t j = 0; j < others.count; j += lanes) {
        const auto squared =
            hn::Add(hn::Add(hn::Load(d, others.squaredNorms + j), norm), hn::Load(d, products + j));
        const auto near = hn::Lt(squared, hn::Max(ownLimit, hn::Load(d, others.limits + j)));
        if (!hn::AllFalse(d, near)) {
            count += static_cast<std::int64_t>(
                hn::CompressStore(hn::Iota(di, static_cast<std::int32_t>(j)),
                                  hn::RebindMask(di, near), di, found + count));
        }
    }
    return count;
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(collectOnTarget);

std::int64_t collectNear(float squaredNorm, float limit, const PairRow& others,
                         const float* products, std::int32_t* found) {
    return HWY_DYNAMIC_DISPATCH(collectOnTarget)(squaredNorm, limit, others, products, found);
}

}  // namespace epsilens::engine
#endif
