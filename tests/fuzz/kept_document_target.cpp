#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/kept_files.h"

EPSILENS_FUZZ_TARGET(kept_document) {
    epsilens::fuzz::checkKeptDocument(input);
}
