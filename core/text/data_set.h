#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/vocabulary.h"
#include "core/io/record_reader.h"
#include "core/text/lookup.h"

namespace epsilens::text {

/// Which words of a vocabulary the records of a data set hold. Takes four bytes for each different
/// word of each record.
class DataSetWords {
public:
    /// Adds a record.
    ///
    /// rows     its known words, in any order and as often as they occur
    /// unknown  number of its words that the vocabulary does not have
    void addRecord(std::span<const embedding::Row> rows, std::int64_t unknown);

    [[nodiscard]] std::int64_t records() const { return static_cast<std::int64_t>(m_ends.size()); }
    /// Words of all records, repetitions counted, and those of them that are not in the vocabulary.
    [[nodiscard]] std::int64_t tokens() const { return m_tokens; }
    [[nodiscard]] std::int64_t unknownTokens() const { return m_unknownTokens; }
    /// The rows that occur, rising.
    [[nodiscard]] std::vector<embedding::Row> words() const;

    /// Share of the records that hold a word, as a mean over some words; 0 for none of either.
    [[nodiscard]] double meanShareOfRecords(std::span<const embedding::Row> words) const;
    /// Share of the records that hold at least one of some words.
    [[nodiscard]] double shareOfRecordsWithAny(std::span<const embedding::Row> words) const;

    std::string file{};               ///< name without folders
    std::string column{};             ///< as asked for; empty: the only one
    std::int64_t skippedRecords = 0;  ///< too short to have the column

private:
    [[nodiscard]] std::vector<bool> flagged(std::span<const embedding::Row> words) const;

    std::vector<embedding::Row> m_rows{};  ///< different words of the records, one after the other
    std::vector<std::size_t> m_ends{};     ///< end of each record in m_rows
    embedding::Row m_largest = -1;
    std::int64_t m_tokens = 0;
    std::int64_t m_unknownTokens = 0;
};

/// Reads a data set and finds its words as any text's are found. Fails as RecordReader does, with
/// badFile when there is no record, and with cancelled.
[[nodiscard]] Result<DataSetWords> readDataSet(const io::RecordOptions& options,
                                               const Lookup& lookup, int threads = 0,
                                               const JobContext& job = {});

}  // namespace epsilens::text
