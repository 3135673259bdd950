#include "core/metric/metric.h"

#include "core/base/enum_names.h"

namespace epsilens::metric {
namespace {

constexpr EnumNames<Metric, 4> kNames{{{"Euclidean", Metric::euclidean},
                                       {"regularized Mahalanobis", Metric::mahalanobis},
                                       {"angular", Metric::angular},
                                       {"Poincaré", Metric::poincare}}};
constexpr EnumNames<Metric, 4> kKeys{{{"euclidean", Metric::euclidean},
                                      {"mahalanobis", Metric::mahalanobis},
                                      {"angular", Metric::angular},
                                      {"poincare", Metric::poincare}}};

}  // namespace

std::string_view metricName(Metric metric) {
    return nameIn(kNames, metric);
}

std::string_view metricKey(Metric metric) {
    return nameIn(kKeys, metric);
}

Result<Metric> parseMetric(std::string_view key) {
    return valueIn(kKeys, key);
}

}  // namespace epsilens::metric
