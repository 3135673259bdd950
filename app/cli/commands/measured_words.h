#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands/command.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/statistics/density_profile.h"
#include "core/text/data_set.h"

namespace epsilens::cli {

/// A data set, as the options name it.
struct DataOption {
    io::RecordOptions records{};  ///< the path is empty if none is named
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< for looking up its words
};

/// Reads the data set and describes it on the console; nothing if none is named.
[[nodiscard]] Result<std::optional<text::DataSetWords>> readData(
    const DataOption& data, const embedding::Vocabulary& vocabulary, const CommandContext& context);

/// A profile and the time it took.
struct TimedProfile {
    statistics::DensityProfile profile{};
    double seconds = 0.0;
};

/// Computes the nearest-neighbour distances of the whole vocabulary and shows progress.
[[nodiscard]] Result<TimedProfile> computeDensity(const engine::SearchSpace& space,
                                                  const CommandContext& context);

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
