#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/load_any.h"

EPSILENS_FUZZ_TARGET(any_embedding) {
    epsilens::fuzz::loadAny(input, epsilens::embedding::InputFormat::automatic);
}
