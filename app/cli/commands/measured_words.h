#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands/data_option.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"

namespace epsilens::cli {

/// The value of --words, or the words of a session.
struct WordsOption {
    enum class Kind { all, random, list, rows, sparsest, densest };
    Kind kind = Kind::random;
    std::int64_t count = calibration::WordSelection{}.count;  ///< for random, sparsest, densest
    std::string listPath{};                                   ///< of @file
    std::vector<embedding::Row> rows{};                       ///< for rows stored in a session
    std::optional<calibration::SelectionDescription>
        rowsFrom{};        ///< origin of these rows, if known
    bool isGiven = false;  ///< false: the default
};

/// Parses "all", a number, "@file", "sparsest:N" or "densest:N".
[[nodiscard]] Result<WordsOption> parseWords(std::string_view typed);

/// The words that a run measures.
struct MeasuredWords {
    WordsOption words{};
    DataOption data{};  ///< if there is one, only words that occur in it
};

/// Finds the words in the vocabulary and reads the data set if there is one. The console gets the
/// number of listed words that cannot be measured. Sparsest and densest words need the
/// nearest-neighbour distances of the whole vocabulary.
///
/// chosen  gets the words
/// Returns the description of the selection for a report; nothing for all words, for random words
/// of the whole vocabulary, and for words of a session that does not know their origin. Fails with
/// badFile if a file cannot be read or none of its words is known.
[[nodiscard]] Result<std::optional<calibration::SelectionDescription>> chooseWords(
    const MeasuredWords& measured, const engine::SearchSpace& space, const CommandContext& context,
    calibration::WordSelection& chosen);

}  // namespace epsilens::cli
