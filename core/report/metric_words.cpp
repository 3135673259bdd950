#include "core/report/metric_words.h"

namespace epsilens::report {

std::string_view metricMeaning(metric::Metric metric) {
    return metric == metric::Metric::mahalanobis
               ? "the usual distance, with differences counting less in directions in which the "
                 "whole vocabulary varies more"
               : "";
}

}  // namespace epsilens::report
