#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/provenance.h"
#include "core/embedding/embedding.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::report {

/// Two different words, as rows of the vocabulary.
using RowPair = std::pair<embedding::Row, embedding::Row>;

/// The real guarantee of a mechanism at one or more settings, and what it promises for some pairs.
struct GuaranteeReport {
    calibration::Provenance provenance{};
    mechanism::Mechanism mechanism{};
    double odds = 2.0;  ///< within which distance they change by at most this; > 1
    std::vector<RowPair> pairs{};
    std::vector<mechanism::GuaranteedSetting> settings{};
};

/// Document "epsilens.guarantee/1", keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json guaranteeJson(const GuaranteeReport& report,
                                                   const embedding::Embedding& embedding);
/// For a terminal, UTF-8.
[[nodiscard]] std::string guaranteeText(const GuaranteeReport& report,
                                        const embedding::Embedding& embedding);

}  // namespace epsilens::report
