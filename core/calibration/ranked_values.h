#pragma once

#include <cstdint>
#include <vector>

namespace epsilens::calibration {

/// Values of words that change one at a time, with their mean and quantiles at any moment.
class RankedValues {
public:
    /// possible  every value that will be added, rising, distinct
    explicit RankedValues(std::vector<float> possible);

    /// The value must be possible.
    void add(float value) { change(value, 1); }
    /// The value must have been added.
    void remove(float value) { change(value, -1); }

    /// Of at least one value.
    [[nodiscard]] double mean() const { return m_sum / static_cast<double>(m_count); }
    /// Hyndman-Fan type 7, as numeric::quantileOfSorted; of at least one value.
    [[nodiscard]] double quantile(double probability) const;

private:
    void change(float value, std::int64_t by);
    [[nodiscard]] double valueAt(std::int64_t rank) const;

    std::vector<float> m_possible;
    std::vector<std::int64_t> m_tree;  ///< Fenwick tree of the counts of the possible values
    std::size_t m_top = 1;             ///< largest power of two within its length
    std::int64_t m_count = 0;
    double m_sum = 0.0;
};

}  // namespace epsilens::calibration
