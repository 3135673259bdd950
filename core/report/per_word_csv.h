#pragma once

#include <string>

#include "core/calibration/calibrate.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::report {

/// Values of every word in every cell, columns
///   word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian
/// with rows of the embedding counted from 0. A critical epsilon is empty where it was not asked
/// for or where no epsilon keeps the word so often.
[[nodiscard]] std::string perWordCsv(const calibration::CalibrationSummary& summary,
                                     const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::report
