#pragma once

#include <string>

#include "core/report/report_model.h"

namespace epsilens::test {

/// Compares a text with the file of this name in tests/core/report/approved, which somebody has
/// read and found good; version and build of the program do not count. With EPSILENS_APPROVE in
/// the environment it is written anew.
void checkApproved(const std::string& name, std::string text);

/// The whole report as text, and the memo alone.
[[nodiscard]] std::string pageOf(const document::Report& report);
[[nodiscard]] std::string memoOf(const document::Report& report);

/// A report on exampleRun(summary) that chooses its first setting.
[[nodiscard]] document::Report reportOn(const calibration::CalibrationSummary& summary);

}  // namespace epsilens::test
