#pragma once

#include "ui/state/analysis_state.h"
#include "ui/state/quick_measurement.h"
#include "ui/state/session_results.h"
#include "ui/words/word_rows.h"

namespace epsilens::test {

/// A made-up measurement of the first `words` words of an embedding such as the toy one (paris,
/// london, word2, …; 40 in all), whatever is asked for; for word w at a whole epsilon and lambda
/// 0 or 1
///
///   N_w = (7 w + 2 epsilon + 20 lambda - 10) mod 101    S_w = 1 + w mod 9    near = w mod 10
///   median critical epsilon = 1 + w, for lambda 1 ten times that
[[nodiscard]] calibration::MeasurementHandle madeUpMeasurement(
    int words, const calibration::MeasurementOptions& options);

/// What measures so many words in that way.
[[nodiscard]] ui::MeasureFunction madeUpMeasure(int words);

/// Such words at an epsilon; R = 100.
[[nodiscard]] ui::WordRows madeUpRows(int words, embedding::EmbeddingHandle embedding,
                                      double epsilon = 5.0, double lambda = 0.0,
                                      const ui::VocabularyDensityHandle& density = nullptr);

/// Words w0, w1, … in mixed order, each once, with nothing but zeros as vectors.
[[nodiscard]] embedding::EmbeddingHandle largeVocabulary(int words);

/// A state with the toy embedding and its search space, at epsilon 5, lambda 0, seed 3.
void loadToyInto(ui::AnalysisState& state);

}  // namespace epsilens::test
