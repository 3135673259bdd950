#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/eigen.h"

namespace epsilens::evaluation {

/// Measures of a classifier, all shares in [0, 1].
enum class Measure { accuracy, macroF1, precision, recall, auc };
inline constexpr std::array kMeasures{Measure::accuracy, Measure::macroF1, Measure::precision,
                                      Measure::recall, Measure::auc};

/// Their names in JSON and limits: accuracy, macroF1, precision, recall, auc.
[[nodiscard]] std::string_view measureName(Measure measure);

/// A value for each measure, NaN where it does not exist.
using Scores = std::array<double, kMeasures.size()>;

/// Scores of predictions. The class with the largest probability is predicted, of equals the first.
///
///   macroF1    mean over the classes that occur or are predicted of 2 TP / (2 TP + FP + FN)
///   precision  of the positive class: TP / (TP + FP), not without predictions of it
///   recall     TP / (TP + FN), not without documents of it
///   auc        probability that a positive document has a larger probability of the positive class
///              than another one, ties counting half
///
/// probabilities  documents x classes
/// labels         one for each document, in [0, classes)
/// positive       nothing: the last three do not exist
[[nodiscard]] Scores scoresOf(const RowMatrixD& probabilities, std::span<const std::int32_t> labels,
                              std::optional<std::int32_t> positive);

/// Predicted classes; see scoresOf.
[[nodiscard]] std::vector<std::int32_t> predictedClasses(const RowMatrixD& probabilities);

}  // namespace epsilens::evaluation
