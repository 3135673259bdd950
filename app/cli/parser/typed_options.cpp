#include "app/cli/parser/typed_options.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include <CLI/CLI.hpp>

#include "core/calibration/provenance.h"
#include "core/io/output.h"

namespace epsilens::cli {
namespace {

/// The name that messages use: "--output" of "-o,--output".
std::string messageName(const std::string& names) {
    return names.substr(names.rfind(',') + 1);
}

}  // namespace

Result<std::string> parseDate(std::string_view text, std::string_view option) {
    const std::string date(text);
    std::tm read{};
    const char* const end = strptime(date.c_str(), "%Y-%m-%d", &read);
    const std::chrono::year_month_day day(
        std::chrono::year(read.tm_year + 1900),
        std::chrono::month(static_cast<unsigned>(read.tm_mon) + 1),
        std::chrono::day(static_cast<unsigned>(read.tm_mday)));
    const bool isPlain = date.size() == 10 && date.find(' ') == std::string::npos;
    return end != nullptr && *end == '\0' && isPlain && day.ok()
               ? Result<std::string>(date)
               : refused(fmt::format("{}: \"{}\" is not a day of the calendar written as "
                                     "2026-01-31",
                                     option, text));
}

Result<void> checkWithin(const NumberRange& range, double value, std::string_view option,
                         std::string_view hint) {
    if (value >= range.lowest && value <= range.highest) {
        return {};
    }
    return refused(fmt::format("{}: {} {}{}", option, formatNumber(value), range.refusal, hint));
}

Error named(std::string_view option, const Error& error) {
    return invalidArgument(fmt::format("{}: {}", option, error.message));
}

std::string alternatives(const std::vector<std::string_view>& names) {
    return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string withDefault(std::string_view names, std::string_view chosen) {
    const std::size_t end = names.find(chosen) + chosen.size();
    const bool hasRemark = names.substr(end).starts_with(" (");
    return hasRemark ? fmt::format("{} (default{}", names.substr(0, end), names.substr(end + 2))
                     : fmt::format("{} (default){}", names.substr(0, end), names.substr(end));
}

void TypedOptions::add(const std::string& names, const char* type, const std::string& meaning,
                       Take take) {
    const auto callback = [this, option = messageName(names),
                           take = std::move(take)](const CLI::results_t& typed) {
        const Result<void> taken = take(typed, option);
        if (!taken && !m_problem) {
            m_problem = taken.error();
        }
        return true;
    };
    m_command.add_option(names, CLI::callback_t(callback), meaning)->type_name(type);
}

void TypedOptions::addList(const std::string& names, const char* type, const std::string& meaning,
                           Take take) {
    add(names, type, meaning, std::move(take));
    m_command.get_option(messageName(names))->allow_extra_args()->take_all();
}

void TypedOptions::flag(const std::string& names, bool& target, const std::string& meaning) {
    m_command.add_flag(names, target, meaning);
}

const std::string& TypedOptions::command() const {
    return m_command.get_name();
}

void TypedOptions::version() {
    m_command.set_version_flag("--version", versionText(m_command.get_parent()->get_name()),
                               "show the version and exit");
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

void TypedOptions::section(const char* title) {
    m_command.option_defaults()->group(title);
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
            return refused(fmt::format("{}: needs {}", option, other));
        }
        return {};
    });
}

std::optional<Error> TypedOptions::emptyValue() const {
    for (const CLI::Option* option : m_command.get_options()) {
        const auto& values = option->results();
        if (option->get_type_name() != kText && std::ranges::find(values, "") != values.end()) {
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
            return refused(fmt::format(
                "{}: this file already receives the results; name another file", option));
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
