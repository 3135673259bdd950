#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/training/is_a_pairs.h"

namespace epsilens::test {

/// A list of these pairs with nodes "n0", "n1", … and nothing to report.
[[nodiscard]] inline training::IsAList listOf(training::Row nodes,
                                              std::vector<training::IsAPair> pairs) {
    training::IsAList list;
    for (training::Row node = 0; node < nodes; ++node) {
        list.nodes.add("n" + std::to_string(node));
    }
    list.pairs = std::move(pairs);
    return list;
}

/// Every node of a complete tree paired with each node above it. Node 0 is the root.
///
/// levels  below the root
[[nodiscard]] inline training::IsAList treeClosure(int branches, int levels) {
    training::Row nodes = 1;
    training::Row levelSize = 1;
    for (int level = 0; level < levels; ++level) {
        levelSize *= branches;
        nodes += levelSize;
    }
    std::vector<training::IsAPair> pairs;
    for (training::Row node = 1; node < nodes; ++node) {
        for (training::Row above = (node - 1) / branches;; above = (above - 1) / branches) {
            pairs.push_back({node, above});
            if (above == 0) {
                break;
            }
        }
    }
    return listOf(nodes, std::move(pairs));
}

}  // namespace epsilens::test
