#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/numbers.h"

namespace epsilens::cli {

[[nodiscard]] inline tl::unexpected<Error> refused(std::string message) {
    return fail(ErrorCode::invalidArgument, std::move(message));
}

/// Parsers of the value of an option: Result<…>(text, option). `option` leads the message of a
/// failure, which has the code invalidArgument.

/// Any text.
[[nodiscard]] inline Result<std::string> asTyped(std::string_view text,
                                                 std::string_view /*option*/) {
    return std::string(text);
}

/// A day of the calendar as ISO 8601 writes it, such as 2026-01-31.
[[nodiscard]] Result<std::string> parseDate(std::string_view text, std::string_view option);

/// Whole numbers in [lowest, highest].
template <std::integral Number>
auto integer(Number lowest, Number highest) {
    return [=](std::string_view text, std::string_view option) {
        return parseInteger(text, option, static_cast<std::int64_t>(lowest),
                            static_cast<std::int64_t>(highest))
            .map([](std::int64_t value) { return static_cast<Number>(value); });
    };
}

/// Numbers in [lowest, highest].
struct NumberRange {
    double lowest;
    double highest;
    std::string refusal;  ///< of other numbers: "is not above 0"
};

/// hint  ends the message of a number outside the range
[[nodiscard]] Result<void> checkWithin(const NumberRange& range, double value,
                                       std::string_view option, std::string_view hint = {});

inline auto number(const NumberRange& range) {
    return [range](std::string_view text, std::string_view option) {
        return parseNumber(text, option).and_then([&](double value) {
            return checkWithin(range, value, option).map([value] { return value; });
        });
    };
}

/// Any finite number.
[[nodiscard]] inline Result<double> finiteNumber(std::string_view text, std::string_view option) {
    return parseNumber(text, option);
}

/// The error of a core parser, led by the option.
[[nodiscard]] Error named(std::string_view option, const Error& error);

/// What a core parser reads, Result<…>(text), whose message does not name the option.
template <typename Parse>
auto choice(Parse parse) {
    return [parse](std::string_view text, std::string_view option) {
        return parse(text).map_error([&](const Error& error) { return named(option, error); });
    };
}

template <typename Value>
struct NamedValue {
    std::string_view name;
    Value value;
};

/// One of a few names.
///
/// known  must outlive the parser
template <typename Value, std::size_t kCount>
auto oneOf(const std::array<NamedValue<Value>, kCount>& known) {
    return [&known](std::string_view text, std::string_view option) -> Result<Value> {
        std::vector<std::string_view> names;
        for (const auto& [name, value] : known) {
            if (text == name) {
                return value;
            }
            names.push_back(name);
        }
        return fail(ErrorCode::invalidArgument, fmt::format("{}: \"{}\" is not one of {}", option,
                                                            text, fmt::join(names, ", ")));
    };
}

/// "laplace, mahalanobis or tem"
[[nodiscard]] std::string alternatives(const std::vector<std::string_view>& names);

/// "text (default), json or csv" of "text, json or csv" and "text". Where a remark in brackets
/// follows the name, "default" leads it: "auto (default; by the ending)" of
/// "auto (; by the ending)".
[[nodiscard]] std::string withDefault(std::string_view names, std::string_view chosen);

}  // namespace epsilens::cli
