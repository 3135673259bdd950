#include "core/training/is_a_graph.h"

#include <algorithm>
#include <utility>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace epsilens::training {

IsAGraph::IsAGraph(Row nodes, std::span<const IsAPair> pairs)
    : m_begins(static_cast<std::size_t>(nodes) + 1, 0),
      m_parents(pairs.size()),
      m_degrees(static_cast<std::size_t>(nodes), 0) {
    for (const IsAPair& pair : pairs) {
        ++m_begins[static_cast<std::size_t>(pair.child) + 1];
        ++m_degrees[static_cast<std::size_t>(pair.child)];
        ++m_degrees[static_cast<std::size_t>(pair.parent)];
    }
    for (std::size_t i = 1; i < m_begins.size(); ++i) {
        m_begins[i] += m_begins[i - 1];
    }
    std::vector<std::size_t> next(m_begins.begin(), m_begins.end() - 1);
    for (const IsAPair& pair : pairs) {
        m_parents[next[static_cast<std::size_t>(pair.child)]++] = pair.parent;
    }
    for (std::size_t i = 0; i + 1 < m_begins.size(); ++i) {
        std::sort(m_parents.begin() + static_cast<std::ptrdiff_t>(m_begins[i]),
                  m_parents.begin() + static_cast<std::ptrdiff_t>(m_begins[i + 1]));
    }
}

bool IsAGraph::isA(Row child, Row parent) const {
    const std::span<const Row> parents = parentsOf(child);
    return std::ranges::binary_search(parents, parent);
}

Cycles findCycles(const IsAGraph& graph) {
    std::vector<std::pair<Row, Row>> pairs;
    for (Row child = 0; child < graph.nodeCount(); ++child) {
        for (const Row parent : graph.parentsOf(child)) {
            pairs.emplace_back(child, parent);
        }
    }
    using Graph =
        boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                           boost::no_property, Row, std::size_t>;
    const Graph boostGraph(boost::edges_are_sorted, pairs.begin(), pairs.end(), graph.nodeCount());
    std::vector<std::size_t> groupOf(static_cast<std::size_t>(graph.nodeCount()));
    const std::size_t count = boost::strong_components(
        boostGraph, boost::make_iterator_property_map(groupOf.begin(),
                                                      boost::get(boost::vertex_index, boostGraph)));
    std::vector<std::vector<Row>> groups(count);
    for (Row node = 0; node < graph.nodeCount(); ++node) {
        groups[groupOf[static_cast<std::size_t>(node)]].push_back(node);
    }
    Cycles cycles;
    for (const std::vector<Row>& group : groups) {
        if (group.size() < 2) {
            continue;
        }
        ++cycles.groups;
        cycles.nodes += std::ssize(group);
        if (cycles.example.empty() ||
            std::pair(group.size(), group) < std::pair(cycles.example.size(), cycles.example)) {
            cycles.example = group;
        }
    }
    return cycles;
}

}  // namespace epsilens::training
