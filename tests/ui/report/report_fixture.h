#pragma once

#include "ui/report/report_draft.h"

namespace epsilens::test {

/// A small run on the toy embedding, over epsilon 2 and 8 at lambda 0 and 0.5.
[[nodiscard]] ui::FinishedRun toyRun();

/// The same as a report with every field filled in.
[[nodiscard]] report::Report toyReport();

}  // namespace epsilens::test
