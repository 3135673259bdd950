#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/data_option.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/text/data_set.h"

namespace epsilens::cli {

/// The value of --words before the vocabulary is known.
struct WordsOption {
    enum class Kind { all, random, list, rows, sparsest, densest };
    Kind kind = Kind::random;
    std::int64_t count = calibration::WordSelection{}.count;  ///< for random, sparsest, densest
    std::string listPath{};                                   ///< of @file
    std::vector<embedding::Row> rows{};                       ///< for rows stored in a session
    std::optional<calibration::SelectionDescription>
        rowsFrom{};       ///< origin of these rows, if known
    std::string typed{};  ///< empty: default
};

/// Parses "all", a number, "@file", "sparsest:N" or "densest:N". Empty text means the default of
/// 500 random words.
[[nodiscard]] Result<WordsOption> parseWords(const std::string& typed);

/// Selects words of a vocabulary; only words that occur in the data set, if there is one. The
/// console gets the number of listed words that cannot be selected. Sparsest and densest words need
/// the nearest-neighbour distances of the whole vocabulary. Fails with badFile if a file cannot be
/// read or none of its words is known.
[[nodiscard]] Result<calibration::WordSelection> resolveWords(
    const WordsOption& option, const engine::SearchSpace& space,
    const std::optional<text::DataSetWords>& data, const CommandContext& context);

/// Description of the selection for a report; nothing for all words, for random words of the whole
/// vocabulary, and for words of a session that does not know their origin.
[[nodiscard]] std::optional<calibration::SelectionDescription> describeSelection(
    const WordsOption& option, const std::optional<DataOption>& asked,
    const std::optional<text::DataSetWords>& data);

}  // namespace epsilens::cli
