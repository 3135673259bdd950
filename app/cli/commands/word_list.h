#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/data_option.h"
#include "core/calibration/options.h"
#include "core/calibration/run_description.h"
#include "core/text/data_set.h"

namespace epsilens::cli {

/// What --words asks for, before the vocabulary is known.
struct WordsOption {
    enum class Kind { all, random, list, rows, sparsest, densest };
    Kind kind = Kind::random;
    std::int64_t count = calibration::WordSelection{}.count;  ///< of random, sparsest, densest ones
    std::string listPath{};                                   ///< of @file
    std::vector<embedding::Row> rows{};                       ///< of rows, kept by a session
    std::optional<calibration::SelectionDescription> rowsFrom{};  ///< where a session has them from
    std::string typed{};                                          ///< empty: the default
};

/// Reads "all", a number, "@file", "sparsest:N", "densest:N"; empty text gives the default of 500
/// random words.
[[nodiscard]] Result<WordsOption> parseWords(const std::string& typed);

/// The selection on a vocabulary, of the words that occur in the data set where there is one. Words
/// of a list file that cannot be selected are counted on the console; the sparsest and densest
/// words take the nearest-neighbour distances of the whole vocabulary. Fails with badFile when a
/// file cannot be read or none of its words is known.
[[nodiscard]] Result<calibration::WordSelection> resolveWords(
    const WordsOption& option, const engine::SearchSpace& space,
    const std::optional<text::DataSetWords>& data, const CommandContext& context);

/// What a report says about the choice; nothing for all words, for random ones of all, and for
/// those of a session that does not know where it has them from.
[[nodiscard]] std::optional<calibration::SelectionDescription> describeSelection(
    const WordsOption& option, const std::optional<DataOption>& asked,
    const std::optional<text::DataSetWords>& data);

}  // namespace epsilens::cli
