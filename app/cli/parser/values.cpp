#include "app/cli/parser/values.h"

#include <charconv>
#include <chrono>

namespace epsilens::cli {
namespace {

/// A number of exactly so many digits at the begin of a text, which is taken off; -1: none.
int takeDigits(std::string_view& text, std::size_t digits) {
    int number = 0;
    const std::string_view part = text.substr(0, digits);
    const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (part.size() != digits || status != std::errc{} || end != part.data() + digits ||
        number < 0) {
        return -1;
    }
    text.remove_prefix(digits);
    return number;
}

bool takeHyphen(std::string_view& text) {
    const bool found = text.starts_with('-');
    text.remove_prefix(found ? 1 : 0);
    return found;
}

}  // namespace

Result<std::string> parseDate(std::string_view text, std::string_view option) {
    std::string_view rest = text;
    const int year = takeDigits(rest, 4);
    const bool hasMonth = takeHyphen(rest);
    const int month = takeDigits(rest, 2);
    const bool hasDay = takeHyphen(rest);
    const int day = takeDigits(rest, 2);
    const std::chrono::year_month_day date(std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day)));
    if (year < 0 || month < 0 || day < 0 || !hasMonth || !hasDay || !rest.empty() || !date.ok()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("{}: \"{}\" is not a day of the calendar written as 2026-01-31",
                                option, text));
    }
    return std::string(text);
}

Result<void> checkWithin(const NumberRange& range, double value, std::string_view option,
                         std::string_view hint) {
    if (value >= range.lowest && value <= range.highest) {
        return {};
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("{}: {} {}{}", option, formatNumber(value), range.refusal, hint));
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

}  // namespace epsilens::cli
