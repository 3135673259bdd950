#include "core/mechanism/guarantee.h"

#include <cmath>

namespace epsilens::mechanism {

std::string_view metricName(Metric metric) {
    switch (metric) {
        case Metric::euclidean:
            return "Euclidean";
        case Metric::mahalanobis:
            return "regularized Mahalanobis";
    }
    return {};
}

double oddsFactor(double bound, double distance) {
    return std::exp(bound * distance);
}

}  // namespace epsilens::mechanism
