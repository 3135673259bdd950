#pragma once

#include <span>
#include <vector>

#include "core/engine/neighbours.h"

namespace epsilens::calibration {

using embedding::Row;

/// Where an output lies relative to the input word.
enum class OutputClass { kept, near, far };

/// kept: the word itself; near: among its neighbours; far: the rest.
[[nodiscard]] OutputClass classify(Row word, Row output, const engine::Neighbourhood& neighbours);

/// Output distribution of one word over R draws at one epsilon (counts out of R).
struct OutputDistribution {
    struct Output {
        Row row = 0;
        int count = 0;
        OutputClass outputClass = OutputClass::far;
    };
    int draws = 0;
    int kept = 0;  ///< N_w: draws that returned the word itself
    int near = 0;
    int far = 0;
    std::vector<Output> outputs{};  ///< distinct outputs, most frequent first, ties by lower row

    /// S_w: number of distinct words returned, the word itself included when it occurs.
    [[nodiscard]] int distinct() const { return static_cast<int>(outputs.size()); }
};

/// Distribution of the outputs of a word, one per draw.
[[nodiscard]] OutputDistribution outputDistribution(Row word, std::span<const Row> outputs,
                                                    const engine::Neighbourhood& neighbours);

}  // namespace epsilens::calibration
