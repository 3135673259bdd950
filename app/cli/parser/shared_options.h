#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands/measured_words.h"
#include "app/cli/general_options.h"
#include "app/cli/parser/typed_options.h"
#include "core/calibration/limits.h"
#include "core/calibration/options.h"
#include "core/experiment/figure_limit.h"

namespace epsilens::cli {

/// Options that several commands have.

/// Options of every command.
void addRun(TypedOptions& options, GeneralOptions& general);

/// Options of every command that opens an embedding.
///
/// missing  what to say if no embedding is named; nothing: the built-in sample is opened
/// hasHtml  results can also be a page
void addGeneral(TypedOptions& options, GeneralOptions& general,
                const std::optional<std::string>& missing = {}, bool hasHtml = false);

void addFormat(TypedOptions& options, GeneralOptions& general, bool hasHtml = false);

void addNear(TypedOptions& options, int& nearNeighbours);

/// A data set.
///
/// meaning  of --data
void addData(TypedOptions& options, DataOption& data, const std::string& meaning);

/// How letter case is treated when words are looked up.
void addCase(TypedOptions& options, text::CasePolicy& letterCase, const std::string& meaning);

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
                                      std::vector<experiment::FigureLimit>& figures);

}  // namespace epsilens::cli
