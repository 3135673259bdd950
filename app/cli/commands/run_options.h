#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/data_option.h"
#include "app/cli/commands/mechanism_options.h"
#include "app/cli/commands/word_list.h"
#include "core/calibration/provenance.h"

namespace epsilens::cli {

/// Options of the commands that measure words, as typed; empty if not given.
struct RunArguments {
    MechanismArguments mechanism{};
    std::vector<embedding::Row> rows{};  ///< of a session, if no words are typed
    std::optional<calibration::SelectionDescription>
        rowsFrom{};       ///< their origin, if the session knows it
    std::string words{};  ///< "all", a number, "@file", "sparsest:N", "densest:N"
    DataArguments data{};
    bool independentDraws = false;
    std::string draws{};
    std::string nearNeighbours{};
};

/// The same options, checked as far as possible without the embedding.
struct CheckedRun {
    calibration::CalibrationOptions options{};
    WordsOption words{};
    std::optional<DataOption> data{};
    std::optional<calibration::SelectionDescription>
        selection{};  ///< set once the words are chosen
};

/// Fails with invalidArgument; the message names option, value and allowed range.
[[nodiscard]] Result<CheckedRun> checkRun(const RunArguments& arguments,
                                          const GeneralOptions& general);

/// Resolves the words in the vocabulary; reads the data set if there is one.
[[nodiscard]] Result<void> chooseWords(const engine::SearchSpace& space, CheckedRun& checked,
                                       const CommandContext& context);

/// If no lambda was typed, sets the default grid without the values that this embedding cannot use,
/// and names these values.
void chooseLambdas(const engine::SearchSpace& space, calibration::CalibrationOptions& options,
                   Console& console);

/// "0, 0.5, 1"
[[nodiscard]] std::string listText(const std::vector<double>& values);

}  // namespace epsilens::cli
