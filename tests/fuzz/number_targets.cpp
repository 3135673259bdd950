#include <cmath>
#include <string>
#include <string_view>

#include "core/base/numbers.h"
#include "core/calibration/limits.h"
#include "core/evaluation/figure_limit.h"
#include "tests/fuzz/fuzz_target.h"

using namespace epsilens;
using fuzz::require;

namespace {

void checkList(std::string_view input, Spacing spacing) {
    const auto values = parseList(input, "--list", spacing);
    if (!values) {
        require(values.error().code == ErrorCode::invalidArgument, "a wrong list is an argument");
        return;
    }
    require(!values->empty() && values->size() <= 10'000, "a list has 1 to 10,000 values");
    for (const double value : *values) {
        require(std::isfinite(value), "values are finite");
        const auto again = parseNumber(formatNumber(value), "value");
        require(again.has_value() && *again == value, "a written number is read as the same");
    }
    if (spacing == Spacing::logarithmic && input.find("..") != std::string_view::npos) {
        for (const double value : *values) {
            require(value > 0.0, "values between positive ends are positive");
        }
    }
}

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
}

}  // namespace

EPSILENS_FUZZ_TARGET(number_list) {
    checkList(input, Spacing::logarithmic);
    checkList(input, Spacing::linear);
    const auto whole = parseInteger(input, "--count", -5, 1'000'000);
    require(!whole || (*whole >= -5 && *whole <= 1'000'000), "whole numbers keep their range");
    if (const auto number = parseNumber(input, "--number")) {
        for (const int digits : {1, 3, 17}) {
            require(parseNumber(formatSignificant(*number, digits), "value").has_value() ||
                        std::abs(*number) > 1e300,
                    "a rounded number is a number");
        }
    }
}

EPSILENS_FUZZ_TARGET(limit) {
    check(input, calibration::parseLimit, calibration::limitText);
    check(input, calibration::parseMatch, calibration::matchText);
    const auto figureText = [](const evaluation::FigureLimit& limit) {
        return evaluation::limitText(limit);
    };
    check(input, evaluation::parseFigureLimit, figureText);
    check(input, evaluation::parseFigureMatch, evaluation::limitText);
}
