#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/calibration/limits.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/embedding/prepared_embedding.h"
#include "core/evaluation/figure_limit.h"
#include "core/mechanism/mechanism.h"
#include "core/release/policies.h"
#include "core/text/letter_case.h"

namespace epsilens::ui {

struct MechanismSettings {
    mechanism::Mechanism kind{};  ///< which one; has default parameters, those in use are below
    mechanism::Parameters parameters{.lambda = mechanism::kDefaultLambda,
                                     .metric = metric::Metric::euclidean,
                                     .gamma = 1.0,
                                     .beta = mechanism::kDefaultBeta,
                                     .law = mechanism::RadialLaw::riemannian};
    bool gammaGiven = false;  ///< else the radius follows from beta

    [[nodiscard]] bool operator==(const MechanismSettings&) const = default;
    [[nodiscard]] mechanism::Mechanism currentMechanism() const { return recalled(kind); }
    [[nodiscard]] mechanism::Mechanism recalled(const mechanism::Mechanism& of) const;
    void remember(const mechanism::Parameters& given);
    void setMechanism(const mechanism::Mechanism& mechanism);
};

/// Where interesting values of epsilon lie for the embedding at hand (per unit of distance).
struct EpsilonScale {
    double suggested = 10.0;       ///< the default; the slider spans it / 1000 to it x 1000
    std::optional<double> low{};   ///< 5th percentile of critical epsilon, when known
    std::optional<double> high{};  ///< 95th percentile

    [[nodiscard]] bool operator==(const EpsilonScale&) const = default;
};

struct PercentileBand {
    int low = 5;
    int high = 95;
    [[nodiscard]] bool operator==(const PercentileBand&) const = default;
};

struct TextPolicies {
    release::UnknownPolicy unknownWords = release::UnknownPolicy::mask;
    text::CasePolicy letterCase = text::CasePolicy::automatic;
    [[nodiscard]] bool operator==(const TextPolicies&) const = default;
};

struct GridValues {
    std::vector<double> epsilons{};
    std::vector<double> lambdas = calibration::defaultLambdaGrid();
    std::vector<double> betas = calibration::defaultBetaGrid();
    std::vector<double> gammas{1.0};
    [[nodiscard]] bool operator==(const GridValues&) const = default;
};

/// Where a list of words came from, for the report. Lists of the same words are the same.
struct WordsSource {
    std::optional<calibration::SelectionDescription> description{};
    [[nodiscard]] bool operator==(const WordsSource& /*other*/) const { return true; }
};

/// All that the analyst sets, as one value: what undo goes back over and sessions keep.
struct AnalysisSettings {
    MechanismSettings mechanism{};
    double epsilon = 10.0;       ///< per unit of distance
    bool epsilonChosen = false;  ///< by the analyst, so that a new default leaves it alone
    EpsilonScale epsilonScale{};
    /// Of words in the metric of TEM, estimated from some of them; nothing until known.
    std::optional<double> largestDistance{};
    int draws = 100;
    calibration::WordSelection words{};
    WordsSource wordsSource{};
    std::uint64_t seed = 1;
    PercentileBand band{};
    TextPolicies textPolicies{};
    GridValues grid{};
    std::vector<calibration::Limit> limits{};  ///< none until the analyst sets one
    std::vector<evaluation::FigureLimit> figureLimits{};
    std::optional<mechanism::Setting> pin{};  ///< what the present setting is compared with

    [[nodiscard]] bool operator==(const AnalysisSettings&) const = default;

    [[nodiscard]] mechanism::Mechanism currentMechanism() const {
        return mechanism.currentMechanism();
    }
    [[nodiscard]] mechanism::Setting setting() const { return {currentMechanism(), epsilon}; }
    [[nodiscard]] double lambda() const { return *mechanism.parameters.lambda; }
    /// The grid of a run. TEM runs over its radii at the lambda set, Mahalanobis over lambdas.
    [[nodiscard]] mechanism::Grid runGrid() const;
    [[nodiscard]] calibration::CalibrationOptions calibrationOptions() const;
    [[nodiscard]] bool asksForRunOf(const AnalysisSettings& other) const;

    [[nodiscard]] std::optional<calibration::SelectionDescription> wordsFrom() const;
    void chooseWords(const calibration::WordSelection& chosen,
                     const std::optional<calibration::SelectionDescription>& from);
    /// Takes a mechanism with the last values of its parameters; those of `kind` do not matter.
    void chooseMechanism(const mechanism::Mechanism& kind) {
        mechanism.setMechanism(mechanism.recalled(kind));
    }
    void setParameters(const mechanism::Parameters& given) { mechanism.remember(given); }
    void chooseEpsilon(double value);
    void suggest(const EpsilonScale& scale);
    void pinPresent() { pin = setting(); }
};

/// Options of a run whose results are held against limits: under one on how often the worst word is
/// kept, the words kept most often are counted again. TEM keeps them exactly as often as it says.
[[nodiscard]] calibration::CalibrationOptions optionsUnder(
    const std::vector<calibration::Limit>& limits, calibration::CalibrationOptions options);

/// The settings after a change. Values that are out of range stay as they were before: lambda in
/// [0, 1], beta in (0, 1), gamma finite and >= 0, at least one draw, epsilon and its default finite
/// and above the bound of the mechanism. What is known of epsilon is forgotten when epsilon gets
/// another unit, and epsilon follows its default again, unless the change sets epsilon too. A
/// change of a parameter in the same unit keeps epsilon where it is.
///
/// embedding  may be null
[[nodiscard]] AnalysisSettings accepted(const AnalysisSettings& before, AnalysisSettings wanted,
                                        const embedding::EmbeddingHandle& embedding);

/// The settings on another embedding, on which a mechanism that cannot run gives way to one that
/// can. Vectors from another file give epsilon another unit and end the comparison with what is
/// pinned.
///
/// embedding  may be null, on which nothing is refused
[[nodiscard]] AnalysisSettings movedTo(const embedding::EmbeddingHandle& embedding,
                                       const AnalysisSettings& before, bool isOtherFile);

}  // namespace epsilens::ui
