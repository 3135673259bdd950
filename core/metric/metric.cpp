#include "core/metric/metric.h"

#include <fmt/format.h>

namespace epsilens::metric {

std::string_view metricName(Metric metric) {
    switch (metric) {
        case Metric::euclidean:
            return "Euclidean";
        case Metric::mahalanobis:
            return "regularized Mahalanobis";
        case Metric::angular:
            return "angular";
        case Metric::poincare:
            return "Poincaré";
    }
    return {};
}

std::string_view metricKey(Metric metric) {
    switch (metric) {
        case Metric::euclidean:
            return "euclidean";
        case Metric::mahalanobis:
            return "mahalanobis";
        case Metric::angular:
            return "angular";
        case Metric::poincare:
            return "poincare";
    }
    return {};
}

Result<Metric> parseMetric(std::string_view key) {
    for (const Metric metric :
         {Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare}) {
        if (key == metricKey(metric)) {
            return metric;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("metric \"{}\" is unknown; allowed: euclidean, mahalanobis, angular, "
                            "poincare",
                            key));
}

}  // namespace epsilens::metric
