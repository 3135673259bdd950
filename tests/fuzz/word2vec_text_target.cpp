#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/load_any.h"

EPSILENS_FUZZ_TARGET(word2vec_text) {
    epsilens::fuzz::loadAny(input, epsilens::embedding::InputFormat::word2vecText);
}
