#pragma once

#include <cstdint>
#include <vector>

#include <hwy/targets.h>
#include <catch2/catch.hpp>

namespace epsilens::test {

/// The instruction sets that the kernels are compiled for and the processor has, fastest first; the
/// last one is plain code.
[[nodiscard]] inline std::vector<std::int64_t> simdTargets() {
    return hwy::SupportedAndGeneratedTargets();
}

/// Kernels run on one of them while it lives; a failed check names it.
class OnTarget {
public:
    explicit OnTarget(std::int64_t target)
        : m_name(Catch::MessageBuilder("INFO", CATCH_INTERNAL_LINEINFO, Catch::ResultWas::Info)
                 << "on " << hwy::TargetName(target)) {
        hwy::SetSupportedTargetsForTest(target);
    }
    ~OnTarget() { hwy::SetSupportedTargetsForTest(0); }
    OnTarget(const OnTarget&) = delete;
    OnTarget& operator=(const OnTarget&) = delete;

private:
    Catch::ScopedMessage m_name;
};

}  // namespace epsilens::test
