#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/output_distribution.h"
#include "core/calibration/provenance.h"
#include "core/embedding/embedding.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/mechanism.h"
#include "core/text/tokenised_text.h"

/// What commands tell of single settings.
namespace epsilens::report {

/// Two different words, as rows of the vocabulary.
using RowPair = std::pair<embedding::Row, embedding::Row>;

/// What a setting promises for two words.
struct PairOdds {
    std::string first{};
    std::string second{};
    double distance = 0.0;  ///< in the guarantee's own metric
    double euclidean = 0.0;
    double loss = 0.0;  ///< largest log ratio for one exchange
};

/// The real guarantee of a mechanism at one or more settings, and what it promises for some pairs.
struct GuaranteeReport {
    struct Setting {
        mechanism::Guarantee guarantee{};
        /// Distance within which the odds change by at most those of the report; infinite where
        /// those of all pairs do.
        double radius = 0.0;
        std::vector<PairOdds> pairs{};
    };

    calibration::Provenance provenance{};
    mechanism::Mechanism mechanism{};
    double odds = 2.0;  ///< within which distance they change by at most this; > 1
    std::vector<Setting> settings{};

    void add(const mechanism::GuaranteedSetting& setting, const std::vector<RowPair>& pairs,
             const embedding::Embedding& embedding);
};

/// For a terminal, UTF-8.
[[nodiscard]] std::string guaranteeText(const GuaranteeReport& report);

using embedding::Row;

/// What one epsilon does to a text.
struct SampledSetting {
    mechanism::Guarantee guarantee{};
    /// Sentences x words of the text: the word put in the place of each; text::kAsTyped for unknown
    /// words.
    std::vector<std::vector<Row>> sentences{};
    /// Of every distinct known word, in the order of SampleReport::distinctWords.
    std::vector<calibration::OutputDistribution> distributions{};
};

/// Seeded substitutions of a text, for looking at; never for release.
struct SampleReport {
    const embedding::Vocabulary& vocabulary;
    calibration::Provenance provenance{};
    mechanism::Mechanism mechanism{};
    text::TokenisedText text{};
    std::vector<Row> distinctWords{};  ///< known words in the order of their first occurrence
    int draws = 0;                     ///< R behind the distributions
    std::uint64_t seed = 0;
    int threads = 0;
    int nearNeighbours = 0;
    std::size_t topOutputs = 0;  ///< K outputs listed for each word; 0: no list of words
    std::vector<SampledSetting> settings{};  ///< one per epsilon
};

/// Document "epsilens.sample/1", keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json sampleJson(const SampleReport& report);
/// For a terminal, UTF-8.
[[nodiscard]] std::string sampleText(const SampleReport& report);

}  // namespace epsilens::report
