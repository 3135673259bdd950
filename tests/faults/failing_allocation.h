#pragma once

namespace epsilens::test {

/// While it lives, allocations by operator new fail as on a machine without memory. One at a time.
class FailingAllocation {
public:
    enum class Until { once, always };

    /// The allocation with this number, from 1, is the first that fails.
    FailingAllocation(long number, Until until);
    ~FailingAllocation();
    FailingAllocation(const FailingAllocation&) = delete;
    FailingAllocation& operator=(const FailingAllocation&) = delete;

    [[nodiscard]] bool happened() const;
};

}  // namespace epsilens::test
