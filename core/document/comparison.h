#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/document/json_document.h"

namespace epsilens::document {

/// Relative difference up to which a repetition confirms a number with a fraction. Sums of products
/// are rounded otherwise by other instructions of a processor and other versions of a library; a
/// draw that comes out otherwise changes any share or mean by more.
inline constexpr double kRounding = 1e-9;

/// A value that a repetition did not confirm.
struct Difference {
    std::string place{};   ///< "cells[3].nw.p95"
    std::string stored{};  ///< as written in the file; "absent" where it has none
    std::string found{};   ///< as found now
};

/// Every value in which a stored document differs from what was found now, in the order of the
/// stored one.
///
/// stored     its own place is no part of those that are named
/// found      written with Purpose::comparison: what may differ is marked in it
/// deviation  up to which numbers count as the same, relative to the one found; integers have to be
///            the same
[[nodiscard]] std::vector<Difference> differencesBetween(const JsonNode& stored,
                                                         const nlohmann::ordered_json& found,
                                                         double deviation);

}  // namespace epsilens::document
