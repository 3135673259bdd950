#pragma once

#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/embedding.h"
#include "core/embedding/pca_basis.h"

namespace epsilens::embedding {

/// Bit-identical rows: search uses only the lowest row of each class.
struct DuplicateClasses {
    std::vector<Row> representative{};  ///< V entries: lowest row with the same bits as this one
    std::vector<Row> distinctRows{};    ///< rows that represent themselves, rising
    std::int64_t classes = 0;           ///< classes with at least two rows
    std::int64_t extraRows = 0;         ///< V minus distinct rows
};

/// Rows with a norm above 20 times the median. They are few in vectors that were trained; one may
/// stand for a missing decimal point.
struct OutlyingNorms {
    double median = 0.0;      ///< of the norms above 0
    std::vector<Row> rows{};  ///< rising in norm, equal ones in the order of the rows
};

[[nodiscard]] OutlyingNorms outlyingNorms(const VectorD& squaredNorms);

/// An embedding with what every mechanism needs of it. Immutable and shared between threads.
struct PreparedEmbedding {
    Embedding embedding{};
    DuplicateClasses duplicates{};
    PcaBasis basis{};
    VectorD squaredNorms{};  ///< V, in float64
    OutlyingNorms outlying{};
    double loadSeconds = 0.0;     ///< taken by opening, 0 for vectors made in memory
    double prepareSeconds = 0.0;  ///< taken by prepareEmbedding

    [[nodiscard]] const Vocabulary& vocabulary() const { return embedding.vocabulary; }
    [[nodiscard]] const RowMatrixF& vectors() const { return embedding.vectors; }
    [[nodiscard]] Row wordCount() const { return embedding.wordCount(); }
    [[nodiscard]] Eigen::Index dimensions() const { return embedding.dimensions(); }
};

using EmbeddingHandle = std::shared_ptr<const PreparedEmbedding>;

/// Finds duplicates and the PCA basis. Fails with badFile when the longest vector is neither zero
/// nor of a length within 1e-12 to 1e18, outside of which a search in float32 is not exact; and
/// with cancelled.
///
/// loadSeconds  what opening took, kept with the result
[[nodiscard]] Result<EmbeddingHandle> prepareEmbedding(Embedding embedding, int threads = 0,
                                                       const JobContext& job = {},
                                                       double loadSeconds = 0.0);

}  // namespace epsilens::embedding
