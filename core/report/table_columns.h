#pragma once

#include <cstddef>

#include "core/report/report_model.h"

namespace epsilens::report {

/// Takes out of every table of a report, also of those below a figure, the columns in which no row
/// has a value: all are "–", "none" or empty; of several rows also those that are nothing but
/// zeros, unless they are parameters. A table without rows, or without any value, is left as it
/// is.
void dropBlankColumns(ReportContent& content);

/// Whether a column is set at the left: the first, which says what a row is about, and those whose
/// values are words. Numbers stand at the right, also where words stand among them.
///
/// column  index into the titles
[[nodiscard]] bool isSetLeft(const Table& table, std::size_t column);

}  // namespace epsilens::report
