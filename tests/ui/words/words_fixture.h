#pragma once

#include "ui/state/analysis_state.h"
#include "ui/state/session_results.h"
#include "ui/words/word_rows.h"

namespace epsilens::test {

/// A made-up run over the first `words` words of an embedding such as the toy one (paris, london,
/// word2, …; 40 in all): R = 100; epsilons 5, 10; lambdas 0, 1; with `cell` 0 to 3 in that order
/// and word w
///
///   N_w = (7 w + 10 cell) mod 101    S_w = 1 + w mod 9    near = (w mod 10) / 100
///   median critical epsilon = 1 + w, for lambda 1 ten times that
[[nodiscard]] calibration::RunHandle madeUpRun(int words);

/// Words w0, w1, … in mixed order, each once, with nothing but zeros as vectors.
[[nodiscard]] embedding::EmbeddingHandle largeVocabulary(int words);

/// Milliseconds that this thread has computed so far; unlike those of a clock on the wall they do
/// not count what other programs take.
[[nodiscard]] double threadMilliseconds();

/// A state with the toy embedding and its search space.
void loadToyInto(ui::AnalysisState& state);

}  // namespace epsilens::test
