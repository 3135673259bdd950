#include "core/training/is_a_pairs.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/ordered.h"
#include "core/io/byte_source.h"
#include "core/io/memory_limit.h"
#include "core/io/read_ahead.h"
#include "core/io/text_decoder.h"

namespace epsilens::training {
namespace {

using embedding::SkippedRows;

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
/// Keeps rows of nodes, of which a pair brings at most two, within 31 bits.
constexpr std::size_t kMostPairs = 1'000'000'000;
/// A pair with its line, twice while the vectors grow and again while repetitions are looked for.
constexpr double kBytesPerListedPair = 3.0 * (sizeof(IsAPair) + sizeof(std::int64_t));
/// A name with its place in the vocabulary: text, end, slots of a table at most half full.
constexpr double kBytesPerName = 100.0;

/// Collects the pairs of one file.
class PairReader {
public:
    explicit PairReader(bool strict) : m_strict(strict) {}

    Result<void> readBlock(std::string_view block) {
        while (!block.empty()) {
            ++m_line;
            RETURN_IF_ERROR(readLine(io::takeLine(block)));
        }
        return {};
    }

    [[nodiscard]] double bytesHeld() const {
        return kBytesPerListedPair * static_cast<double>(m_list.pairs.size()) +
               kBytesPerName * static_cast<double>(m_list.nodes.size());
    }

    Result<IsAList> finish() {
        if (m_list.pairs.empty()) {
            return fail(ErrorCode::badFile, whyEmpty());
        }
        dropDuplicates();
        return std::move(m_list);
    }

private:
    Result<void> readLine(std::string_view line) {
        if (m_line == 1 && line.starts_with(io::kByteOrderMark)) {
            line.remove_prefix(io::kByteOrderMark.size());
        }
        if (trimmed(line).empty()) {
            return {};
        }
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos) {
            return skip(m_list.report.wrongFields, "not a child and a parent separated by one tab");
        }
        const std::string_view child = trimmed(line.substr(0, tab));
        const std::string_view parent = trimmed(line.substr(tab + 1));
        IsAReport& report = m_list.report;
        if (child.empty() || parent.empty()) {
            return skip(report.emptyNames, "a name is empty");
        }
        if (std::max(child.size(), parent.size()) > kLongestName) {
            return skip(report.longNames,
                        fmt::format("a name has more than {} bytes", formatCount(kLongestName)));
        }
        if (!io::isValidUtf8(line) || io::hasControlCharacter(child) ||
            io::hasControlCharacter(parent)) {
            return skip(report.invalidText, "a name is not valid UTF-8 or has a control character");
        }
        return addPair(normalized(child, m_child), normalized(parent, m_parent));
    }

    Result<void> skip(SkippedRows& reason, std::string_view what) {
        reason.add(m_line);
        if (!m_strict) {
            return {};
        }
        return tl::unexpected(Error{ErrorCode::badFile, std::string(what), {}, m_line});
    }

    /// The name with underscores for blanks; `buffer` holds it if it has to be changed.
    static std::string_view normalized(std::string_view name, std::string& buffer) {
        if (name.find(' ') == std::string_view::npos) {
            return name;
        }
        buffer.assign(name);
        std::ranges::replace(buffer, ' ', '_');
        return buffer;
    }

    Result<void> addPair(std::string_view child, std::string_view parent) {
        if (child == parent) {
            m_list.report.selfPairs.add(m_line);
            return {};
        }
        if (m_list.pairs.size() == kMostPairs) {
            return fail(ErrorCode::resourceLimit,
                        fmt::format("the list has more than {} is-a pairs; use a shorter one",
                                    formatCount(kMostPairs)));
        }
        const Row childRow = rowOf(child, child.data() == m_child.data());
        const Row parentRow = rowOf(parent, parent.data() == m_parent.data());
        m_list.pairs.push_back({childRow, parentRow});
        m_lines.push_back(m_line);
        return {};
    }

