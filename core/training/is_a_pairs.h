#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/embedding.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::training {

using embedding::Row;

/// "The child is a parent": "dog" is a "mammal". Both by their row in the vocabulary.
struct IsAPair {
    Row child = 0;
    Row parent = 0;

    friend bool operator==(const IsAPair&, const IsAPair&) = default;
};

/// What reading a list of pairs found out; positions are 1-based lines.
struct IsAReport {
    embedding::SkippedRows wrongFields{};  ///< not two fields with one tab between them
    embedding::SkippedRows emptyNames{};
    embedding::SkippedRows longNames{};    ///< more than kLongestName bytes
    embedding::SkippedRows invalidText{};  ///< not UTF-8, or with a control character
    embedding::SkippedRows selfPairs{};    ///< a node that is itself: says nothing, left out
    embedding::SkippedRows duplicates{};   ///< pair of an earlier line, left out
    std::int64_t namesWithBlanks = 0;      ///< nodes whose blanks became underscores

    /// All lines that could not be read.
    [[nodiscard]] std::int64_t badLines() const;
};

/// A list of is-a pairs.
struct IsAList {
    embedding::Vocabulary nodes{};  ///< in the order of their first pair, children before parents
    std::vector<IsAPair> pairs{};   ///< in the order of the lines; none twice, no self pairs
    IsAReport report{};
};

/// Longest name of a node in bytes.
inline constexpr std::size_t kLongestName = 1'000;

struct IsAReadOptions {
    std::string path{};   ///< file to read; "-" reads standard input
    bool strict = false;  ///< the first bad line is an error instead of being skipped
    /// Largest memory to take, in bytes; 0: what the system and the control group leave.
    std::uint64_t memoryLimit = 0;
};

/// Reads a list of is-a pairs: child TAB parent, UTF-8, plain or compressed as embeddings are.
///
/// Blanks around names, blank lines, carriage returns and a byte order mark do not count; blanks
/// within a name become underscores, as WordNet writes them, because the text formats of word
/// vectors separate by blanks. Bad lines are counted and left out; with `strict` the first one
/// fails. Cycles are kept: see findCycles.
/// Fails with badFile (which line, what is allowed; also when no pair is left), resourceLimit,
/// cancelled; the error names the file.
[[nodiscard]] Result<IsAList> readIsAPairs(const IsAReadOptions& options,
                                           const JobContext& job = {});

}  // namespace epsilens::training
