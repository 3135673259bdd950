#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/embedding.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::training {

using embedding::Row;

/// The statement that the child is a parent, as in "a dog is a mammal". Both are rows of the
/// vocabulary.
struct IsAPair {
    Row child = 0;
    Row parent = 0;

    friend auto operator<=>(const IsAPair&,
                            const IsAPair&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Report about reading a list of pairs; positions are line numbers from 1.
struct IsAReport {
    embedding::SkippedRows wrongFields{};  ///< not two fields with one tab between them
    embedding::SkippedRows emptyNames{};
    embedding::SkippedRows longNames{};    ///< more than kLongestName bytes
    embedding::SkippedRows invalidText{};  ///< not UTF-8, or with a control character
    embedding::SkippedRows selfPairs{};    ///< child and parent are the same; left out
    embedding::SkippedRows duplicates{};   ///< same pair as an earlier line; left out
    std::int64_t namesWithBlanks = 0;      ///< nodes whose blanks were replaced by underscores

    /// Number of lines that could not be read.
    [[nodiscard]] std::int64_t badLines() const;
};

/// A list of is-a pairs.
struct IsAList {
    embedding::Vocabulary nodes{};  ///< by first occurrence, the child before the parent
    std::vector<IsAPair> pairs{};   ///< in the order of the lines; distinct, without self pairs
    IsAReport report{};
};

/// Longest name of a node in bytes.
inline constexpr std::size_t kLongestName = 1'000;

struct IsAReadOptions {
    std::string path{};   ///< file to read; "-" reads standard input
    bool strict = false;  ///< fail at the first bad line instead of skipping it
    /// Memory limit in bytes; 0: what the system and the control group leave free.
    std::uint64_t memoryLimit = 0;
};

/// Reads a list of is-a pairs: child TAB parent, UTF-8, plain or compressed as embeddings are.
///
/// Blanks around names, blank lines, carriage returns and a byte order mark are ignored. Blanks
/// within a name become underscores, as in WordNet, because the text formats of word vectors use
/// blanks as separators. Bad lines are counted and left out; with `strict` the first one is an
/// error. Cycles are kept: see findCycles.
/// Fails with badFile (the message states the line and what is allowed; also if no pair is left),
/// resourceLimit and cancelled; the error names the file.
[[nodiscard]] Result<IsAList> readIsAPairs(const IsAReadOptions& options,
                                           const JobContext& job = {});

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
