#include "core/embedding/load.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>

#include <fmt/format.h>
#include <Eigen/Core>

#include "core/base/ascii.h"
#include "core/base/enum_names.h"
#include "core/base/numbers.h"
#include "core/base/stopwatch.h"
#include "core/embedding/row_readers.h"
#include "core/embedding/row_table.h"
#include "core/io/byte_source.h"
#include "core/io/memory_limit.h"
#include "core/io/read_ahead.h"
#include "core/io/record_reader.h"

// Ends of the data that resources/sample/sample.S puts into the program.
extern "C" {
extern const unsigned char kEpsilensSampleBegin[];
extern const unsigned char kEpsilensSampleEnd[];
extern const unsigned char kEpsilensPoincareSampleBegin[];
extern const unsigned char kEpsilensPoincareSampleEnd[];
}

namespace epsilens::embedding {
namespace {

/// Of the time from opening a file to its principal axes, roughly.
constexpr double kReadingShare = 0.6;

constexpr EnumNames<InputFormat, 5> kInputFormats{{{"auto", InputFormat::automatic},
                                                   {"glove", InputFormat::glove},
                                                   {"word2vec-text", InputFormat::word2vecText},
                                                   {"word2vec-binary", InputFormat::word2vecBinary},
                                                   {"fasttext", InputFormat::fasttext}}};
constexpr EnumNames<FileFormat, 5> kFileFormats{{{"glove-text", FileFormat::gloveText},
                                                 {"word2vec-text", FileFormat::word2vecText},
                                                 {"word2vec-binary", FileFormat::word2vecBinary},
                                                 {"fasttext-binary", FileFormat::fasttextBinary},
                                                 {"built-in", FileFormat::builtIn}}};

/// Line ends before a word belong to the row before it.
Result<void> skipLineEnds(io::ByteCursor& cursor) {
    while (true) {
        ASSIGN_OR_RETURN(const bool skipped, cursor.skipIf('\n'));
        if (!skipped) {
            return {};
        }
    }
}

/// Reads word2vec binary: a header line, then per row the word, a blank and the values as float32;
/// a line end may stand behind each row.
///
/// Fails with badFile, also for bytes behind the last row; resourceLimit; cancelled.
Result<void> readWord2vecBinary(io::ByteSource& source, const DetectedFormat& format,
                                RowTable& table, const JobContext& job) {
    const std::int64_t rows = *format.announcedRows;
    const auto bytes = static_cast<std::size_t>(table.dimensions()) * sizeof(float);
    if (source.bytesLeft()) {
        table.expectRows(rows);
    }
    io::ByteCursor cursor(source);
    RETURN_IF_ERROR(cursor.skipBytes(format.headerBytes, "the header"));
    for (std::int64_t row = 1; row <= rows; ++row) {
        const std::string what = fmt::format("row {} of {}", formatCount(row), formatCount(rows));
        RETURN_IF_ERROR(skipLineEnds(cursor));
        ASSIGN_OR_RETURN(const auto word, cursor.readTextUntil(' ', what));
        ASSIGN_OR_RETURN(float* const values, table.makeRoom(1));
        RETURN_IF_ERROR(cursor.readBytes(values, bytes, what));
        auto done = table.commit(judgeRow(word, values, table.dimensions()), word, values, row);
        if (!done || table.isCut()) {
            return done;
        }
        if (row % kRowsPerReport == 0) {
            job.progress(cursor.fractionRead(), "Reading the embedding");
        }
    }
    RETURN_IF_ERROR(skipLineEnds(cursor));
    ASSIGN_OR_RETURN(const bool ended, cursor.atEnd());
    return ended ? Result<void>()
                 : fail(ErrorCode::badFile,
                        "the file goes on after the rows that its header announces; it is damaged");
}

/// Reads the rows into `embedding`, whose report is filled in.
Result<void> readFile(const LoadOptions& options, const Vocabulary* selection,
                      const JobContext& job, Embedding& embedding) {
    ASSIGN_OR_RETURN(auto source, io::ByteSource::open(options.path, job.stop));
    ASSIGN_OR_RETURN(const auto format, detectFormat(*source, options.inputFormat));
    LoadReport& report = embedding.report;
    report.format = format.format;
    report.compression = source->compression();
    const bool isText =
        report.format == FileFormat::gloveText || report.format == FileFormat::word2vecText;
    RowTable table(options, format.dimensions, selection, isText, report);
    RETURN_IF_ERROR(isText ? readText(*source, format, table, options.threads, job)
                    : report.format == FileFormat::word2vecBinary
                        ? readWord2vecBinary(*source, format, table, job)
                        : readFasttext(*source, table, options.threads, job));
    RETURN_IF_ERROR(table.finish(embedding));
    ASSIGN_OR_RETURN(report.sha256, source->finish());
    report.fileBytes = source->storedBytesRead();
    return {};
}

/// An embedding in the layout of the built-in ones, all numbers little-endian:
///
///   "EPSEMB1\n"       8 bytes, or "EPSEMB2\n"
///   V, m, T           uint32 each
///   words             T bytes of UTF-8, each word followed by "\n"
///   vectors           V x m binary16, or binary32 after "EPSEMB2\n"; row by row in the order of
///                     the words
Embedding packedEmbedding(std::string_view bytes) {
    constexpr std::size_t kHeaderBytes = 20;
    const auto numberAt = [bytes](std::size_t place) {
        std::uint32_t number = 0;
        std::memcpy(&number, bytes.data() + place, sizeof number);
        return number;
    };
    const std::uint32_t textBytes = numberAt(16);
    Embedding embedding;
    embedding.vocabulary.reserve(numberAt(8), textBytes);
    std::string_view text = bytes.substr(kHeaderBytes, textBytes);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        embedding.vocabulary.add(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    embedding.vectors.resize(numberAt(8), numberAt(12));
    const std::string_view values = bytes.substr(kHeaderBytes + textBytes);
    if (bytes.starts_with("EPSEMB2\n")) {
        std::memcpy(embedding.vectors.data(), values.data(), values.size());
    } else {
        std::vector<std::uint16_t> halves(values.size() / sizeof(std::uint16_t));
        std::memcpy(halves.data(), values.data(), values.size());
        std::ranges::transform(halves, embedding.vectors.data(), [](auto bits) {
            return Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits));
        });
    }
    embedding.report.format = FileFormat::builtIn;
    embedding.report.fileBytes = bytes.size();
    embedding.report.sha256 = io::sha256(bytes);
    return embedding;
}

/// The rows of a built-in embedding that the options ask for.
Result<void> readBuiltIn(const LoadOptions& options, const Vocabulary* selection,
                         Embedding& embedding) {
    const auto read = [](const unsigned char* begin, const unsigned char* end) {
        return packedEmbedding(
            {reinterpret_cast<const char*>(begin), static_cast<std::size_t>(end - begin)});
    };
    Embedding whole = options.path == kSampleName
                          ? read(kEpsilensSampleBegin, kEpsilensSampleEnd)
                          : read(kEpsilensPoincareSampleBegin, kEpsilensPoincareSampleEnd);
    embedding.report = std::move(whole.report);
    if (selection == nullptr && options.limitRows == 0) {
        embedding.vocabulary = std::move(whole.vocabulary);
        embedding.vectors = std::move(whole.vectors);
        return {};
    }
    RowTable table(options, whole.dimensions(), selection, false, embedding.report);
    table.expectRows(whole.wordCount());
    for (Row row = 0; row < whole.wordCount() && !table.isCut(); ++row) {
        ASSIGN_OR_RETURN(float* const values, table.makeRoom(1));
        std::copy_n(whole.vectors.row(row).data(), whole.dimensions(), values);
        RETURN_IF_ERROR(
            table.commit(RowStatus::usable, whole.vocabulary.word(row), values, row + 1));
    }
    return table.finish(embedding);
}

Result<Vocabulary> readWords(const std::string& path, std::stop_token stop,
                             std::uint64_t memoryLimit) {
    constexpr double kCopiesWhileGrowing = 3.0;  // as it was, and twice as large
    const io::MemoryBudget budget(memoryLimit);
    ASSIGN_OR_RETURN(auto reader,
                     io::RecordReader::open({path, {}, io::RecordFormat::lines}, std::move(stop)));
    Vocabulary words;
    std::string line;
    while (true) {
        ASSIGN_OR_RETURN(const bool more, reader.next(line));
        if (!more) {
            break;
        }
        if (const std::string_view word = trimmed(line); !word.empty()) {
            words.add(word);
        }
        RETURN_IF_ERROR(budget.check(kCopiesWhileGrowing * words.bytesHeld(), "the words of a list",
                                     "use a shorter list"));
    }
    if (words.size() == 0) {
        return fail(ErrorCode::badFile, "the list of words is empty");
    }
    return words;
}

Result<Embedding> load(const LoadOptions& options, const JobContext& job) {
    std::optional<Vocabulary> selection;
    if (!options.vocabularyPath.empty()) {
        ASSIGN_OR_RETURN(selection,
                         readWordList(options.vocabularyPath, job.stop, options.memoryLimit));
    }
    const Vocabulary* const selected = selection ? &*selection : nullptr;
    Embedding embedding;
    if (isBuiltIn(options.path)) {
        embedding.name = options.path;
        RETURN_IF_ERROR(readBuiltIn(options, selected, embedding));
    } else {
        embedding.path = options.path;
        embedding.name = options.path == "-"
                             ? "standard input"
                             : std::filesystem::path(options.path).filename().string();
        RETURN_IF_ERROR(readFile(options, selected, job, embedding));
    }
    job.progress(1.0, "Reading the embedding");
    return embedding;
}

}  // namespace

