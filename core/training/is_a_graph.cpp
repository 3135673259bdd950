#include "core/training/is_a_graph.h"

#include <algorithm>

namespace epsilens::training {
namespace {

constexpr std::int32_t kNotVisited = -1;

/// Tarjan's algorithm with a stack of its own, so that deep hierarchies do not exhaust the
/// thread's.
class CycleSearch {
public:
    explicit CycleSearch(const IsAGraph& graph)
        : m_graph(graph),
          m_number(static_cast<std::size_t>(graph.nodeCount()), kNotVisited),
          m_lowest(m_number.size()),
          m_open(m_number.size(), false) {}

    Cycles run() {
        for (Row node = 0; node < m_graph.nodeCount(); ++node) {
            if (number(node) == kNotVisited) {
                visitFrom(node);
            }
        }
        return std::move(m_cycles);
    }

private:
    /// A node whose parents are being visited.
    struct Visit {
        Row node;
        std::size_t nextParent;
    };

    [[nodiscard]] std::int32_t& number(Row node) {
        return m_number[static_cast<std::size_t>(node)];
    }
    [[nodiscard]] std::int32_t& lowest(Row node) {
        return m_lowest[static_cast<std::size_t>(node)];
    }

    void visitFrom(Row root) {
        enter(root);
        while (!m_path.empty()) {
            Visit& visit = m_path.back();
            const std::span<const Row> parents = m_graph.parentsOf(visit.node);
            if (visit.nextParent == parents.size()) {
                leave(visit.node);
                continue;
            }
            const Row parent = parents[visit.nextParent++];
            if (number(parent) == kNotVisited) {
                enter(parent);
            } else if (m_open[static_cast<std::size_t>(parent)]) {
                lowest(visit.node) = std::min(lowest(visit.node), number(parent));
            }
        }
    }

    void enter(Row node) {
        number(node) = lowest(node) = m_next++;
        m_members.push_back(node);
        m_open[static_cast<std::size_t>(node)] = true;
        m_path.push_back({node, 0});
    }

    void leave(Row node) {
        m_path.pop_back();
        if (!m_path.empty()) {
            const Row below = m_path.back().node;
            lowest(below) = std::min(lowest(below), lowest(node));
        }
        if (lowest(node) == number(node)) {
            closeGroup(node);
        }
    }

    /// Takes the nodes from `first` on off the stack: they are one component.
    void closeGroup(Row first) {
        const auto begin = std::find(m_members.rbegin(), m_members.rend(), first).base() - 1;
        std::vector<Row> group(begin, m_members.end());
        m_members.erase(begin, m_members.end());
        for (const Row node : group) {
            m_open[static_cast<std::size_t>(node)] = false;
        }
        if (group.size() < 2) {
            return;
        }
        ++m_cycles.groups;
        m_cycles.nodes += static_cast<std::int64_t>(group.size());
        std::sort(group.begin(), group.end());
        std::vector<Row>& example = m_cycles.example;
        if (example.empty() || group.size() < example.size() ||
            (group.size() == example.size() && group < example)) {
            example = std::move(group);
        }
    }

    const IsAGraph& m_graph;
    std::vector<std::int32_t> m_number;  ///< order in which the nodes were entered
    std::vector<std::int32_t> m_lowest;  ///< least number reached from a node and its visited part
    std::vector<bool> m_open;            ///< entered, and not yet in a component
    std::vector<Row> m_members{};        ///< the open nodes, in the order they were entered
    std::vector<Visit> m_path{};
    std::int32_t m_next = 0;
    Cycles m_cycles{};
};

}  // namespace

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
    return std::binary_search(parents.begin(), parents.end(), parent);
}

Cycles findCycles(const IsAGraph& graph) {
    return CycleSearch(graph).run();
}

}  // namespace epsilens::training
