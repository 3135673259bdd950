#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/parser/values.h"
#include "core/base/error.h"
#include "core/base/pass_on.h"

// The name is that of the library. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {
class App;
}

namespace epsilens::cli {

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
