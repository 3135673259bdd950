#include "tests/support/statistical.h"

#include <algorithm>
#include <cmath>

namespace epsilens::test {

double ksDistance(std::vector<double> sample, const std::function<double(double)>& distribution) {
    std::ranges::sort(sample);
    const double n = static_cast<double>(sample.size());
    double distance = 0.0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const double p = distribution(sample[i]);
        distance = std::max(
            {distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
    }
    return distance;
}

double ksCritical(std::size_t sampleSize, double falseAlarmRate) {
    return std::sqrt(-0.5 * std::log(0.5 * falseAlarmRate) / static_cast<double>(sampleSize));
}

double normalCritical(double falseAlarmRate) {
    double low = 0.0;
    double high = 40.0;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (std::erfc(middle / std::sqrt(2.0)) > falseAlarmRate ? low : high) = middle;
    }
    return high;
}

}  // namespace epsilens::test
