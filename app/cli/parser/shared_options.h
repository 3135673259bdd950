#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/parser/typed_options.h"

namespace epsilens::cli {

/// Options that several commands have, and parsers of their values.

/// Options of every command.
void addRun(TypedOptions& options, GeneralOptions& general);

/// Options of every command that opens an embedding.
///
/// missing  what to say if no embedding is named; nothing: the built-in sample is opened
/// hasHtml  results can also be a page
void addGeneral(TypedOptions& options, GeneralOptions& general,
                const std::optional<std::string>& missing = {}, bool hasHtml = false);

/// A run gets the seed and the threads that every command has.
template <typename Run>
void takeSeed(TypedOptions& options, const GeneralOptions& general, Run& run) {
    options.check([&general, &run]() -> Result<void> {
        run.seed = general.seed;
        run.threads = general.threads;
        return {};
    });
}

void addFormat(TypedOptions& options, GeneralOptions& general, bool hasHtml = false);

void addNear(TypedOptions& options, int& nearNeighbours);

/// A data set.
///
/// meaning  of --data
void addData(TypedOptions& options, DataOption& data, const std::string& meaning);

/// How letter case is treated when words are looked up.
void addCase(TypedOptions& options, text::CasePolicy& letterCase, const std::string& meaning);

/// How several epsilons are written, for the help.
inline constexpr const char* kEpsilonLists =
    "list such as 1,5,10 or 1;5;10, or range such as 1..40x9 (9 values in logarithmic steps, 6 "
    "digits; falling from 40..1x9)";

/// Options that choose a mechanism and values of its parameters. Values of the grid stay where none
/// are typed, unless they belong to another mechanism than the one typed.
///
/// lambdas    where the mechanism has them and there are none; empty: they depend on the embedding
/// wholeAxis  whether the word "all" was typed for epsilon; null where it is not allowed
void addMechanism(TypedOptions& options, mechanism::Grid& grid, std::vector<double> lambdas,
                  bool* wholeAxis = nullptr);

/// Refuses more than one value of a parameter other than epsilon.
///
/// command  for the message
void takeOneValue(TypedOptions& options, const char* command, const mechanism::Grid& grid);

/// --draws
void addDraws(TypedOptions& options, int& draws);

/// Options of the commands that measure words.
///
/// wholeAxis  as addMechanism
void addMeasuredWords(TypedOptions& options, const GeneralOptions& general,
                      calibration::CalibrationOptions& run, MeasuredWords& measured,
                      bool* wholeAxis = nullptr);

/// Reads limits on what calibrations measure, and on figures of an evaluation, in the place of
/// those that are there.
[[nodiscard]] Result<void> takeLimits(const std::vector<std::string>& typed,
                                      std::string_view option,
                                      std::vector<calibration::Limit>& limits,
                                      std::vector<evaluation::FigureLimit>& figures);

/// "paris,london"
[[nodiscard]] Result<WordNames> parsePair(std::string_view typed);

/// A column of labelled texts.
void addColumn(TypedOptions& options, const char* name, const char* meaning, std::string& column);
/// --data, the options of its format and columns, and those of addLabels.
void addTexts(TypedOptions& options, corpus::DataSetOptions& data);
/// --test, --label-column and --split-column
void addLabels(TypedOptions& options, corpus::DataSetOptions& data);
/// --prior
void addPrior(TypedOptions& options, EvaluateOptions& evaluate);
/// --repeats
void addRepeats(TypedOptions& options, evaluation::EvaluationOptions& run);

}  // namespace epsilens::cli
