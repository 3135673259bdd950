#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/density_profile.h"
#include "core/calibration/provenance.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/epsilon_range.h"
#include "core/report/report_model.h"
#include "core/text/data_set.h"

namespace epsilens::report {

/// Nearest-neighbour distances of a vocabulary, and of the words of a data set, with the figures of
/// Xu et al. 2020, Table 5.
struct DensityReport {
    struct Word {
        std::string word{};
        double distance = 0.0;
        std::string nearest{};
    };
    /// Figures over some words.
    struct Part {
        std::int64_t words = 0;
        calibration::DensityFigures figures{};
        std::vector<Word> sparsest{};
        std::vector<Word> densest{};
        /// Of the records of the data set, if there is one: the share that holds a word, as a mean
        /// over the sparsest words, and the share that holds any of them.
        std::optional<double> meanShareOfRecords{};
        std::optional<double> shareOfRecordsWithAny{};
    };

    struct Data {
        std::string file{};
        std::string column{};
        std::int64_t records = 0;
        std::int64_t skippedRecords = 0;
        std::int64_t tokens = 0;
        std::int64_t unknownTokens = 0;
        std::optional<Part> words{};  ///< of its words; none when none is in the vocabulary
    };

    Part vocabulary{};
    std::int64_t distinctVectors = 0;
    double seconds = 0.0;  ///< taken by the profile
    std::optional<Data> data{};
};

/// data  nothing when no data set was read
[[nodiscard]] DensityReport describeDensity(const calibration::DensityProfile& profile,
                                            const engine::SearchSpace& space,
                                            const std::optional<text::DataSetWords>& data,
                                            double seconds);

/// Rows that are much longer than others (embedding::OutlyingNorms).
struct OutlyingRows {
    struct Named {
        std::int64_t row = 0;  ///< 1-based
        std::string word{};
        double norm = 0.0;
    };
    std::int64_t count = 0;
    double median = 0.0;           ///< of the norms above 0
    std::vector<Named> longest{};  ///< at most three, from the longest down
};

[[nodiscard]] OutlyingRows outlyingRows(const embedding::PreparedEmbedding& prepared);

/// 'row 1,000, word "the": length 124,000, median 6.02: a missing decimal point?' for each of the
/// longest, and how many more there are. Empty when there is none.
[[nodiscard]] std::string outlyingRowsText(const OutlyingRows& rows);

/// The rows that loading left out, by reason, with the first places: "3 rows skipped: wrong number
/// of values 2 (at 5, 9), duplicate words 1 (at 7)". Empty when none was.
[[nodiscard]] std::string skippedRowsText(const embedding::LoadReport& report);

/// What an embedding file is, for the analyst who is about to use it.
struct InfoReport {
    calibration::Provenance provenance{};
    embedding::LoadReport load{};
    std::int64_t duplicateClasses = 0;  ///< groups of words with bit-identical vectors
    std::int64_t duplicateRows = 0;     ///< rows beyond the first of their group
    double normMin = 0.0;               ///< Euclidean norms of the rows
    double normMean = 0.0;
    double normMax = 0.0;
    OutlyingRows outlying{};
    std::int64_t rank = 0;       ///< of the covariance
    double eigenvalueMin = 0.0;  ///< xi, of the covariance scaled to trace m
    double eigenvalueMax = 0.0;
    double totalVariance = 0.0;                          ///< trace of the unscaled covariance
    std::optional<double> largestUsableLambda{};         ///< none when all vectors are equal
    std::optional<engine::EpsilonRange> epsilonRange{};  ///< of the Laplace mechanism
    std::optional<DensityReport> density{};              ///< when asked for
    bool partial = false;  ///< interrupted: range and density may be missing for that
};

/// epsilonRange  as estimated, nothing when the mechanism cannot run on this embedding
[[nodiscard]] InfoReport describeInfo(const embedding::PreparedEmbedding& prepared,
                                      const std::optional<engine::EpsilonRange>& epsilonRange);

/// Document "epsilens.info/1", keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json infoJson(const InfoReport& info);
/// What loading found: format, size, rows left out, and what follows from the vectors.
[[nodiscard]] Facts embeddingFacts(const InfoReport& info);
/// For a terminal.
[[nodiscard]] std::string infoText(const InfoReport& info);

}  // namespace epsilens::report
