#include "core/embedding/text_line.h"

#include <array>
#include <cmath>

#include <fast_float/fast_float.h>

#include "core/io/utf8.h"

namespace epsilens::embedding {
namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

std::string_view withoutEnd(std::string_view line) {
    while (!line.empty() && (isBlank(line.back()) || line.back() == '\r')) {
        line.remove_suffix(1);
    }
    return line;
}

/// Reads a decimal number without exponent and with at most seven digits after leading zeros, as
/// most files have; returns its end, or nullptr for all others.
///
/// The digits are below 2^24 and the power of ten is at most 10^10, so both are exact in float32
/// and the one division rounds correctly (Clinger 1990). Twice as fast as the general way.
const char* readShortDecimal(const char* at, const char* end, float& value) {
    constexpr std::array kPowersOfTen{1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                      1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
    const bool negative = at != end && *at == '-';
    at += negative ? 1 : 0;
    const char* const first = at;
    const char* point = nullptr;
    std::uint32_t digits = 0;
    int significant = 0;
    for (; at != end && !isBlank(*at); ++at) {
        const auto digit = static_cast<std::uint32_t>(*at - '0');
        if (digit < 10) {
            digits = 10 * digits + digit;
            significant += digits != 0 ? 1 : 0;
        } else if (*at == '.' && point == nullptr) {
            point = at;
        } else {
            return nullptr;
        }
    }
    const auto decimals = point == nullptr ? 0 : static_cast<std::size_t>(at - point) - 1;
    const bool onlyPoint = at - first == (point == nullptr ? 0 : 1);
    if (onlyPoint || significant > 7 || decimals >= kPowersOfTen.size()) {
        return nullptr;
    }
    const float size = static_cast<float>(digits) / kPowersOfTen[decimals];
    value = negative ? -size : size;
    return at;
}

/// Reads the number that begins at `at`; returns its end, or nullptr if there is none.
const char* readNumber(const char* at, const char* end, float& value) {
    if (const char* const stop = readShortDecimal(at, end, value)) {
        return stop;
    }
    if (at != end && *at == '+') {
        ++at;
        if (at != end && *at == '-') {
            return nullptr;
        }
    }
    const auto [stop, status] = fast_float::from_chars(at, end, value);
    // Beyond the range some versions report an error and some do not; both set the value to
    // infinity.
    const bool read = status == std::errc{} || status == std::errc::result_out_of_range;
    return read && (stop == end || isBlank(*stop)) ? stop : nullptr;
}

bool isNumber(std::string_view token) {
    float value = 0.0F;
    return readNumber(token.data(), token.data() + token.size(), value) ==
           token.data() + token.size();
}

/// Splits the last token off a text that does not end in a blank; `rest` keeps what is before it,
/// without blanks at its end.
std::string_view takeLastToken(std::string_view& rest) {
    std::size_t begin = rest.size();
    while (begin > 0 && !isBlank(rest[begin - 1])) {
        --begin;
    }
    const std::string_view token = rest.substr(begin);
    rest = withoutEnd(rest.substr(0, begin));
    return token;
}

bool allFinite(const float* values, std::int64_t dimensions) {
    for (std::int64_t i = 0; i < dimensions; ++i) {
        if (!std::isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

/// Reads exactly `dimensions` numbers that fill [at, end).
bool readNumbers(const char* at, const char* end, std::int64_t dimensions, float* values) {
    for (std::int64_t i = 0; i < dimensions; ++i) {
        while (at != end && isBlank(*at)) {
            ++at;
        }
        at = readNumber(at, end, values[i]);
        if (at == nullptr) {
            return false;
        }
    }
    return at == end;
}

/// Numbers from the last one backwards, for words of several parts.
ParsedLine parseBackwards(std::string_view line, std::int64_t dimensions, float* values) {
    std::string_view rest = line;
    for (std::int64_t i = dimensions - 1; i >= 0; --i) {
        const std::string_view token = takeLastToken(rest);
        const char* const tokenEnd = token.data() + token.size();
        if (token.empty() || readNumber(token.data(), tokenEnd, values[i]) != tokenEnd ||
            token.data() == line.data()) {
            return {RowStatus::wrongLength, line};
        }
    }
    while (!rest.empty() && isBlank(rest.front())) {
        rest.remove_prefix(1);
    }
    std::string_view before = rest;
    const std::string_view last = takeLastToken(before);
    const bool lastMayBeWord = before.empty() && !isBlank(line.front());
    if (!last.empty() && !lastMayBeWord && isNumber(last)) {
        return {RowStatus::wrongLength, line};
    }
    return {judgeRow(rest, values, dimensions), rest};
}

}  // namespace

RowStatus judgeRow(std::string_view word, const float* values, std::int64_t dimensions) {
    if (word.empty()) {
        return RowStatus::emptyWord;
    }
    if (!io::isValidUtf8(word)) {
        return RowStatus::invalidText;
    }
    if (io::hasControlCharacter(word)) {
        return RowStatus::controlCharacter;
    }
    return allFinite(values, dimensions) ? RowStatus::usable : RowStatus::notFinite;
}

ParsedLine parseLine(std::string_view line, std::int64_t dimensions, float* values) {
    line = withoutEnd(line);
    if (line.empty()) {
        return {};
    }
    std::size_t wordEnd = 0;
    while (wordEnd < line.size() && !isBlank(line[wordEnd])) {
        ++wordEnd;
    }
    if (readNumbers(line.data() + wordEnd, line.data() + line.size(), dimensions, values)) {
        const std::string_view word = line.substr(0, wordEnd);
        return {judgeRow(word, values, dimensions), word};
    }
    return parseBackwards(line, dimensions, values);
}

std::int64_t countNumbers(std::string_view line) {
    std::string_view rest = withoutEnd(line);
    std::int64_t count = 0;
    while (!rest.empty()) {
        const std::string_view token = takeLastToken(rest);
        if (token.data() == line.data() || !isNumber(token)) {
            break;
        }
        ++count;
    }
    return count;
}

}  // namespace epsilens::embedding
