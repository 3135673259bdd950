#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/training/index_stream.h"
#include "core/training/is_a_graph.h"

namespace epsilens::training {

/// Nodes to draw from, in two parts. A node may be there several times, which makes it likelier.
using Urn = std::array<std::span<const Row>, 2>;

/// Draws negatives for a child: nodes v' that the list does not say the child is, (u, v') not in D,
/// and not the child itself (Nickel and Kiela 2017, section 3).
class NegativeSampler {
public:
    explicit NegativeSampler(const IsAGraph& graph) : m_graph(graph) {}

    /// Appends different negatives to `targets`.
    ///
    /// urn     drawn from with rejection; at least one entry
    /// nodes   the nodes of the urn, each once: when the urn holds hardly any negative, those left
    ///         are drawn evenly from here
    /// wanted  how many; fewer if there are no more
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
