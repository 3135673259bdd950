#pragma once

#include <cstddef>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/statistics/word_comparison.h"

namespace epsilens::calibration {

/// The outputs of the words of a run with independent draws, kept until all can be compared.
class ComparedWords {
public:
    /// The options must outlive it.
    ComparedWords(const CalibrationOptions& options, std::size_t cells)
        : m_options(options), m_outputs(cells) {}

    /// Takes over the outputs of further words of a cell.
    void add(std::size_t cell, std::vector<statistics::CountedOutputs> outputs);

    /// K_w of a cell, and deniability where it was asked for and there are draws enough.
    void compare(std::size_t cell, Cell& result) const;

private:
    void addDeniability(const std::vector<statistics::CountedOutputs>& outputs, Cell& result) const;

    const CalibrationOptions& m_options;
    std::vector<std::vector<statistics::CountedOutputs>> m_outputs;  ///< per cell
};

}  // namespace epsilens::calibration
