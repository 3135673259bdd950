#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/kept_files.h"

EPSILENS_FUZZ_TARGET(calibration) {
    epsilens::fuzz::checkCalibration(input);
}
