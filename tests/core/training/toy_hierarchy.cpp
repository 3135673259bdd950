#include "tests/core/training/toy_hierarchy.h"

#include <string>
#include <utility>

namespace epsilens::test {

using training::IsAList;
using training::IsAPair;
using training::Row;

IsAList listOf(Row nodes, std::vector<IsAPair> pairs) {
    IsAList list;
    for (Row node = 0; node < nodes; ++node) {
        list.nodes.add("n" + std::to_string(node));
    }
    list.pairs = std::move(pairs);
    return list;
}

IsAList treeClosure(int branches, int levels) {
    Row nodes = 1;
    Row levelSize = 1;
    for (int level = 0; level < levels; ++level) {
        levelSize *= branches;
        nodes += levelSize;
    }
    std::vector<IsAPair> pairs;
    for (Row node = 1; node < nodes; ++node) {
        for (Row above = (node - 1) / branches;; above = (above - 1) / branches) {
            pairs.push_back({node, above});
            if (above == 0) {
                break;
            }
        }
    }
    return listOf(nodes, std::move(pairs));
}

}  // namespace epsilens::test
