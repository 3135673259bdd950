#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/provenance.h"
#include "core/embedding/vocabulary.h"
#include "core/mechanism/guaranteed_setting.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::report {

/// Two different words, as rows of the vocabulary.
using RowPair = std::pair<embedding::Row, embedding::Row>;

/// What a setting promises for two words.
struct PairOdds {
    embedding::Row first = 0;
    embedding::Row second = 0;
    double distance = 0.0;   ///< in the guarantee's own metric
    double euclidean = 0.0;  ///< for comparison
    double loss = 0.0;       ///< largest log ratio for one exchange
};

struct GuaranteeEntry {
    mechanism::Guarantee guarantee{};
    /// Distance within which the odds change by at most GuaranteeReport::odds; infinite where every
    /// pair does.
    double radius = 0.0;
    std::vector<PairOdds> pairs{};
};

/// The real guarantee of a mechanism at one or more settings.
struct GuaranteeReport {
    calibration::Provenance provenance{};
    mechanism::Mechanism mechanism{};
    double odds = 2.0;  ///< of the radius
    std::vector<GuaranteeEntry> entries{};
};

/// Odds of pairs, and the radius, at one setting.
///
/// odds  finite, > 1
/// Fails with invalidArgument outside the range.
[[nodiscard]] Result<GuaranteeEntry> describeGuarantee(const mechanism::GuaranteedSetting& setting,
                                                       const RowMatrixF& vectors,
                                                       const std::vector<RowPair>& pairs,
                                                       double odds);

/// Document "epsilens.guarantee/1", keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json guaranteeJson(const GuaranteeReport& report,
                                                   const embedding::Vocabulary& vocabulary);
/// For a terminal, UTF-8.
[[nodiscard]] std::string guaranteeText(const GuaranteeReport& report,
                                        const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::report
