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

/// The words of a vocabulary that occur in each record of a data set. Takes four bytes for each
/// distinct word of each record.
class DataSetWords {
public:
    /// Adds a record.
    ///
    /// rows     its known words, in any order, with repetitions
    /// unknown  number of its words that are not in the vocabulary
    void addRecord(std::span<const embedding::Row> rows, std::int64_t unknown);

    [[nodiscard]] std::int64_t records() const { return std::ssize(m_ends); }
    /// Number of words in all records, with repetitions, and how many of them are not in the
    /// vocabulary.
    [[nodiscard]] std::int64_t tokens() const { return m_tokens; }
    [[nodiscard]] std::int64_t unknownTokens() const { return m_unknownTokens; }
    /// The rows that occur, ascending.
    [[nodiscard]] std::vector<embedding::Row> words() const;

    /// Mean over the given words of the share of records that contain the word; 0 if there are no
    /// words or no records.
    [[nodiscard]] double meanShareOfRecords(std::span<const embedding::Row> words) const;
    /// Share of the records that contain at least one of the given words.
    [[nodiscard]] double shareOfRecordsWithAny(std::span<const embedding::Row> words) const;

    std::string file{};               ///< name without folders
    std::string column{};             ///< as requested; empty: the only column
    std::int64_t skippedRecords = 0;  ///< as RecordReader::skipped

private:
    std::vector<embedding::Row> m_rows{};   ///< distinct words of each record, concatenated
    std::vector<std::size_t> m_ends{};      ///< end of each record in m_rows
    std::vector<std::int64_t> m_holders{};  ///< how many records contain each row
    std::int64_t m_tokens = 0;
    std::int64_t m_unknownTokens = 0;
};

/// Reads a data set and finds its words as in any other text. Fails as RecordReader does, with
/// badFile when there is no record, and with cancelled.
[[nodiscard]] Result<DataSetWords> readDataSet(const io::RecordOptions& options,
                                               const Lookup& lookup, int threads = 0,
                                               const JobContext& job = {});

}  // namespace epsilens::text
