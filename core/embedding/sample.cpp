#include <cstddef>
#include <string_view>

#include "core/embedding/load.h"
#include "core/embedding/packed_embedding.h"

// Ends of the data that resources/sample/sample.S puts into the program.
extern "C" {
extern const unsigned char kEpsilensSampleBegin[];
extern const unsigned char kEpsilensSampleEnd[];
extern const unsigned char kEpsilensPoincareSampleBegin[];
extern const unsigned char kEpsilensPoincareSampleEnd[];
}

namespace epsilens::embedding {
namespace {

Result<Embedding> load(const unsigned char* begin, const unsigned char* end,
                       std::string_view name) {
    Result<Embedding> embedding =
        readPackedEmbedding({begin, static_cast<std::size_t>(end - begin)});
    if (embedding) {
        embedding->name = name;
    }
    return embedding;
}

}  // namespace

Result<Embedding> loadSample() {
    return load(kEpsilensSampleBegin, kEpsilensSampleEnd, kSampleName);
}

Result<Embedding> loadPoincareSample() {
    return load(kEpsilensPoincareSampleBegin, kEpsilensPoincareSampleEnd, kPoincareSampleName);
}

}  // namespace epsilens::embedding
