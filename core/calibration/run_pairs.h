#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/calibration/run.h"

namespace epsilens::calibration {

/// Two words whose odds a report shows.
using NamedPair = std::pair<std::string, std::string>;

/// The pairs that every run has, so far as the vocabulary knows their words.
[[nodiscard]] std::vector<NamedPair> wellKnownPairs();

/// Whether a pair is among these, in whatever order of its words.
[[nodiscard]] bool isWellKnown(const NamedPair& pair);

/// The pairs that somebody asked for and a run has, each once, then the well-known ones.
[[nodiscard]] std::vector<NamedPair> pairsOf(const Run& run);

/// The same with another pair in front, unless it is among them, in whatever order.
[[nodiscard]] std::vector<NamedPair> pairsWith(const Run& run, NamedPair pair);

/// Distances in the metric of the guarantee, lambda by lambda and pair by pair. Pairs with a word
/// that the vocabulary lacks are left out. Fails as metric::WordMetric::create.
[[nodiscard]] Result<std::vector<PairDistance>> pairDistances(const engine::SearchSpace& space,
                                                              const mechanism::Grid& grid,
                                                              std::span<const NamedPair> pairs);

}  // namespace epsilens::calibration
