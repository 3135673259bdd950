#pragma once

#include "app/cli/parser/arguments.h"
#include "app/cli/parser/typed_options.h"

namespace epsilens::cli {

/// The options of each command. After TypedOptions::finish its part of the arguments is valid as
/// far as that can be known without reading a file.

void addInfo(TypedOptions& options, Arguments& arguments);
void addCalibrate(TypedOptions& options, Arguments& arguments);
void addRecommend(TypedOptions& options, Arguments& arguments);
void addEvaluate(TypedOptions& options, Arguments& arguments);
void addSample(TypedOptions& options, Arguments& arguments);
void addSanitize(TypedOptions& options, Arguments& arguments);
void addGuarantee(TypedOptions& options, Arguments& arguments);
void addTrainPoincare(TypedOptions& options, Arguments& arguments);
void addReport(TypedOptions& options, Arguments& arguments);
void addVerify(TypedOptions& options, Arguments& arguments);

}  // namespace epsilens::cli
