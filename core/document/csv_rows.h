#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace epsilens::document {

/// Rows of a document as comma-separated values, a line each below the names of the columns. First
/// stands what is the same for all rows (mechanism, draws, seed, partial), then the metric and
/// bound of a row where the document lists guarantees, then its members: "nw.mean", "nw.ci95Low",
/// "checks.1.value". Columns are those of all rows together; sentences and lists of numbers are
/// left out. A text that a spreadsheet would run gets an apostrophe.
///
/// path  of the array of rows; "settings.words" for the words of every setting, behind the members
///       of the setting, which has a line also without words; empty: the document is the only row
[[nodiscard]] std::string csvRows(const nlohmann::ordered_json& document, std::string_view path);

}  // namespace epsilens::document
