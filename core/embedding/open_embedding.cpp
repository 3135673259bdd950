#include "core/embedding/open_embedding.h"

#include <chrono>
#include <utility>

namespace epsilens::embedding {

Result<Embedding> openEmbedding(const LoadOptions& options, const JobContext& job) {
    if (options.path == kSampleName) {
        return loadSample();
    }
    return options.path == kPoincareSampleName ? loadPoincareSample() : loadEmbedding(options, job);
}

Result<EmbeddingHandle> openAndPrepare(const LoadOptions& options, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    auto embedding = openEmbedding(options, job);
    if (!embedding) {
        return tl::unexpected(embedding.error());
    }
    const double loadSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return prepareEmbedding(std::move(*embedding), options.threads, job, loadSeconds);
}

}  // namespace epsilens::embedding
