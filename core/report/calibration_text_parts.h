#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/calibration/run.h"

/// Pieces that the texts about calibrated settings share.
namespace epsilens::report {

[[nodiscard]] bool hasLambda(const calibration::CalibrationSummary& summary);

/// How many settings a grid has, and of what: "6 ε × 5 λ".
[[nodiscard]] std::string gridText(const mechanism::Grid& grid);

/// "12.5%" of a share.
[[nodiscard]] std::string percent(double share);

/// "lower bound" of sampled entropies while the draws have seen too few of the outputs, else empty.
[[nodiscard]] std::string entropyNote(const calibration::CalibrationSummary& summary,
                                      const calibration::Cell& cell);

/// "Words chosen: sparsest:50, of those that occur in sms.csv, column text (5,574 records)."
[[nodiscard]] std::string selectionSentence(const calibration::SelectionDescription& selection);

/// What a sampled count of zero says: "A word kept in none of its 100 draws is kept with
/// probability ≤ 3% (95%)".
[[nodiscard]] std::string noneText(int draws);

/// "PARTIAL: 60 of 500 words, …" of a run that was interrupted; empty of a whole one.
[[nodiscard]] std::string partialText(const calibration::CalibrationSummary& summary);
/// Over how many words of the vocabulary results are, and how these were chosen; sentences.
[[nodiscard]] std::string measuredText(const calibration::Run& run);
/// What a maximum or minimum over some of the words leaves open, without full stop; empty when all
/// words were measured.
[[nodiscard]] std::string extremeText(const calibration::Provenance& provenance,
                                      const calibration::CalibrationSummary& summary);
/// That equal epsilon is no equal guarantee where several lambdas stand side by side, a sentence;
/// else empty.
[[nodiscard]] std::string lambdaText(const calibration::CalibrationSummary& summary);

/// An interval, unless it has no spread: from words that all count the same it says nothing.
[[nodiscard]] std::optional<std::array<double, 2>> spreadInterval(
    const statistics::Summary& summary);

/// Epsilons of a run over the whole axis that tables show.
inline constexpr std::size_t kShownOfAxis = 9;

/// That tables show only some points of the axis of a run, a sentence.
///
/// shown  number of epsilons
[[nodiscard]] std::string axisText(const calibration::CalibrationSummary& summary,
                                   std::size_t shown);

/// "vectors.txt: 12,345 words × 300 dimensions, glove-text"
[[nodiscard]] std::string runTitle(const calibration::Provenance& provenance);

}  // namespace epsilens::report
