#include "app/cli/parser/values.h"

namespace epsilens::cli {

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
