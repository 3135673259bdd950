#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/load.h"
#include "core/embedding/prepared_embedding.h"

namespace epsilens::embedding {

/// Opens what the command line and the window call EMBEDDING: "sample" and "sample-poincare" are
/// the built-in ones, anything else is a file. options.path holds the name.
[[nodiscard]] Result<Embedding> openEmbedding(const LoadOptions& options,
                                              const JobContext& job = {});

/// openEmbedding followed by prepareEmbedding, both timed.
[[nodiscard]] Result<EmbeddingHandle> openAndPrepare(const LoadOptions& options,
                                                     const JobContext& job = {});

}  // namespace epsilens::embedding
