#include "core/io/csv.h"

#include <cmath>

#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include "core/base/numbers.h"

namespace epsilens::io {

std::string quotedField(std::string_view text) {
    return '"' + boost::replace_all_copy(std::string(text), "\"", "\"\"") + '"';
}

std::string csvField(std::string_view text) {
    return text.find_first_of(",\"\r\n") == std::string_view::npos ? std::string(text)
                                                                   : quotedField(text);
}

bool isFormula(std::string_view text) {
    constexpr std::string_view kStartsOfFormulas = "=+-@\t\r";
    return !text.empty() && kStartsOfFormulas.find(text.front()) != std::string_view::npos;
}

std::string csvWord(std::string_view text) {
    return isFormula(text) ? csvField("'" + std::string(text)) : csvField(text);
}

std::string csvNumber(double value) {
    return std::isfinite(value) ? formatNumber(value) : std::string();
}

std::string csvNumber(const std::optional<double>& value) {
    return value ? csvNumber(*value) : std::string();
}

void appendCsvLine(std::string& text, const std::vector<std::string>& fields) {
    text += fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace epsilens::io
