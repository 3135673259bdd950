#pragma once

#include <QString>

#include "ui/state/analysis_settings.h"

namespace epsilens::ui {

class AnalysisState;

/// With which mechanism, parameters and vectors the words of a file will be replaced. Empty without
/// vectors.
[[nodiscard]] QString perturbSettingText(const AnalysisState& state);
/// What will not be protected.
[[nodiscard]] QString perturbUnprotectedText(const TextPolicies& policies, bool hasStopWords);
/// "text.txt" becomes "text.perturbed.txt".
[[nodiscard]] QString suggestedOutput(const QString& input);
/// Where counts and guarantee of a released text go.
[[nodiscard]] QString sidecarFor(const QString& output);

}  // namespace epsilens::ui
