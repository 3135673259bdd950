#pragma once

#include <string>

#include "core/report/report_model.h"

namespace epsilens::report {

/// The rows of a table as lines below its titles, in columns aligned as isSetLeft says; without the
/// caption.
[[nodiscard]] std::string tableText(const Table& table);

/// A report as plain text, for a terminal; figures appear as their captions and tables.
[[nodiscard]] std::string reportText(const ReportContent& content);

}  // namespace epsilens::report
