#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// A text, and what a mechanism makes of it at one setting under seeded draws: to look at, never to
/// release.
struct Example {
    static constexpr int kOutputs = 10;
    static constexpr std::size_t kMostWords = 40;
    static constexpr std::string_view kUnknown = "▇▇▇";  ///< in the place of a word without vector

    std::string text{};                  ///< at most kMostWords words; an ellipsis ends a cut text
    std::vector<std::string> outputs{};  ///< kOutputs of them
};

/// What every cell makes of some texts; of texts without a known word nothing.
///
/// cells  of the mechanism
/// texts  UTF-8
/// seed   of the first word; each further one has the next seed, so that no two share draws
/// Returns cells x texts. Fails as cellOutputs.
[[nodiscard]] Result<std::vector<std::vector<Example>>> examplesOf(
    const engine::SearchSpace& space, const mechanism::Mechanism& mechanism,
    std::span<const Cell> cells, std::span<const std::string> texts, std::uint64_t seed,
    const JobContext& job = {});

/// The two built-in sentences of which the vocabulary knows the most words, at least half of each.
[[nodiscard]] std::vector<std::string> builtInTexts(const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::calibration
