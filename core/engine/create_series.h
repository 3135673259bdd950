#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/engine/noise_series.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::engine {

/// Creates a noise mechanism on a space, which must outlive it.
///
/// lambdas  variants of its shape; ignored by a mechanism without lambda
/// Fails as Mechanism::on, and with unsupported for a mechanism that draws no noise.
[[nodiscard]] Result<NoiseSeriesHandle> createSeries(const SearchSpace& space,
                                                     const mechanism::Mechanism& mechanism,
                                                     const std::vector<double>& lambdas);

}  // namespace epsilens::engine
