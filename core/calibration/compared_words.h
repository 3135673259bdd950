#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/engine/search_space.h"
#include "core/statistics/word_comparison.h"

namespace epsilens::calibration {

/// The outputs of the words of a run with independent draws, kept until all can be compared.
class ComparedWords {
public:
    /// The space and the options must outlive it.
    ComparedWords(const engine::SearchSpace& space, const CalibrationOptions& options,
                  std::size_t cells)
        : m_space(space), m_options(options), m_outputs(cells) {}

    /// Takes over the outputs of further words of a cell.
    void add(std::size_t cell, std::vector<statistics::CountedOutputs> outputs);

    /// K_w of a cell, that with words from outside where all vectors lie in the open unit ball, and
    /// deniability where it was asked for and there are draws enough.
    ///
    /// words  rows in the order in which their outputs were added
    void compare(std::size_t cell, std::span<const Row> words, Cell& result) const;

private:
    void addDeniability(const std::vector<statistics::CountedOutputs>& outputs, Cell& result) const;

    const engine::SearchSpace& m_space;
    const CalibrationOptions& m_options;
    std::vector<std::vector<statistics::CountedOutputs>> m_outputs;  ///< per cell
};

}  // namespace epsilens::calibration
