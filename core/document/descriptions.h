#pragma once

#include <string>
#include <string_view>

#include "core/calibration/run.h"

/// The fields that several documents have. Each function describes those of one struct to a
/// FieldWriter or, for what is not const, to a FieldReader.
namespace epsilens::document {

/// embedding::LoadOptions: which vectors are loaded.
template <typename Fields, typename Load>
void describeLoad(Fields& json, Load& load);

/// mechanism::Grid
template <typename Fields, typename Grid>
void describeGrid(Fields& json, Grid& grid);

/// calibration::CalibrationOptions: mechanism, grid, words, draws and seed.
template <typename Fields, typename Options>
void describeOptions(Fields& json, Options& options);

/// An optional calibration::SelectionDescription, as the member "selection".
template <typename Fields, typename Selection>
void describeSelection(Fields& json, Selection& selection);

/// calibration::EmbeddingDescription
template <typename Fields, typename Embedding>
void describeEmbedding(Fields& json, Embedding& embedding);

/// mechanism::Mechanism without the numbers of a setting.
///
/// exact  whether results are expectations instead of sampled
template <typename Fields, typename Mechanism>
void describeMechanism(Fields& json, Mechanism& mechanism, bool exact);

/// mechanism::Guarantee
template <typename Fields, typename Guarantee>
void describeGuarantee(Fields& json, Guarantee& guarantee, bool hasLambda);

/// KeptData
template <typename Fields, typename Data>
void describeData(Fields& json, Data& data);

/// evaluation::EvaluationOptions, as far as requests keep them.
template <typename Fields, typename Options>
void describeEvaluationOptions(Fields& json, Options& options);

/// What becomes of texts at one setting, as the member "examples"; missing where there are none.
template <typename Fields, typename Examples>
void describeExamples(Fields& json, Examples& examples);

/// ReportSettings without limits.
template <typename Fields, typename Settings>
void describeSettings(Fields& json, Settings& settings);

/// Limits of ReportSettings or of a KeptSearch as texts, "nw.p95<=50%", as the member "limits", and
/// those on figures, if any, as "figureLimits".
template <typename Fields, typename Settings>
void describeLimits(Fields& json, Settings& settings);

/// All that a run is asked for, on one line.
[[nodiscard]] std::string requestLine(const calibration::RunRequest& request);

}  // namespace epsilens::document
