#pragma once

#include "app/cli/commands/calibrate.h"
#include "app/cli/commands/compare.h"
#include "app/cli/commands/evaluate.h"
#include "app/cli/commands/guarantee.h"
#include "app/cli/commands/info.h"
#include "app/cli/commands/recommend.h"
#include "app/cli/commands/report.h"
#include "app/cli/commands/sample.h"
#include "app/cli/commands/sanitize.h"
#include "app/cli/commands/train_poincare.h"
#include "app/cli/commands/verify.h"
#include "app/cli/general_options.h"

namespace epsilens::cli {

/// The options of all commands; only those of one command are typed.
struct Arguments {
    GeneralOptions general{};
    InfoOptions info{};
    CalibrateOptions calibrate{};
    CompareOptions compare{};
    EvaluateOptions evaluate{};
    GuaranteeOptions guarantee{};
    RecommendOptions recommend{};
    SampleOptions sample{};
    SanitizeOptions sanitize{};
    TrainPoincareOptions trainPoincare{};
    ReportOptions report{};
    VerifyOptions verify{};
};

}  // namespace epsilens::cli