std::string_view formatName(FileFormat format) {
    return nameIn(kFileFormats, format);
}

Result<InputFormat> parseInputFormat(std::string_view name) {
    return valueIn(kInputFormats, name);
}

std::string_view inputFormatName(InputFormat format) {
    return nameIn(kInputFormats, format);
}

Result<Embedding> loadEmbedding(const LoadOptions& options, const JobContext& job) {
    Result<Embedding> loaded = fail(ErrorCode::resourceLimit, "not enough memory for the file");
    try {
        loaded = load(options, job);
    } catch (const std::bad_alloc&) {
        // The failure set above is the result.
    }
    if (!loaded && loaded.error().file.empty() && !isBuiltIn(options.path)) {
        loaded.error().file = options.path;
    }
    return loaded;
}

Result<EmbeddingHandle> openAndPrepare(const LoadOptions& options, const JobContext& job) {
    const Stopwatch watch;
    ASSIGN_OR_RETURN(auto embedding, loadEmbedding(options, partOf(job, 0.0, kReadingShare)));
    const double loadSeconds = watch.seconds();
    return prepareEmbedding(std::move(embedding), options.threads, partOf(job, kReadingShare, 1.0),
                            loadSeconds);
}

Result<Vocabulary> readWordList(const std::string& path, std::stop_token stop,
                                std::uint64_t memoryLimit) {
    return readWords(path, std::move(stop), memoryLimit).map_error(inFile(path));
}

