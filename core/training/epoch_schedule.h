#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/random_stream.h"
#include "core/training/is_a_pairs.h"

namespace epsilens::training {

/// Unbiased uniform indices below 2^32 from a seeded stream, at half the cost of
/// SeededStream::below: both halves of each 64-bit number are used, and a division is rarely needed
/// (Lemire 2019).
class IndexStream {
public:
    explicit IndexStream(const StreamKey& key) : m_stream(key) {}

    /// Uniform in [0, bound). bound >= 1.
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = std::uint64_t{next()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t rejected = (0U - bound) % bound;
            while (static_cast<std::uint32_t>(product) < rejected) {
                product = std::uint64_t{next()} * bound;
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    /// Shuffles with every order equally likely (Fisher and Yates). At most 2^32 - 1 values.
    template <typename Value>
    void shuffle(std::span<Value> values) {
        for (std::size_t left = values.size(); left > 1; --left) {
            std::swap(values[left - 1], values[below(static_cast<std::uint32_t>(left))]);
        }
    }

private:
    std::uint32_t next() {
        if (m_hasHalf) {
            m_hasHalf = false;
            return static_cast<std::uint32_t>(m_bits >> 32);
        }
        m_bits = m_stream();
        m_hasHalf = true;
        return static_cast<std::uint32_t>(m_bits);
    }

    SeededStream m_stream;
    std::uint64_t m_bits = 0;
    bool m_hasHalf = false;
};

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

/// Splits an epoch into matches that can run at the same time without sharing a node.
///
/// In every epoch the nodes are distributed at random over 2P blocks of equal size. In each of 2P-1
/// rounds every block meets one other block, so that a round has P matches of disjoint nodes and
/// every two blocks meet once (the circle method of round-robin tournaments). A match trains the
/// pairs between its two blocks; each pair within a block goes to a random match of that block. P
/// depends only on the list, so that results do not depend on the number of threads. Any two nodes
/// are equally likely to be in one match.
class EpochSchedule {
public:
    /// Matches per round for a list: a power of two up to 16. Short lists have 1, because more
    /// matches would be too small.
    [[nodiscard]] static int matchesFor(Row nodes, std::size_t pairs);

    /// pairs    rows in [0, nodes); must outlive this object
    /// matches  P, in [1, 16]
    EpochSchedule(Row nodes, std::span<const IsAPair> pairs, int matches, std::uint64_t seed);

    /// Distributes nodes and pairs; depends only on the list, the seed and the epoch.
    void deal(std::uint32_t epoch);

    [[nodiscard]] int rounds() const { return blocks() - 1; }
    [[nodiscard]] int matches() const { return m_matches; }
    [[nodiscard]] int blocks() const { return 2 * m_matches; }
    [[nodiscard]] std::size_t firstNodeOf(int block) const;

    struct Match {
        int firstBlock = 0;
        int secondBlock = 0;
        std::span<IsAPair> pairs{};  ///< in the order of the list; may be reordered
    };
    /// round in [0, rounds()), index in [0, matches())
    [[nodiscard]] Match match(int round, int index);
    /// All nodes, grouped by block.
    [[nodiscard]] std::span<const Row> nodes() const { return m_nodes; }

private:
    [[nodiscard]] std::size_t groupOf(int round, int index) const {
        return static_cast<std::size_t>(round) * static_cast<std::size_t>(m_matches) +
               static_cast<std::size_t>(index);
    }

    std::span<const IsAPair> m_pairs;
    int m_matches;
    std::uint64_t m_seed;
    std::vector<Match> m_tournament{};       ///< blocks of each group, by round, then by match
    std::vector<std::uint16_t> m_meeting{};  ///< group in which two blocks meet
    std::vector<std::uint16_t> m_own{};      ///< group of a block in a round
    std::vector<Row> m_nodes{};
    std::vector<std::uint8_t> m_blockOf{};   ///< of each node
    std::vector<std::uint16_t> m_groupOf{};  ///< of each pair
    std::vector<IsAPair> m_dealt{};          ///< pairs, group after group
    std::vector<std::size_t> m_begins{};     ///< of each group in m_dealt, and the end
};

}  // namespace epsilens::training
