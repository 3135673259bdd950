#pragma once

#include <memory>

#include "core/experiment/classifier.h"

namespace epsilens::experiment {

/// Logistic regression with an intercept (LIBLINEAR's L2R_LR, tolerance 0.001; one class against
/// the rest where there are more than two) on one of two kinds of features:
///
///   linear   count of each word times ln((1 + n) / (1 + n_w)) + 1, scaled to length 1;
///            n training documents, n_w of them with the word
///   vectors  mean of the vectors of the words, scaled so that it has length 1 on average over the
///            training documents; words without a vector are passed over
///
/// Solver 0 uses no random numbers, so that models repeat; the dual solvers call rand().
[[nodiscard]] Result<std::unique_ptr<TextModel>> trainLinear(const LabelledTokens& documents,
                                                             const ClassifierOptions& options,
                                                             const JobContext& job);

}  // namespace epsilens::experiment
