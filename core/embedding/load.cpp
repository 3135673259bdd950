#include "core/embedding/load.h"

#include <array>
#include <filesystem>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/embedding/fasttext_reader.h"
#include "core/embedding/format_detection.h"
#include "core/embedding/row_table.h"
#include "core/embedding/text_reader.h"
#include "core/embedding/word2vec_binary_reader.h"
#include "core/embedding/word_list.h"
#include "core/io/byte_source.h"
#include "core/io/memory_limit.h"

namespace epsilens::embedding {
namespace {

struct FormatName {
    std::string_view name;
    InputFormat format;
};

constexpr std::array kInputFormats{
    FormatName{"auto", InputFormat::automatic},
    FormatName{"glove", InputFormat::glove},
    FormatName{"word2vec-text", InputFormat::word2vecText},
    FormatName{"word2vec-binary", InputFormat::word2vecBinary},
    FormatName{"fasttext", InputFormat::fasttext},
};

Result<void> readRows(io::ByteSource& source, const DetectedFormat& format, RowTable& table,
                      const LoadOptions& options, const JobContext& job) {
    switch (format.format) {
        case FileFormat::word2vecBinary:
            return readWord2vecBinary(source, format, table, job);
        case FileFormat::fasttextBinary:
            return readFasttext(source, table, options.threads, job);
        default:
            return readText(source, format, table, options.threads, job);
    }
}

/// Reads the rows into `embedding`, whose name, path and report are filled in.
Result<void> readContent(io::ByteSource& source, const LoadOptions& options,
                         const io::MemoryBudget& budget, const Vocabulary* selection,
                         const JobContext& job, Embedding& embedding) {
    ASSIGN_OR_RETURN(const auto format, detectFormat(source, options.inputFormat));
    embedding.report.format = format.format;
    embedding.report.compression = source.compression();
    const bool text =
        format.format == FileFormat::gloveText || format.format == FileFormat::word2vecText;
    RowTable table({format.dimensions, options.strict, options.limitRows, selection,
                    text ? "line" : "row", options.copies},
                   budget, embedding.report);
    if (auto done = readRows(source, format, table, options, job); !done) {
        return done;
    }
    return table.finish(embedding);
}

Result<Embedding> load(const LoadOptions& options, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto selection,
                     readSelection(options.vocabularyPath, job.stop, options.memoryLimit));
    const io::MemoryBudget budget(options.memoryLimit);
    ASSIGN_OR_RETURN(auto source, io::ByteSource::open(options.path, job.stop, budget));
    Embedding embedding;
    embedding.path = options.path;
    embedding.name = options.path == "-" ? "standard input"
                                         : std::filesystem::path(options.path).filename().string();
    RETURN_IF_ERROR(
        readContent(*source, options, budget, selection ? &*selection : nullptr, job, embedding));
    ASSIGN_OR_RETURN(auto digest, (source)->finish());
    embedding.report.sha256 = std::move(digest);
    embedding.report.fileBytes = (source)->storedBytesRead();
    job.progress(1.0, "Reading the embedding");
    return embedding;
}

}  // namespace

Result<InputFormat> parseInputFormat(std::string_view name) {
    std::string names;
    for (const FormatName& known : kInputFormats) {
        if (known.name == name) {
            return known.format;
        }
        names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("input format \"{}\" is not known; allowed are {}", name, names));
}

std::string_view inputFormatName(InputFormat format) {
    for (const FormatName& known : kInputFormats) {
        if (known.format == format) {
            return known.name;
        }
    }
    return {};
}

Result<Embedding> loadEmbedding(const LoadOptions& options, const JobContext& job) {
    Result<Embedding> loaded = fail(ErrorCode::resourceLimit, "not enough memory for the file");
    try {
        loaded = load(options, job);
    } catch (const std::bad_alloc&) {
        // The failure set above is the result.
    }
    if (!loaded && loaded.error().file.empty()) {
        loaded.error().file = options.path;
    }
    return loaded;
}

}  // namespace epsilens::embedding
