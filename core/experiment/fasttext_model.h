#pragma once

#include <memory>

#include "core/experiment/classifier.h"

namespace epsilens::experiment {

/// The supervised model of libfasttext: mean of learned word vectors, softmax. 10 epochs, learning
/// rate 0.5, dimension 100, single words only, one thread.
///
/// The library reads its training text from a file. It gets an anonymous one in memory, with
/// numbers in place of the words: no text reaches a disk, and no word can be taken for a label.
[[nodiscard]] Result<std::unique_ptr<TextModel>> trainFastText(const LabelledTokens& documents,
                                                               const ClassifierOptions& options,
                                                               const JobContext& job);

}  // namespace epsilens::experiment
