#include <cmath>

#include "core/calibration/limits.h"
#include "tests/fuzz/fuzz_target.h"

using epsilens::fuzz::require;
namespace calibration = epsilens::calibration;

EPSILENS_FUZZ_TARGET(limit) {
    const auto limit = calibration::parseLimit(input);
    if (!limit) {
        require(!limit.error().message.empty(), "a refusal says why");
        return;
    }
    require(std::isfinite(limit->value), "the bound is finite");
    const auto again = calibration::parseLimit(calibration::limitText(*limit));
    require(again.has_value() && *again == *limit, "a limit is read back as it was written");
    require(!calibration::limitSentence(*limit).empty(), "a limit has words");
}
