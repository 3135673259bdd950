#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/training/is_a_pairs.h"

namespace epsilens::training {

/// Is-a pairs by child.
class IsAGraph {
public:
    /// nodes  number of nodes; the pairs are distinct and name rows in [0, nodes)
    IsAGraph(Row nodes, std::span<const IsAPair> pairs);

    [[nodiscard]] Row nodeCount() const { return static_cast<Row>(m_degrees.size()); }
    /// Parents of a node in ascending order.
    [[nodiscard]] std::span<const Row> parentsOf(Row child) const {
        const auto index = static_cast<std::size_t>(child);
        return std::span(m_parents).subspan(m_begins[index], m_begins[index + 1] - m_begins[index]);
    }
    [[nodiscard]] bool isA(Row child, Row parent) const;
    /// Number of pairs with this node as child or parent.
    [[nodiscard]] std::int32_t degree(Row node) const {
        return m_degrees[static_cast<std::size_t>(node)];
    }

private:
    std::vector<std::size_t> m_begins{};  ///< of each child's parents, and the end
    std::vector<Row> m_parents{};
    std::vector<std::int32_t> m_degrees{};
};

/// Groups of nodes that form cycles: each node of a group is, directly or indirectly, each other
/// one.
struct Cycles {
    std::int64_t groups = 0;     ///< strongly connected components of 2 or more nodes
    std::int64_t nodes = 0;      ///< number of nodes in all groups
    std::vector<Row> example{};  ///< the smallest group (of equal ones, the first), ascending
};

/// Finds these groups in time linear in nodes and pairs (Tarjan 1972).
[[nodiscard]] Cycles findCycles(const IsAGraph& graph);

}  // namespace epsilens::training
