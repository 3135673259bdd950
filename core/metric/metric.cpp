#include "core/metric/metric.h"

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

}  // namespace epsilens::metric
