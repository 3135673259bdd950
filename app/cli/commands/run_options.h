#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/data_option.h"
#include "app/cli/commands/mechanism_options.h"
#include "app/cli/commands/word_list.h"
#include "core/calibration/run_description.h"

namespace epsilens::cli {

/// Options of the commands that measure words, as typed; empty where not given.
struct RunArguments {
    MechanismArguments mechanism{};
    std::vector<embedding::Row> rows{};  ///< of a session, when no words are typed
    std::optional<calibration::SelectionDescription>
        rowsFrom{};       ///< where the session has them from
    std::string words{};  ///< "all", a number, "@file", "sparsest:N", "densest:N"
    DataArguments data{};
    bool independentDraws = false;
    std::string draws{};
    std::string nearNeighbours{};
};

/// The same, checked as far as it can be without the embedding.
struct CheckedRun {
    calibration::CalibrationOptions options{};
    WordsOption words{};
    std::optional<DataOption> data{};
    std::optional<calibration::SelectionDescription> selection{};  ///< once the words are chosen
};

/// Fails with invalidArgument: option, value, what is allowed.
[[nodiscard]] Result<CheckedRun> checkRun(const RunArguments& arguments,
                                          const GeneralOptions& general);

/// Resolves the words on the vocabulary, reading the data set where there is one.
[[nodiscard]] Result<void> chooseWords(const engine::SearchSpace& space, CheckedRun& checked,
                                       const CommandContext& context);

/// Where no lambda was typed: the default grid without the values this embedding cannot run, which
/// are named.
void chooseLambdas(const engine::SearchSpace& space, calibration::CalibrationOptions& options,
                   Console& console);

/// "0, 0.5, 1"
[[nodiscard]] std::string listText(const std::vector<double>& values);

}  // namespace epsilens::cli
