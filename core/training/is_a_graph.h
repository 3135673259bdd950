#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/training/is_a_pairs.h"

namespace epsilens::training {

/// Is-a pairs by child: which nodes a node is said to be.
class IsAGraph {
public:
    /// nodes  number of nodes; the pairs name rows in [0, nodes), none twice
    IsAGraph(Row nodes, std::span<const IsAPair> pairs);

    [[nodiscard]] Row nodeCount() const { return static_cast<Row>(m_degrees.size()); }
    /// Parents of a node in rising order.
    [[nodiscard]] std::span<const Row> parentsOf(Row child) const {
        const auto index = static_cast<std::size_t>(child);
        return std::span(m_parents).subspan(m_begins[index], m_begins[index + 1] - m_begins[index]);
    }
    [[nodiscard]] bool isA(Row child, Row parent) const;
    /// Pairs that a node is in, as child or as parent.
    [[nodiscard]] std::int32_t degree(Row node) const {
        return m_degrees[static_cast<std::size_t>(node)];
    }

private:
    std::vector<std::size_t> m_begins{};  ///< of each child's parents, and the end
    std::vector<Row> m_parents{};
    std::vector<std::int32_t> m_degrees{};
};

/// Nodes that are, by way of others, themselves.
struct Cycles {
    std::int64_t groups = 0;     ///< largest sets of nodes each of which is all the others
    std::int64_t nodes = 0;      ///< in all groups
    std::vector<Row> example{};  ///< the smallest group, in rising order; the first one of its size
};

/// Finds the strongly connected components of more than one node (Tarjan 1972), in time linear in
/// nodes and pairs.
[[nodiscard]] Cycles findCycles(const IsAGraph& graph);

}  // namespace epsilens::training
