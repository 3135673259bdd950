#include "core/embedding/open_embedding.h"

#include <chrono>
#include <utility>

#include "core/base/job_part.h"

namespace epsilens::embedding {
namespace {

/// Of the time from opening a file to its principal axes, roughly.
constexpr double kReadingShare = 0.6;

}  // namespace

Result<Embedding> openEmbedding(const LoadOptions& options, const JobContext& job) {
    if (options.path == kSampleName) {
        return loadSample();
    }
    return options.path == kPoincareSampleName ? loadPoincareSample() : loadEmbedding(options, job);
}

Result<EmbeddingHandle> openAndPrepare(const LoadOptions& options, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    auto embedding = openEmbedding(options, partOf(job, 0.0, kReadingShare));
    if (!embedding) {
        return tl::unexpected(embedding.error());
    }
    const double loadSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return prepareEmbedding(std::move(*embedding), options.threads, partOf(job, kReadingShare, 1.0),
                            loadSeconds);
}

}  // namespace epsilens::embedding
