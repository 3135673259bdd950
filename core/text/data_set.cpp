#include "core/text/data_set.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/text/tokenised_text.h"

namespace epsilens::text {
namespace {

using embedding::Row;

// Records that are read before their words are looked up in parallel.
constexpr std::size_t kRecordsAtOnce = 2048;
constexpr std::size_t kBytesAtOnce = std::size_t{16} << 20;

/// The known words of one record.
struct RecordWords {
    std::vector<Row> rows{};
    std::int64_t unknown = 0;
};

RecordWords wordsOf(std::string text, Tokeniser& tokeniser, const Lookup& lookup) {
    RecordWords record;
    for (const Word& word : tokeniseText(std::move(text), tokeniser, lookup).words) {
        if (word.row) {
            record.rows.push_back(*word.row);
        } else {
            ++record.unknown;
        }
    }
    return record;
}

Result<DataSetWords> readWords(io::RecordReader& reader, const Lookup& lookup, int threads,
                               const JobContext& job) {
    DataSetWords words;
    for (bool more = true; more;) {
        std::vector<std::string> texts;
        for (std::size_t bytes = 0;
             more && texts.size() < kRecordsAtOnce && bytes < kBytesAtOnce;) {
            std::string text;
            ASSIGN_OR_RETURN(more, reader.next(text));
            if (more) {
                bytes += text.size();
                texts.push_back(std::move(text));
            }
        }
        std::vector<RecordWords> found(texts.size());
        RETURN_IF_ERROR(inParallel(
            texts.size(), threads, {}, JobContext{job.stop, {}}, [](int) { return Tokeniser(); },
            [&](Tokeniser& tokeniser, std::size_t i) {
                found[i] = wordsOf(std::move(texts[i]), tokeniser, lookup);
            }));
        for (const RecordWords& record : found) {
            words.addRecord(record.rows, record.unknown);
        }
        job.progress(reader.fractionRead(), "Reading the data set");
    }
    if (words.records() == 0) {
        return fail(ErrorCode::badFile, "the data set has no records");
    }
    return words;
}

}  // namespace

void DataSetWords::addRecord(std::span<const Row> rows, std::int64_t unknown) {
    m_tokens += std::ssize(rows) + unknown;
    m_unknownTokens += unknown;
    const auto first = std::ssize(m_rows);
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    std::sort(m_rows.begin() + first, m_rows.end());
    m_rows.erase(std::unique(m_rows.begin() + first, m_rows.end()), m_rows.end());
    for (const Row row : std::span(m_rows).subspan(static_cast<std::size_t>(first))) {
        m_holders.resize(std::max(m_holders.size(), static_cast<std::size_t>(row) + 1));
        ++m_holders[static_cast<std::size_t>(row)];
    }
    m_ends.push_back(m_rows.size());
}

std::vector<Row> DataSetWords::words() const {
    std::vector<Row> rows;
    for (std::size_t row = 0; row < m_holders.size(); ++row) {
        if (m_holders[row] > 0) {
            rows.push_back(static_cast<Row>(row));
        }
    }
    return rows;
}

double DataSetWords::meanShareOfRecords(std::span<const Row> words) const {
    if (words.empty() || records() == 0) {
        return 0.0;
    }
    std::int64_t holders = 0;
    for (const Row word : words) {
        const auto row = static_cast<std::size_t>(word);
        holders += row < m_holders.size() ? m_holders[row] : 0;
    }
    return static_cast<double>(holders) / static_cast<double>(words.size()) /
           static_cast<double>(records());
}

double DataSetWords::shareOfRecordsWithAny(std::span<const Row> words) const {
    if (records() == 0) {
        return 0.0;
    }
    const std::unordered_set<Row> any(words.begin(), words.end());
    std::int64_t hits = 0;
    std::size_t begin = 0;
    for (const std::size_t end : m_ends) {
        hits += std::ranges::any_of(std::span(m_rows).subspan(begin, end - begin),
                                    [&](Row row) { return any.contains(row); })
                    ? 1
                    : 0;
        begin = end;
    }
    return static_cast<double>(hits) / static_cast<double>(records());
}

Result<DataSetWords> readDataSet(const io::RecordOptions& options, const Lookup& lookup,
                                 int threads, const JobContext& job) {
    ASSIGN_OR_RETURN(auto reader, io::RecordReader::open(options, job.stop));
    auto words = readWords(reader, lookup, threads, job);
    if (!words) {
        words.error().file = options.path;
        return words;
    }
    words->file = std::filesystem::path(options.path).filename().string();
    words->column = options.column;
    words->skippedRecords = reader.skipped();
    return words;
}

}  // namespace epsilens::text
