#include "core/embedding/open_embedding.h"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/embedding/word_list.h"

namespace epsilens::embedding {
namespace {

/// Of the time from opening a file to its principal axes, roughly.
constexpr double kReadingShare = 0.6;

/// The rows of a built-in embedding that the options ask for, as loadEmbedding keeps them.
Result<Embedding> keepAsked(Embedding whole, const LoadOptions& options, const JobContext& job) {
    const bool isCut = options.limitRows > 0 && options.limitRows < whole.wordCount();
    if (!isCut && options.vocabularyPath.empty()) {
        return whole;
    }
    ASSIGN_OR_RETURN(const auto selection,
                     readSelection(options.vocabularyPath, job.stop, options.memoryLimit));
    const std::optional<Vocabulary>& asked = selection;
    Embedding kept;
    kept.name = std::move(whole.name);
    kept.report = std::move(whole.report);
    const auto rows = isCut ? static_cast<Row>(options.limitRows) : whole.wordCount();
    RowMatrixF vectors(rows, whole.dimensions());
    for (Row row = 0; row < rows; ++row) {
        const std::string_view word = whole.vocabulary.word(row);
        if (!asked || asked->find(word)) {
            vectors.row(kept.vocabulary.size()) = whole.vectors.row(row);
            kept.vocabulary.add(word);
        }
    }
    if (kept.vocabulary.size() == 0) {
        return fail(ErrorCode::badFile, "none of the words asked for is in the file");
    }
    kept.vectors = vectors.topRows(kept.vocabulary.size());
    if (isCut) {
        kept.report.limitedTo = options.limitRows;
    }
    if (asked) {
        kept.report.vocabulary =
            LoadReport::Selection{kept.vocabulary.size(), asked->size() - kept.vocabulary.size()};
    }
    return kept;
}

}  // namespace

Result<Embedding> openEmbedding(const LoadOptions& options, const JobContext& job) {
    if (!isBuiltIn(options.path)) {
        return loadEmbedding(options, job);
    }
    auto whole = options.path == kSampleName ? loadSample() : loadPoincareSample();
    return whole ? keepAsked(std::move(*whole), options, job) : whole;
}

Result<EmbeddingHandle> openAndPrepare(const LoadOptions& options, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto embedding, openEmbedding(options, partOf(job, 0.0, kReadingShare)));
    const double loadSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return prepareEmbedding(std::move(embedding), options.threads, partOf(job, kReadingShare, 1.0),
                            loadSeconds);
}

}  // namespace epsilens::embedding