    Row rowOf(std::string_view name, bool hadBlanks) {
        if (const auto added = m_list.nodes.add(name)) {
            m_list.report.namesWithBlanks += hadBlanks ? 1 : 0;
            return *added;
        }
        return *m_list.nodes.find(name);
    }

    /// Keeps the first of equal pairs. Sorted rather than hashed: a list made to collide in a hash
    /// table takes no longer than another.
    void dropDuplicates() {
        std::vector<IsAPair>& pairs = m_list.pairs;
        auto order = indicesBelow<std::int64_t>(pairs.size());
        const auto at = [&](std::int64_t i) { return pairs[static_cast<std::size_t>(i)]; };
        std::ranges::sort(order, [&](std::int64_t a, std::int64_t b) {
            return std::tuple(at(a).child, at(a).parent, a) <
                   std::tuple(at(b).child, at(b).parent, b);
        });
        std::vector<bool> repeats(pairs.size(), false);
        for (std::size_t i = 1; i < order.size(); ++i) {
            repeats[static_cast<std::size_t>(order[i])] = at(order[i]) == at(order[i - 1]);
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (repeats[i]) {
                m_list.report.duplicates.add(m_lines[i]);
            } else {
                pairs[kept++] = pairs[i];
            }
        }
        pairs.resize(kept);
    }

    [[nodiscard]] std::string whyEmpty() const {
        const IsAReport& report = m_list.report;
        if (report.badLines() + report.selfPairs.count == 0) {
            return "the list of is-a pairs is empty; a line is a child, a tab and a parent";
        }
        return fmt::format(
            "no is-a pair in this file: {} bad lines and {} pairs of a node with itself; a line is "
            "a child, a tab and a parent",
            formatCount(report.badLines()), formatCount(report.selfPairs.count));
    }

    bool m_strict;
    std::int64_t m_line = 0;
    IsAList m_list{};
    std::vector<std::int64_t> m_lines{};  ///< of each pair
    std::string m_child{};
    std::string m_parent{};
};

Result<IsAList> read(const IsAReadOptions& options, const JobContext& job) {
    const io::MemoryBudget budget(options.memoryLimit);
    ASSIGN_OR_RETURN(const auto source, io::ByteSource::open(options.path, job.stop));
    PairReader reader(options.strict);
    io::ReadAhead blocks = io::lineBlocks(*source, kBlockBytes);
    while (true) {
        ASSIGN_OR_RETURN(const auto block, blocks.next());
        if (block.empty()) {
            return reader.finish();
        }
        RETURN_IF_ERROR(reader.readBlock(block));
        RETURN_IF_ERROR(budget.check(reader.bytesHeld(), "the is-a pairs", "use a shorter list"));
        RETURN_IF_ERROR(job.checkStop());
        job.progress(source->fractionRead(), "Reading the pairs");
    }
}

}  // namespace

std::int64_t IsAReport::badLines() const {
    return wrongFields.count + emptyNames.count + longNames.count + invalidText.count;
}

Result<IsAList> readIsAPairs(const IsAReadOptions& options, const JobContext& job) {
    return read(options, job).map_error(inFile(options.path));
}

IsAGraph::IsAGraph(Row nodes, std::span<const IsAPair> pairs)
    : m_begins(static_cast<std::size_t>(nodes) + 1, 0),
      m_degrees(static_cast<std::size_t>(nodes), 0) {
    std::vector<IsAPair> sorted(pairs.begin(), pairs.end());
    std::ranges::sort(sorted);
    for (const IsAPair& pair : sorted) {
        m_parents.push_back(pair.parent);
        ++m_begins[static_cast<std::size_t>(pair.child) + 1];
        ++m_degrees[static_cast<std::size_t>(pair.child)];
        ++m_degrees[static_cast<std::size_t>(pair.parent)];
    }
    std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
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
        cycles.nodes += static_cast<std::int64_t>(group.size());
        if (cycles.example.empty() ||
            std::pair(group.size(), group) < std::pair(cycles.example.size(), cycles.example)) {
            cycles.example = group;
        }
    }
    return cycles;
}

}  // namespace epsilens::training
