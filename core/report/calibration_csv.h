#pragma once

#include <string>

#include "core/calibration/calibrate.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::report {

/// A calibration as a table with one line per cell. Statistics over the words are
/// named as limits name them: nw.mean, sw.p5. A field is empty where a value does not exist.
[[nodiscard]] std::string calibrationCsv(const calibration::CalibrationSummary& summary);

/// Values of every word in every cell, columns
///   word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian
/// with rows of the embedding counted from 0. A critical epsilon is empty where it was not asked
/// for or where no epsilon keeps the word so often.
[[nodiscard]] std::string perWordCsv(const calibration::CalibrationSummary& summary,
                                     const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::report
