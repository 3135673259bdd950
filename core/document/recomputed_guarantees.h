#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/run.h"
#include "core/document/json_document.h"

namespace epsilens::document {

/// Relative difference up to which a stored number is the one that follows from other fields:
/// what mathematics libraries may differ by.
inline constexpr double kLargestDeviation = 1e-12;

/// Derives everything again that a calibration says of its guarantees and that follows from
/// mechanism, epsilon, lambda, beta, dimensions and words, so that nobody has to believe a bound
/// that could be computed. Complains about the first number of `document` that differs by more
/// than kLargestDeviation, and the first statement or scope that is another text. What follows from
/// the vectors only (the Euclidean factors of a Mahalanobis distance) has to be the same multiple
/// of epsilon for every cell of a lambda.
///
/// run      mechanism, embedding and request are read
/// summary  cells and as many guarantees
void recomputeGuarantees(const JsonNode& document, const calibration::Run& run,
                         const calibration::CalibrationSummary& summary);

/// Complains about a part of a document that differs by more from what follows from the rest.
void demandFollows(const JsonNode& part, const JsonNode& stored,
                   const nlohmann::ordered_json& found);

}  // namespace epsilens::document
