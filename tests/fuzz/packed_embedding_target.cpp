#include "core/embedding/packed_embedding.h"

#include "tests/fuzz/fuzz_target.h"

using epsilens::fuzz::require;

EPSILENS_FUZZ_TARGET(packed_embedding) {
    const auto packed = epsilens::embedding::readPackedEmbedding(
        {reinterpret_cast<const unsigned char*>(input.data()), input.size()});
    if (packed) {
        require(packed->vocabulary.size() == packed->vectors.rows(), "every word has a vector");
        require(packed->vectors.allFinite(), "values are finite");
    }
}
