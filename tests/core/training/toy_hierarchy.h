#pragma once

#include <vector>

#include "core/training/is_a_pairs.h"

namespace epsilens::test {

/// A list of these pairs with nodes "n0", "n1", … and nothing to report.
[[nodiscard]] training::IsAList listOf(training::Row nodes, std::vector<training::IsAPair> pairs);

/// Every node of a complete tree paired with each node above it. Node 0 is the root.
///
/// levels  below the root
[[nodiscard]] training::IsAList treeClosure(int branches, int levels);

}  // namespace epsilens::test
