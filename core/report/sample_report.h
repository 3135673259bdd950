#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/output_distribution.h"
#include "core/calibration/provenance.h"
#include "core/embedding/vocabulary.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/mechanism.h"
#include "core/text/tokenised_text.h"

namespace epsilens::report {

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
[[nodiscard]] nlohmann::ordered_json sampleJson(const SampleReport& report,
                                                const embedding::Vocabulary& vocabulary);
/// For a terminal, UTF-8.
[[nodiscard]] std::string sampleText(const SampleReport& report,
                                     const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::report
