#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "ui/widgets/value_scale.h"

namespace epsilens::ui {

/// "×2", "×1,000"; above a million "×10⁷" with the exponent rounded up.
///
/// factor  >= 1; may be infinite
[[nodiscard]] QString factorText(double factor);

/// What is promised of two words, as one sentence of rich text; without a useful bound with a link
/// that asks for an explanation.
///
/// loss      largest log ratio that is possible
/// distance  of the two in the metric of the guarantee
[[nodiscard]] QString promiseText(double loss, double distance, const QString& first,
                                  const QString& second);

/// The same in a few words: "odds change by at most ×165", "no useful bound".
[[nodiscard]] QString shortPromise(double loss);

/// The same as a sentence that says to whom: "Promised to anyone a text is about, per word: odds
/// change by at most ×165."
[[nodiscard]] QString shortPromiseTo(double loss);

/// The numbers of a logarithmic axis: 1, 2 and 5 times powers of ten above its origin.
[[nodiscard]] std::vector<double> axisNumbers(const ValueScale& axis);
/// How one of them is written; empty where the axis is so long that only powers of ten are named.
[[nodiscard]] QString axisText(const ValueScale& axis, double number);

}  // namespace epsilens::ui
