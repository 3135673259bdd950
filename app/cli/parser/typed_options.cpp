#include "app/cli/parser/typed_options.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "core/calibration/provenance.h"
#include "core/io/direct_output.h"

namespace epsilens::cli {
namespace {

/// The name that messages use: "--output" of "-o,--output".
std::string messageName(const std::string& names) {
    return names.substr(names.rfind(',') + 1);
}

CLI::Option& addTo(CLI::App& command, std::optional<Error>& problem, const std::string& names,
                   const char* type, const std::string& meaning, TypedOptions::Take take) {
    const auto callback = [&problem, option = messageName(names),
                           take = std::move(take)](const CLI::results_t& typed) {
        const Result<void> taken = take(typed, option);
        if (!taken && !problem) {
            problem = taken.error();
        }
        return true;
    };
    return *command.add_option(names, CLI::callback_t(callback), meaning)->type_name(type);
}

}  // namespace

void TypedOptions::add(const std::string& names, const char* type, const std::string& meaning,
                       Take take) {
    addTo(m_command, m_problem, names, type, meaning, std::move(take));
}

void TypedOptions::addList(const std::string& names, const char* type, const std::string& meaning,
                           Take take) {
    addTo(m_command, m_problem, names, type, meaning, std::move(take))
        .allow_extra_args()
        ->take_all();
}

void TypedOptions::flag(const std::string& names, bool& target, const std::string& meaning) {
    m_command.add_flag(names, target, meaning);
}

const std::string& TypedOptions::command() const {
    return m_command.get_name();
}

void TypedOptions::version() {
    m_command.set_version_flag("--version", versionText(m_command.get_parent()->get_name()));
}

void TypedOptions::input(const std::string& names, const char* type, const std::string& meaning,
                         std::string& target) {
    value(names, type, meaning, target, asTyped);
    reads([&target] { return std::vector{target}; });
}

void TypedOptions::output(const std::string& names, const std::string& meaning,
                          std::string& target) {
    value(names, "FILE", meaning, target, asTyped);
    m_outputs.push_back({messageName(names), &target});
}

void TypedOptions::require(const char* option) {
    m_command.get_option(option)->required();
}

void TypedOptions::hide(const char* option) {
    m_command.get_option(option)->group("");
}

void TypedOptions::describe(const char* option, const std::string& meaning) {
    m_command.get_option(option)->description(meaning);
}

void TypedOptions::footer(const std::string& text) {
    m_command.footer(text);
}

bool TypedOptions::isGiven(const char* option) const {
    return m_command.count(option) > 0;
}

void TypedOptions::needs(const char* option, const char* other) {
    check([this, option, other]() -> Result<void> {
        if (isGiven(option) && !isGiven(other)) {
            return fail(ErrorCode::invalidArgument, fmt::format("{}: needs {}", option, other));
        }
        return {};
    });
}

std::optional<Error> TypedOptions::emptyValue() const {
    for (const CLI::Option* option : m_command.get_options()) {
        const auto& values = option->results();
        if (option->get_type_name() != kText &&
            std::find(values.begin(), values.end(), "") != values.end()) {
            return invalidArgument(
                fmt::format("{}: the value is empty; see {} {} --help", option->get_name(),
                            m_command.get_parent()->get_name(), m_command.get_name()));
        }
    }
    return std::nullopt;
}

std::optional<Error> TypedOptions::finish() const {
    if (m_problem) {
        return m_problem;
    }
    for (const Check& check : m_checks) {
        if (const Result<void> checked = check(); !checked) {
            return checked.error();
        }
    }
    const Result<void> apart = checkOutputs();
    return apart ? std::nullopt : std::optional(apart.error());
}

Result<void> TypedOptions::checkOutputs() const {
    std::vector<std::string> inputs;
    for (const Paths& paths : m_inputs) {
        const std::vector<std::string> more = paths();
        inputs.insert(inputs.end(), more.begin(), more.end());
    }
    // The first output has the results, and may be standard output.
    for (const auto& [option, path] : m_outputs) {
        const std::string& results = *m_outputs.front().path;
        if (path->empty() && path != &results) {
            continue;
        }
        if (path != &results &&
            (io::isSameFile(results, *path) || (results.empty() && io::isStandardOutput(*path)))) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{}: this file already receives the results; name another file",
                                    option));
        }
        if (const auto apart = io::checkIsNoInput(*path, inputs); !apart) {
            return tl::unexpected(named(option, apart.error()));
        }
    }
    return {};
}

std::string versionText(const std::string& program) {
    return fmt::format("{} {}", program, calibration::programVersion());
}

}  // namespace epsilens::cli
