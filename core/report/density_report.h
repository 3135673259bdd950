#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/embedding/vocabulary.h"
#include "core/statistics/density_profile.h"
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
        statistics::DensityFigures figures{};
        std::vector<Word> sparsest{};
        std::vector<Word> densest{};
        /// Of the records of the data set, if there is one: the share that holds a word, as a mean
        /// over the sparsest words, and the share that holds any of them.
        std::optional<double> meanShareOfRecords{};
        std::optional<double> shareOfRecordsWithAny{};
    };
    /// The data set.
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
[[nodiscard]] DensityReport describeDensity(const statistics::DensityProfile& profile,
                                            const engine::SearchSpace& space,
                                            const std::optional<text::DataSetWords>& data,
                                            double seconds);

/// Keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json jsonDensity(const DensityReport& density);
/// Names and values for a terminal, a line each.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> densityLines(
    const DensityReport& density);

}  // namespace epsilens::report
