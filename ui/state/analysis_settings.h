#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/calibration/options.h"
#include "core/release/policies.h"
#include "core/text/letter_case.h"
#include "ui/state/mechanism_settings.h"

namespace epsilens::ui {

/// Where interesting values of epsilon lie for the embedding at hand (per unit of distance).
struct EpsilonScale {
    double suggested = 10.0;       ///< the default; the slider spans it / 1000 to it x 1000
    std::optional<double> low{};   ///< 5th percentile of critical epsilon, when known
    std::optional<double> high{};  ///< 95th percentile
    double alwaysKept = 0.0;       ///< share of draws that keep their word at every epsilon

    [[nodiscard]] bool operator==(const EpsilonScale&) const = default;
};

/// Percentiles shown as a band around the median.
struct PercentileBand {
    int low = 5;
    int high = 95;
    [[nodiscard]] bool operator==(const PercentileBand&) const = default;
};

/// What happens to words of a text that no mechanism replaces, and how words are looked up.
struct TextPolicies {
    release::UnknownPolicy unknownWords = release::UnknownPolicy::mask;
    text::CasePolicy letterCase = text::CasePolicy::automatic;
    [[nodiscard]] bool operator==(const TextPolicies&) const = default;
};

/// Everything that the analyst sets for an embedding, as one value.
struct AnalysisSettings {
    MechanismSettings mechanism{};
    double epsilon = 10.0;       ///< per unit of distance
    bool epsilonChosen = false;  ///< by the analyst, so that a new default leaves it alone
    EpsilonScale epsilonScale{};
    int draws = 100;
    calibration::WordSelection words{};
    std::uint64_t seed = 1;
    PercentileBand band{};
    TextPolicies textPolicies{};
    std::vector<double> gridEpsilons{};
    std::vector<double> gridLambdas = calibration::defaultLambdaGrid();
    std::vector<double> gridBetas = calibration::defaultBetaGrid();
    std::vector<double> gridGammas{1.0};
    bool comparesWords = false;  ///< runs measure K_w and deniability
};

}  // namespace epsilens::ui
