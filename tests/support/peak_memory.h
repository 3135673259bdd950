#pragma once

namespace epsilens::test {

/// What this process takes at most beyond what it had when this was made. Sanitizers take memory of
/// their own, so that it tells nothing there.
class PeakMemory {
public:
    PeakMemory();
    [[nodiscard]] double bytes() const;

private:
    double m_before = 0.0;
};

}  // namespace epsilens::test
