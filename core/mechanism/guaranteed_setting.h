#pragma once

#include <functional>

#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/guarantee.h"
#include "core/metric/word_metric.h"

namespace epsilens::mechanism {

/// A mechanism at one setting as its guarantee sees it: enough to tell the odds of any words.
struct GuaranteedSetting {
    Guarantee guarantee{};
    /// Distance of two rows of the vocabulary in the guarantee's own metric.
    std::function<double(embedding::Row first, embedding::Row second)> distance{};
};

/// A guarantee with the metric of the words that it is stated in; keeps the embedding alive.
[[nodiscard]] GuaranteedSetting guaranteedSetting(Guarantee guarantee, metric::WordMetric metric);

}  // namespace epsilens::mechanism
