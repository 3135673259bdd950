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

/// How far a number may be from the one found now and count as the same; integers have to be equal.
struct Deviation {
    double relative = kRounding;
    double absolute = 0.0;    ///< counts where it is more
    bool isOfEquals = false;  ///< worst words may stand for each other where their N_w are the same
};

/// Of statistics that are summed exactly instead of sampled. Their terms are float32: between ways
/// to sum them N_w and S_w were seen to differ by 8e-7, and small shares by more than that of
/// themselves. Less than the bound of a cell, relativeError, which was 1.2e-5 or more in
/// calibrations of real vectors.
inline constexpr Deviation kOfExactSums{1e-5, 1e-5, true};

/// A value that a repetition did not confirm.
struct Difference {
    std::string place{};   ///< "cells[3].nw.p95"
    std::string stored{};  ///< as written in the file; "absent" where it has none
    std::string found{};   ///< as found now
};

/// Every value in which a stored document differs from what was found now, in the order of the
/// stored one.
///
/// stored  its own place is no part of those that are named
/// Left alone are circumstances, which two runs of one request need not share: versions, times,
/// threads, memory, where files lie, and what the analyst says.
[[nodiscard]] std::vector<Difference> differencesBetween(const JsonNode& stored,
                                                         const nlohmann::ordered_json& found,
                                                         const Deviation& deviation = {});

/// Relative difference up to which a stored number is the one that follows from other fields:
/// what mathematics libraries may differ by.
inline constexpr double kLargestDeviation = 1e-12;

/// Complains about a part of a document that differs by more from what follows from the rest.
void demandFollows(const JsonNode& part, const JsonNode& stored,
                   const nlohmann::ordered_json& found);

}  // namespace epsilens::document
