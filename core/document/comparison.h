#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/document/json_document.h"

namespace epsilens::document {

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
/// deviation  up to which numbers count as the same, relative to the one found
[[nodiscard]] std::vector<Difference> differencesBetween(const JsonNode& stored,
                                                         const nlohmann::ordered_json& found,
                                                         double deviation = 0.0);

}  // namespace epsilens::document
