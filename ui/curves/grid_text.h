#pragma once

#include <vector>

#include <QString>

#include "core/base/error.h"

namespace epsilens::ui {

/// Reads the epsilons of a grid: "1; 5; 10", "1,5,10" or the range "1..40 x9" with logarithmic
/// spacing. Returns them rising, each once, finite and above 0.
[[nodiscard]] Result<std::vector<double>> parseEpsilonGrid(const QString& text);

/// Reads the lambdas of a grid, ranges with linear spacing. Returns them rising, each once, in
/// [0, 1].
[[nodiscard]] Result<std::vector<double>> parseLambdaGrid(const QString& text);

/// Reads the error probabilities of a grid, in (0, 1), ranges with logarithmic spacing.
[[nodiscard]] Result<std::vector<double>> parseBetaGrid(const QString& text);

/// Reads the radii of a grid, 0 or more, ranges with linear spacing.
[[nodiscard]] Result<std::vector<double>> parseGammaGrid(const QString& text);

/// "1; 5; 10", readable by the functions above without loss for values typed by people.
[[nodiscard]] QString gridText(const std::vector<double>& values);

}  // namespace epsilens::ui
