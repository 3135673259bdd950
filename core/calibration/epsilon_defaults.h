#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/options.h"
#include "core/engine/epsilon_range.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// Where the interesting epsilons of a mechanism lie: critical epsilons of 200 random words, over
/// all radii of the options and at that lambda of them which is nearest to kDefaultLambda, so that
/// a grid around the setting of the controls has their range. Epsilons of the options do not
/// matter.
///
/// Riemannian hyperbolic noise exists above m - 1 only and suggests m - 1 + 10. Fails as the
/// mechanism's create.
[[nodiscard]] Result<engine::EpsilonRange> estimateRange(const engine::SearchSpace& space,
                                                         const CalibrationOptions& options,
                                                         const JobContext& job = {});

/// Default grid: 5 log-spaced epsilons from low / 2 to 2 high, 2 significant digits each.
[[nodiscard]] std::vector<double> defaultEpsilonGrid(double low, double high);

/// Epsilons of a grid where none are asked for: defaultEpsilonGrid of the range; for riemannian
/// noise m - 1 + {1, 5, 10, 20, 40}.
[[nodiscard]] std::vector<double> defaultEpsilons(const engine::SearchSpace& space,
                                                  const CalibrationOptions& options,
                                                  const engine::EpsilonRange& range);

/// Number of points of the axis of epsilon: by default, and the range.
inline constexpr int kAxisPoints = 200;
inline constexpr int kFewestAxisPoints = 2;
inline constexpr int kMostAxisPoints = 10'000;

/// Points of the axis of epsilon, in equal steps of log(epsilon - origin): from half the smallest
/// to twice the largest of the default epsilons, both counted from the origin. Six significant
/// digits above the origin each.
///
/// points  kFewestAxisPoints to kMostAxisPoints
[[nodiscard]] std::vector<double> axisEpsilons(const engine::SearchSpace& space,
                                               const CalibrationOptions& options,
                                               const engine::EpsilonRange& range, int points);

}  // namespace epsilens::calibration
