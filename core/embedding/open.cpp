#include "core/embedding/load.h"

namespace epsilens::embedding {

Result<Embedding> openEmbedding(const LoadOptions& options, const JobContext& job) {
    return options.path == "sample" ? loadSample() : loadEmbedding(options, job);
}

}  // namespace epsilens::embedding
