#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/training/index_stream.h"
#include "core/training/is_a_graph.h"

namespace epsilens::training {

/// Nodes to draw from, in two parts. A node that occurs several times is drawn more often.
using Urn = std::array<std::span<const Row>, 2>;

/// Draws negatives for a child u: nodes v' != u for which the list has no pair (u, v') (Nickel and
/// Kiela 2017, section 3).
class NegativeSampler {
public:
    explicit NegativeSampler(const IsAGraph& graph) : m_graph(graph) {}

    /// Appends different negatives to `targets`.
    ///
    /// urn     source of the draws, with rejection; at least one entry
    /// nodes   the distinct nodes of the urn; if rejection finds too few negatives, the remaining
    ///         ones are drawn uniformly from here
    /// wanted  number of negatives; fewer are appended if there are no more
    void draw(Row child, const Urn& urn, const Urn& nodes, int wanted, IndexStream& stream,
              std::vector<Row>& targets);

private:
    [[nodiscard]] bool isNegative(Row child, Row node) const {
        return node != child && !m_graph.isA(child, node);
    }

    const IsAGraph& m_graph;
    std::vector<Row> m_left{};  ///< negatives not drawn yet
};

}  // namespace epsilens::training
