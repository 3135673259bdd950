#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/density_profile.h"
#include "core/calibration/provenance.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/epsilon_range.h"
#include "core/report/report_model.h"
#include "core/text/data_set.h"

namespace epsilens::report {

/// 'row 1,000, word "the": length 124,000, median 6.02: a missing decimal point?' for the longest
/// of the rows that are much longer than others (embedding::OutlyingNorms), at most three, and how
/// many more there are. Empty when there is none.
[[nodiscard]] std::string outlyingRowsText(const embedding::PreparedEmbedding& prepared);

/// "wrong number of values 2 (at 5, 9), duplicate word 1 (at 7)": what was left out, by reason,
/// with the first places. Empty where nothing was.
[[nodiscard]] std::string reasonsText(
    const std::vector<std::pair<const char*, embedding::SkippedRows>>& reasons);
/// The rows that loading left out, by reason, with the first places: "3 rows skipped: wrong number
/// of values 2 (at 5, 9), duplicate words 1 (at 7)". Empty when none was.
[[nodiscard]] std::string skippedRowsText(const embedding::LoadReport& report);

/// Nearest-neighbour distances of a vocabulary, and of the words of a data set.
struct InfoDensity {
    calibration::DensityProfile profile{};
    std::int64_t distinctVectors = 0;
    double seconds = 0.0;                      ///< taken by the profile
    std::optional<text::DataSetWords> data{};  ///< nothing when no data set was read
};

/// What an embedding file is, for the analyst who is about to use it.
struct InfoReport {
    const embedding::PreparedEmbedding& prepared;
    calibration::Provenance provenance = calibration::provenanceOf(prepared);
    /// Of the Laplace mechanism; nothing when it cannot run on this embedding.
    std::optional<engine::EpsilonRange> epsilonRange{};
    std::optional<InfoDensity> density{};  ///< when asked for
    bool partial = false;                  ///< interrupted: the two may be missing for that
};

/// Document "epsilens.info/1", keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json infoJson(const InfoReport& info);
/// What loading found: format, size, rows left out, and what follows from the vectors.
[[nodiscard]] Facts embeddingFacts(const embedding::PreparedEmbedding& prepared);
/// For a terminal.
[[nodiscard]] std::string infoText(const InfoReport& info);

}  // namespace epsilens::report
