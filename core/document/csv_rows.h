#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/calibrate.h"
#include "core/embedding/vocabulary.h"

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

/// Values of every word in every cell, columns
///   word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian
/// with rows of the embedding counted from 0. A critical epsilon is empty where it was not asked
/// for or where no epsilon keeps the word so often.
[[nodiscard]] std::string perWordCsv(const calibration::CalibrationSummary& summary,
                                     const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::document
