#pragma once

#include <variant>

#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"

namespace epsilens::mechanism {

/// Weights exp(-epsilon min(d, gamma) / 2) over all words, the law of a selection mechanism.
struct SelectionWeights {
    metric::WordMetric metric;
    Truncation truncation;
};

/// What a mechanism does on an embedding. Searches, draws and views are written for these forms;
/// a new mechanism with one of them needs no other code.
///   EllipticalNoise   nearest word, in Euclidean distance, to the word's vector plus noise
///   HyperbolicNoise   nearest word, in Poincaré distance, to a noisy point of the ball
///   SelectionWeights  every word by its weight; no noise
using Form = std::variant<EllipticalNoise, HyperbolicNoise, SelectionWeights>;

}  // namespace epsilens::mechanism
