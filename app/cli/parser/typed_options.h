#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/enum_names.h"
#include "core/base/error.h"
#include "core/base/numbers.h"

// The name is that of the library. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {
class App;
}

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

inline constexpr double kLargest = std::numeric_limits<double>::max();
inline constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();

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

/// One of a few names.
///
/// known  must outlive the parser
template <typename Value, std::size_t kCount>
auto oneOf(const EnumNames<Value, kCount>& known) {
    return choice([&known](std::string_view text) { return valueIn(known, text); });
}

/// "laplace, mahalanobis or tem"
[[nodiscard]] std::string alternatives(const std::vector<std::string_view>& names);

/// "text (default), json or csv" of "text, json or csv" and "text". Where a remark in brackets
/// follows the name, "default" leads it: "auto (default; by the ending)" of
/// "auto (; by the ending)".
[[nodiscard]] std::string withDefault(std::string_view names, std::string_view chosen);

/// Values separated by commas, "laplace,tem".
template <typename Parse>
auto commaList(Parse parse) {
    return [parse](std::string_view typed, std::string_view option)
               -> Result<std::vector<typename decltype(parse(typed, option))::value_type>> {
        std::vector<typename decltype(parse(typed, option))::value_type> values;
        while (!typed.empty()) {
            const std::size_t end = std::min(typed.find(','), typed.size());
            ASSIGN_OR_RETURN(auto value, parse(trimmed(typed.substr(0, end)), option));
            values.push_back(std::move(value));
            typed.remove_prefix(std::min(end + 1, typed.size()));
        }
        return values;
    };
}

/// The options of one command, converted to the types of their targets by the parsers of the core.
/// Targets hold the defaults. Values are taken in the order in which the options are added, however
/// they are typed, so that one may build on another. A value that cannot be converted is reported
/// after the whole command line is read, so that a request for help and an unknown option come
/// first.
///
/// Must outlive the parsing, as must the targets.
class TypedOptions {
public:
    /// Takes the values of an option, in the order typed; there is at least one. `option` is the
    /// name for messages, such as "--draws".
    using Take =
        std::function<Result<void>(const std::vector<std::string>& typed, std::string_view option)>;
    using Check = std::function<Result<void>()>;
    using Paths = std::function<std::vector<std::string>()>;

    /// Type of free text, the only value that may be empty.
    static constexpr const char* kText = "TEXT";

    explicit TypedOptions(CLI::App& command) : m_command(command) {}

    /// Name of the command.
    [[nodiscard]] const std::string& command() const;

    /// An option with one value.
    ///
    /// names  such as "-o,--output"; without dashes it is an argument that is known by its place
    /// type   of the value, as the help shows it
    void add(const std::string& names, const char* type, const std::string& meaning, Take take);
    /// An option that may be repeated and takes all values up to the next option.
    void addList(const std::string& names, const char* type, const std::string& meaning, Take take);
    void flag(const std::string& names, bool& target, const std::string& meaning);
    /// The flag that prints the version of the program.
    void version();

    /// meaning  "{}" stands for a default that is a number or a text
    /// parse    gives what is assigned to the target: Result<…>(text, option)
    template <typename Target, typename Parse>
    void value(const std::string& names, const char* type, std::string meaning, Target& target,
               Parse parse) {
        if constexpr (fmt::is_formattable<Target>::value) {
            meaning = fmt::format(fmt::runtime(meaning), target);
        }
        add(names, type, meaning,
            [&target, parse](const auto& typed, std::string_view option) -> Result<void> {
                ASSIGN_OR_RETURN(target, parse(typed.front(), option));
                return {};
            });
    }
    /// The same for an option that may be repeated. Typed values replace those of the target.
    template <typename Target, typename Parse>
    void list(const std::string& names, const char* type, const std::string& meaning,
              std::vector<Target>& target, Parse parse) {
        addList(names, type, meaning,
                [&target, parse](const auto& typed, std::string_view option) -> Result<void> {
                    target.clear();
                    for (const std::string& text : typed) {
                        ASSIGN_OR_RETURN(auto value, parse(text, option));
                        target.push_back(std::move(value));
                    }
                    return {};
                });
    }
    /// A file that is read. No output may overwrite it.
    void input(const std::string& names, const char* type, const std::string& meaning,
               std::string& target);
    /// A file that is written.
    void output(const std::string& names, const std::string& meaning, std::string& target);
    /// A file that is written beside that of an option.
    void writes(const char* option, const std::string& path) {
        m_outputs.push_back({option, &path});
    }
    /// More files that are read; "-" is standard input, and empty paths are no files.
    void reads(Paths paths) { m_inputs.push_back(std::move(paths)); }
    template <typename Target>
    void text(const std::string& names, const std::string& meaning, Target& target) {
        value(names, kText, meaning, target, asTyped);
    }

    void require(const char* option);
    /// The section of the help in which the options that are added from now on stand.
    void section(const char* title);
    /// Keeps an option out of the help.
    void hide(const char* option);
    void describe(const char* option, const std::string& meaning);
    void footer(const std::string& text);
    [[nodiscard]] bool isGiven(const char* option) const;

    /// A check of several options, or a default that depends on them. Runs after all values are
    /// read, in the order added.
    void check(Check check) { m_checks.push_back(std::move(check)); }
    /// Refuses an option that has no effect without another one.
    void needs(const char* option, const char* other);

    /// The first option with an empty value. An unset variable in a script must not look like an
    /// option that was left out.
    [[nodiscard]] std::optional<Error> emptyValue() const;
    /// The first value that was refused, else what the first failed check says, else a conflict of
    /// an output with an input or with another output.
    [[nodiscard]] std::optional<Error> finish() const;

private:
    struct Output {
        std::string option;
        const std::string* path;
    };

    [[nodiscard]] Result<void> checkOutputs() const;

    CLI::App& m_command;
    std::optional<Error> m_problem{};
    std::vector<Check> m_checks{};
    std::vector<Paths> m_inputs{};
    std::vector<Output> m_outputs{};
};

/// "epsilens-cli 0.1.0" of that program
[[nodiscard]] std::string versionText(const std::string& program);

}  // namespace epsilens::cli
