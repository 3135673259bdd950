#include <cstddef>
#include <span>

#include "core/embedding/load.h"
#include "core/embedding/packed_embedding.h"

// Ends of the data that resources/sample/sample.S puts into the program.
extern "C" {
extern const unsigned char kEpsilensSampleBegin[];
extern const unsigned char kEpsilensSampleEnd[];
}

namespace epsilens::embedding {

Result<Embedding> loadSample() {
    const auto size = static_cast<std::size_t>(kEpsilensSampleEnd - kEpsilensSampleBegin);
    Result<Embedding> embedding = readPackedEmbedding({kEpsilensSampleBegin, size});
    if (embedding) {
        embedding->name = "sample";
    }
    return embedding;
}

}  // namespace epsilens::embedding
