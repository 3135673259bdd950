#pragma once

#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::embedding {

/// Rows with a norm above 20 times the median. They are few in vectors that were trained; one may
/// stand for a missing decimal point.
struct OutlyingNorms {
    double median = 0.0;      ///< of the norms above 0
    std::vector<Row> rows{};  ///< rising in norm, equal ones in the order of the rows
};

[[nodiscard]] OutlyingNorms outlyingNorms(const VectorD& squaredNorms);

}  // namespace epsilens::embedding
