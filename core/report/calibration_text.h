#pragma once

#include <string>

#include "core/calibration/run.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::report {

/// A calibration as aligned tables for a terminal, UTF-8: the run, N_w and S_w, the guarantee of
/// every setting; of a few settings every statistic. A cancelled run says so first.
[[nodiscard]] std::string calibrationText(const calibration::Run& run);

/// Values of every word in every cell, columns
///   word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian
/// with rows of the embedding counted from 0. A critical epsilon is empty where it was not asked
/// for or where no epsilon keeps the word so often.
[[nodiscard]] std::string perWordCsv(const calibration::CalibrationSummary& summary,
                                     const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::report
