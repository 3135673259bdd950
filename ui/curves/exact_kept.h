#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/calibration/calibrate.h"

namespace epsilens::ui {

/// A statistic over the words of a run at one epsilon.
struct CurvePoint {
    double epsilon = 0.0;
    statistics::Summary over{};  ///< counts out of R
};

/// N_w for every epsilon, exactly: a draw keeps its word from its critical epsilon on, so N_w of a
/// word is the number of its critical values <= epsilon.
class ExactKept {
public:
    /// table  words x draws critical values of at least one word; +inf where a word is never kept
    /// draws  R >= 1
    ExactKept(calibration::CriticalTable table, int draws);

    [[nodiscard]] double lambda() const { return m_lambda; }
    [[nodiscard]] std::size_t words() const { return m_values.size() / m_draws; }
    /// Mean, percentiles and extremes over the words at each epsilon; intervals stay empty.
    ///
    /// epsilons  rising
    [[nodiscard]] std::vector<CurvePoint> at(std::span<const double> epsilons) const;

private:
    double m_lambda;
    std::size_t m_draws;
    std::vector<double> m_values;  ///< words x R, rising within each word
};

/// Mean, sd, percentiles (Hyndman-Fan type 7) and extremes of counts given as a histogram.
///
/// histogram  entry c: how many words have the count c; not all zero
[[nodiscard]] statistics::Summary summaryOfCounts(std::span<const std::int64_t> histogram);

}  // namespace epsilens::ui
