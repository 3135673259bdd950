#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/calibration/calibrate.h"

namespace epsilens::calibration {

/// A statistic over the words of a run at one epsilon.
struct CurvePoint {
    double epsilon = 0.0;
    statistics::Summary over{};  ///< counts out of R
};

/// N_w for every epsilon, exactly: a draw keeps its word from its critical epsilon on, so N_w of a
/// word is the number of its critical values <= epsilon.
class ExactKept {
public:
    /// table  of at least one word
    /// draws  R >= 1
    ExactKept(std::shared_ptr<const CriticalTable> table, int draws);

    [[nodiscard]] double lambda() const { return m_table->lambda; }
    [[nodiscard]] std::size_t words() const { return m_table->values.size() / m_draws; }
    /// Mean, percentiles and extremes over the words at each epsilon; intervals stay empty.
    ///
    /// epsilons  rising
    [[nodiscard]] std::vector<CurvePoint> at(std::span<const double> epsilons) const;

private:
    void append(std::span<const double> epsilons, std::vector<CurvePoint>& points) const;

    std::shared_ptr<const CriticalTable> m_table;
    std::size_t m_draws;
};

/// Mean, sd, percentiles (Hyndman-Fan type 7) and extremes of counts given as a histogram.
///
/// histogram  entry c: how many words have the count c; not all zero
[[nodiscard]] statistics::Summary summaryOfCounts(std::span<const std::int64_t> histogram);

}  // namespace epsilens::calibration
