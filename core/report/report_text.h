#pragma once

#include <string>

#include "core/report/report_model.h"

namespace epsilens::report {

/// A page as plain text, UTF-8, that no word of a file steers: titles are underlined, columns are
/// aligned, drawings are left out but for their captions and tables.
[[nodiscard]] std::string reportText(const ReportContent& content);

/// A table alone, without its caption, also with columns that have no value.
[[nodiscard]] std::string tableText(const Table& table);

}  // namespace epsilens::report