Result<ListedWords> findListedWords(const std::string& path, const Vocabulary& vocabulary,
                                    std::stop_token stop) {
    ASSIGN_OR_RETURN(const auto list, readWordList(path, std::move(stop)));
    ListedWords found;
    found.words = list.size();
    for (Row line = 0; line < static_cast<Row>(list.size()); ++line) {
        if (const auto row = vocabulary.find(list.word(line))) {
            found.rows.push_back(*row);
        }
    }
    return found;
}

std::string word2vecText(const Vocabulary& vocabulary,
                         const Eigen::Ref<const RowMatrixF>& vectors) {
    std::string text = fmt::format("{} {}\n", vectors.rows(), vectors.cols());
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        text += vocabulary.word(static_cast<Row>(row));
        for (Eigen::Index column = 0; column < vectors.cols(); ++column) {
            // fmt::format_to would compile all of fmt into this file.
            text += fmt::format(" {}", vectors(row, column));
        }
        text += '\n';
    }
    return text;
}

std::vector<std::pair<Row, Row>> exampleRows(const Vocabulary& vocabulary) {
    std::vector<std::pair<Row, Row>> rows;
    for (const auto& [first, second] : examplePairs()) {
        const auto one = vocabulary.find(first);
        const auto other = vocabulary.find(second);
        if (one && other) {
            rows.emplace_back(*one, *other);
        }
    }
    return rows;
}

}  // namespace epsilens::embedding
