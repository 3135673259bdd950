#include "core/mechanism/guaranteed_setting.h"

#include <utility>

namespace epsilens::mechanism {

GuaranteedSetting guaranteedSetting(Guarantee guarantee, metric::WordMetric metric) {
    return {std::move(guarantee),
            [metric = std::move(metric)](embedding::Row first, embedding::Row second) {
                return metric.distance(first, second);
            }};
}

}  // namespace epsilens::mechanism
