#include <cmath>
#include <string>
#include <string_view>

#include "core/calibration/limits.h"
#include "core/experiment/figure_limit.h"
#include "tests/fuzz/fuzz_target.h"

using epsilens::fuzz::require;
namespace calibration = epsilens::calibration;
namespace experiment = epsilens::experiment;

namespace {

/// What is read is finite, and read back as it was written.
///
/// read, write  the parser and its inverse
template <typename Read, typename Write>
void check(std::string_view input, const Read& read, const Write& write) {
    const auto limit = read(input);
    if (!limit) {
        require(!limit.error().message.empty(), "a refusal says why");
        return;
    }
    require(std::isfinite(limit->value), "the bound is finite");
    const auto again = read(write(*limit));
    require(again.has_value() && *again == *limit, "a limit is read back as it was written");
    require(!limitSentence(*limit).empty(), "a limit has words");
}

}  // namespace

EPSILENS_FUZZ_TARGET(limit) {
    check(input, calibration::parseLimit, calibration::limitText);
    check(input, calibration::parseMatch, calibration::matchText);
    const auto figureText = [](const experiment::FigureLimit& limit) {
        return experiment::limitText(limit);
    };
    check(input, experiment::parseFigureLimit, figureText);
    check(input, experiment::parseFigureMatch, experiment::limitText);
}
