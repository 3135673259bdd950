#include "tests/faults/mutation.h"

#include <algorithm>
#include <array>

namespace epsilens::test {
namespace {

using namespace std::string_view_literals;

constexpr std::array kNumbers{"0"sv,          "-1"sv,
                              "-0"sv,         "1e400"sv,
                              "1e-400"sv,     "nan"sv,
                              "inf"sv,        "4294967296"sv,
                              "2147483647"sv, "9223372036854775808"sv,
                              "0.1e1"sv,      "1,5"sv,
                              "0x10"sv,       "1.7976931e308"sv,
                              "4.9e-324"sv,   "16777217"sv,
                              "1."sv,         ".5"sv,
                              "+3"sv,         "1 2"sv,
                              "1e99999999"sv, "00"sv,
                              "null"sv,       "true"sv,
                              "\"7\""sv};

constexpr std::array kPieces{"\0"sv,
                             "\n"sv,
                             "\r\n"sv,
                             "\r"sv,
                             "\""sv,
                             "{"sv,
                             "}"sv,
                             "[[[[[[[[[[[[[[[["sv,
                             "]"sv,
                             ","sv,
                             "\t"sv,
                             " "sv,
                             "\\u0000"sv,
                             "\\ud800"sv,
                             "\xff"sv,
                             "\xc3"sv,
                             "\xed\xa0\x80"sv,
                             "\xef\xbb\xbf"sv,
                             "\xff\xfe"sv,
                             "\xe2\x80\xae"sv,
                             "\xe2\x80\xa8"sv,
                             "\x1b[2J"sv,
                             "\x1f\x8b\x08"sv,
                             "PK\x03\x04"sv,
                             "\x93NUMPY\x01\x00"sv,
                             "%PDF-1.7"sv,
                             "\x7f"
                             "ELF"sv,
                             "=1+1"sv,
                             "/dev/zero"sv,
                             "../../"sv,
                             "--"sv,
                             "@"sv};

bool isOfNumber(char c) {
    return (c >= '0' && c <= '9') || c == '.';
}

}  // namespace

std::size_t Mutation::place(const std::string& content) {
    return below(content.size() + 1);
}

std::size_t Mutation::length(const std::string& content, std::size_t from) {
    const std::size_t rest = content.size() - from;
    const std::size_t most = oneIn(4) ? rest : std::min<std::size_t>(rest, 16);
    return most == 0 ? 0 : 1 + below(most);
}

void Mutation::replaceNumber(std::string& content) {
    std::size_t begin = place(content);
    while (begin < content.size() && !isOfNumber(content[begin])) {
        ++begin;
    }
    std::size_t end = begin;
    while (end < content.size() && isOfNumber(content[end])) {
        ++end;
    }
    content.replace(begin, end - begin, kNumbers.at(below(kNumbers.size())));
}

void Mutation::changeOnce(std::string& content, std::string_view other) {
    constexpr std::size_t kKinds = 10;
    const std::size_t from = place(content);
    const std::size_t size = length(content, from);
    switch (below(kKinds)) {
        case 0:
            if (from < content.size()) {
                content[from] = static_cast<char>(content[from] ^ (1 << below(8)));
            }
            break;
        case 1:
            if (from < content.size()) {
                content[from] = static_cast<char>(below(256));
            }
            break;
        case 2:
            content.erase(from, size);
            break;
        case 3:
            content.insert(place(content), content.substr(from, size));
            break;
        case 4: {
            std::string repeated;
            const std::string piece = content.substr(from, size);
            for (std::size_t i = below(200); i > 0 && repeated.size() < 100'000; --i) {
                repeated += piece;
            }
            content.insert(from, repeated);
            break;
        }
        case 5:
            content.insert(from, kPieces.at(below(kPieces.size())));
            break;
        case 6:
            content.replace(from, size, kPieces.at(below(kPieces.size())));
            break;
        case 7:
            content.resize(from);
            break;
        case 8:
            if (!other.empty()) {
                const std::size_t at = below(other.size());
                content.insert(from, other.substr(at, 1 + below(64)));
            }
            break;
        default:
            replaceNumber(content);
            break;
    }
}

std::string Mutation::changed(std::string content, std::string_view other) {
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
        changeOnce(content, other);
    }
    return content;
}

}  // namespace epsilens::test
