#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/document/json_document.h"
#include "core/experiment/estimate.h"

namespace epsilens::document {

/// A measured figure that two evaluations have, under one condition of each.
struct ComparedFigure {
    std::string condition{};  ///< of the first: "original", "ε 5, λ 0.5"
    std::string other{};      ///< of the second, where it differs; else empty
    std::string title{};      ///< of both, for people: numbers have a few digits only
    std::string figure{};     ///< "classify.linear.accuracy"
    experiment::Estimate first{};
    experiment::Estimate second{};
    /// first - second. Paired over repeats where both have the same ones, with the variance that
    /// evaluations give their own differences; else as if the two were independent, which is too
    /// wide where they share texts.
    experiment::Difference difference{};
    bool isPaired = false;
};

/// Two evaluations, or two calibrations, beside each other.
struct EvaluationComparison {
    std::array<std::string, 2> mechanisms{};
    bool hasVerdicts = true;  ///< whether margin and verdicts mean something: not of calibrations
    double margin = 0.0;      ///< of "no difference", that of the first
    std::vector<std::string> remarks{};  ///< what differs between the runs, a sentence each
    std::vector<ComparedFigure> figures{};
};

inline constexpr const char* kComparisonSchema = "epsilens.comparison/1";

/// Compares the figures that two evaluations share. They are paired where both were asked for the
/// same texts, seed, repeats and replaced words, as far as they hold the values of each repeat.
/// With a split of the data set's own this takes the choice of the test documents too: the decision
/// about each for accuracy and the retained share of it, resampled ones for other measures.
/// Conditions without noise go together, and settings with the same epsilon, lambda, gamma and
/// beta; where no setting has a partner but there are equally many, in their order. The verdicts
/// hold over all comparisons.
///
/// Fails with badFile for a document that is no evaluation, and with invalidArgument where the two
/// have no figure in common.
[[nodiscard]] Result<EvaluationComparison> compareEvaluations(const JsonDocument& first,
                                                              const JsonDocument& second);

/// As JSON.
[[nodiscard]] std::string comparisonJson(const EvaluationComparison& comparison);

}  // namespace epsilens::document
