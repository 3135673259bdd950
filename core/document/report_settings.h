#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/calibration/density_profile.h"
#include "core/calibration/run.h"
#include "core/evaluation/figure_limit.h"

namespace epsilens::document {

/// What the chosen setting does to the words of the analyst's own texts, each as often as it
/// occurs.
struct TextShares {
    std::string file{};
    std::int64_t tokens = 0;  ///< known words of the texts that were measured
    int draws = 0;            ///< of each
    double kept = 0.0;        ///< shares of the outputs, with the next two 1 in all
    double near = 0.0;
    double far = 0.0;
    double unknown = 0.0;  ///< share of the words of the texts that the embedding does not know
};

/// What the analyst adds to a calibration. Texts may be empty, which a report says.
struct ReportSettings {
    enum class Answer { notStated, yes, no };

    std::string title{};
    std::string purpose{};
    std::string author{};
    std::string date{};  ///< as written, such as 2026-01-31
    Answer trainedOnProtectedText = Answer::notStated;
    std::string textSource{};    ///< where the texts to protect come from
    std::string unknownWords{};  ///< policy: mask, random, drop, keep
    std::string alternatives{};  ///< looked at, in the analyst's words
    std::string reason{};        ///< why this setting
    /// By whom epsilon was chosen, and if by a search, by which under which limits: sentences.
    std::string epsilonOrigin{};
    std::optional<calibration::Choice> choice{};
    std::vector<calibration::Limit> limits{};
    /// On what attackers learn from texts and on what these are still good for.
    std::vector<evaluation::FigureLimit> figureLimits{};
    /// Confidential unless the analyst asked for them to be shown.
    std::vector<std::string> sentences{};
    /// Nearest-neighbour distances of the vocabulary, when they were computed; files keep
    /// summaries.
    std::optional<calibration::DensityFigures> density{};
    std::optional<TextShares> texts{};
};

/// Reads "yes", "no", "not stated". Fails with invalidArgument.
[[nodiscard]] Result<ReportSettings::Answer> parseAnswer(std::string_view name);

/// A text that differs exactly when two settings differ.
[[nodiscard]] std::string settingsKey(const ReportSettings& settings);

}  // namespace epsilens::document
