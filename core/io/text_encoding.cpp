#include "core/io/text_encoding.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/ucsdet.h>
#include <unicode/utypes.h>

#include "core/io/byte_source.h"
#include "core/io/utf8.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

/// Of 100. Below it ICU has next to nothing to go by.
constexpr std::int32_t kLeastConfidence = 10;
constexpr std::int32_t kSureConfidence = 50;
constexpr std::size_t kMostNamed = 5;

std::string convertedFrom(std::string_view encoding) {
    return fmt::format("convert it first: iconv -f {} -t UTF-8", encoding);
}

/// Whether all the bytes are text of an encoding, up to a character that their end may cut.
bool isConvertible(std::string_view bytes, const char* encoding) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(encoding, &status),
                                                                       &ucnv_close);
    if (U_FAILURE(status)) {
        return false;
    }
    ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                        &status);
    std::array<UChar, 4096> units{};
    const char* from = bytes.data();
    do {
        status = U_ZERO_ERROR;
        UChar* to = units.data();
        ucnv_toUnicode(converter.get(), &to, to + units.size(), &from, bytes.data() + bytes.size(),
                       nullptr, 0, &status);
    } while (status == U_BUFFER_OVERFLOW_ERROR);
    return U_SUCCESS(status);
}

struct Guess {
    std::string name{};
    std::int32_t confidence = 0;  ///< of 100
};

/// Encodings that ICU thinks likely and that the bytes can be converted from, best first.
std::vector<Guess> likelyEncodings(std::string_view bytes) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&status),
                                                                              &ucsdet_close);
    std::int32_t count = 0;
    ucsdet_setText(detector.get(), bytes.data(), static_cast<std::int32_t>(bytes.size()), &status);
    const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &status);
    std::vector<Guess> guesses;
    for (std::int32_t i = 0; U_SUCCESS(status) && i < count; ++i) {
        const std::string_view found = ucsdet_getName(matches[i], &status);
        // The ending tells in which direction lines run, and iconv does not know it.
        const std::string name(found == "ISO-8859-8-I" ? "ISO-8859-8"sv : found);
        const std::int32_t confidence = ucsdet_getConfidence(matches[i], &status);
        const bool isKnown = std::any_of(guesses.begin(), guesses.end(),
                                         [&](const Guess& guess) { return guess.name == name; });
        // UTF-16 and UTF-32 are told by their marks and by zeros.
        if (U_SUCCESS(status) && confidence >= kLeastConfidence && !isKnown &&
            !name.starts_with("UTF-") && isConvertible(bytes, name.c_str())) {
            guesses.push_back({name, confidence});
        }
    }
    return guesses;
}

/// "windows-1251", or all that are possible where the text is too short to tell.
std::string namesOf(const std::vector<Guess>& guesses) {
    if (guesses.front().confidence >= kSureConfidence) {
        return "most likely " + guesses.front().name;
    }
    const std::size_t named = std::min(guesses.size(), kMostNamed);
    std::string names = "perhaps " + guesses.front().name;
    for (std::size_t i = 1; i < named; ++i) {
        names += (i + 1 == named ? " or " : ", ") + guesses[i].name;
    }
    return names;
}

/// How many characters outside of ASCII a text has, and how many places that are no UTF-8.
struct Utf8Balance {
    std::size_t good = 0;
    std::size_t bad = 0;
};

Utf8Balance balanceOf(std::string_view bytes) {
    Utf8Balance balance;
    while (!bytes.empty()) {
        const Utf8Step step = firstCharacter(bytes);
        balance.good += step.isValid && step.bytes > 1 ? 1 : 0;
        balance.bad += step.isValid ? 0 : 1;
        bytes.remove_prefix(step.bytes);
    }
    return balance;
}

/// By the mark of the byte order; empty without one.
std::string_view encodingByMark(std::string_view start) {
    // That of UTF-32LE begins like that of UTF-16LE.
    if (start.starts_with("\xFF\xFE\0\0"sv) || start.starts_with("\0\0\xFE\xFF"sv)) {
        return "UTF-32";
    }
    return start.starts_with("\xFF\xFE"sv) || start.starts_with("\xFE\xFF"sv) ? "UTF-16"
                                                                              : std::string_view();
}

/// Controls that no text has, NUL among them.
bool isOddControl(char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return value < 0x20 && (value < '\b' || value > '\r') && value != 0x1B;
}

/// Different bytes at every `step`-th place.
std::size_t variety(std::string_view bytes, std::size_t first, std::size_t step) {
    std::bitset<256> seen;
    for (std::size_t i = first; i < bytes.size(); i += step) {
        seen.set(static_cast<unsigned char>(bytes[i]));
    }
    return seen.count();
}

/// Share of the numbers of `width` bytes that are letters, marks, digits, spacing and punctuation.
double shareOfText(std::string_view bytes, std::size_t width, bool highFirst) {
    constexpr std::uint32_t kOfText =
        U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK | U_GC_P_MASK | U_GC_Z_MASK;
    const std::size_t characters = bytes.size() / width;
    std::size_t ofText = 0;
    for (std::size_t i = 0; i < characters; ++i) {
        std::uint32_t number = 0;
        for (std::size_t byte = 0; byte < width; ++byte) {
            const std::size_t at = i * width + (highFirst ? byte : width - 1 - byte);
            number = number << 8U | static_cast<unsigned char>(bytes[at]);
        }
        const auto codePoint =
            static_cast<UChar32>(std::min(number, std::uint32_t{UCHAR_MAX_VALUE} + 1));
        const bool isText =
            (U_GET_GC_MASK(codePoint) & kOfText) != 0 || u_isUWhiteSpace(codePoint) != 0;
        ofText += isText ? 1 : 0;
    }
    return static_cast<double>(ofText) / static_cast<double>(characters);
}

/// UTF-16 or UTF-32 without a mark; empty where it is neither.
std::string_view wideEncoding(std::string_view bytes) {
    constexpr double kMostly = 0.9;
    if (bytes.size() < 4) {
        return {};
    }
    if (shareOfText(bytes, 4, true) > kMostly) {
        return "UTF-32BE";
    }
    if (shareOfText(bytes, 4, false) > kMostly) {
        return "UTF-32LE";
    }
    // A text has fewer scripts than characters.
    const std::array varieties{variety(bytes, 0, 2), variety(bytes, 1, 2)};
    const std::size_t highByte = varieties[0] < varieties[1] ? 0 : 1;
    // ASCII with some controls between has not. Kana has, though its bytes are printable too.
    const auto printable = std::count_if(bytes.begin(), bytes.end(),
                                         [](char byte) { return byte >= ' ' && byte <= '~'; });
    if (4 * printable > 3 * static_cast<std::ptrdiff_t>(bytes.size()) &&
        3 * varieties[highByte] > 2 * varieties[1 - highByte]) {
        return {};
    }
    if (shareOfText(bytes, 2, highByte == 0) < kMostly) {
        return {};
    }
    return highByte == 0 ? "UTF-16BE" : "UTF-16LE";
}

/// Single controls are damage; where there are many, the bytes are no text.
bool isBinary(std::string_view start) {
    constexpr std::ptrdiff_t kBytesPerControl = 50;
    const auto controls = std::count_if(start.begin(), start.end(), isOddControl);
    return start.starts_with("%PDF-"sv) ||
           kBytesPerControl * controls > static_cast<std::ptrdiff_t>(start.size());
}

/// ISO-2022, which switches between sets of characters by escapes; empty where it is not.
std::string escapedEncoding(std::string_view start) {
    if (start.find("\x1B$") == std::string_view::npos) {
        return {};
    }
    const std::vector<Guess> guesses = likelyEncodings(start);
    return !guesses.empty() && guesses.front().name.starts_with("ISO-2022") ? guesses.front().name
                                                                            : std::string();
}

std::string unpackingOf(std::string_view compression) {
    return compression == "zip"
               ? "this is a zip file, as office documents are, not text; save it as plain text, "
                 "or unpack it first: unzip -p"
               : fmt::format("the text is compressed by {0}; unpack it first: {0} -dc",
                             compression);
}

}  // namespace

Result<std::string> encodingName(std::string_view typed) {
    const std::string name(typed);
    UErrorCode status = U_ZERO_ERROR;
    if (ucnv_countAliases(name.c_str(), &status) == 0) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("\"{}\" is not a known encoding; known are for example "
                                "UTF-8, UTF-16, windows-1252, ISO-8859-15, GB18030 and Shift_JIS",
                                typed));
    }
    for (const char* standard : {"MIME", "IANA", ""}) {
        status = U_ZERO_ERROR;
        const char* registered = ucnv_getStandardName(name.c_str(), standard, &status);
        if (registered != nullptr && U_SUCCESS(status)) {
            return registered;
        }
    }
    return name;
}

std::optional<ForeignBytes> foreignBytes(std::string_view start, std::string_view encoding) {
    if (const std::string_view compression = compressionOf(start); !compression.empty()) {
        return ForeignBytes{unpackingOf(compression)};
    }
    if (encoding != kUtf8) {
        return std::nullopt;
    }
    if (const std::string_view marked = encodingByMark(start); !marked.empty()) {
        return ForeignBytes{fmt::format("the text is {}, as the mark at its beginning says; {}",
                                        marked, convertedFrom(marked)),
                            true};
    }
    const bool binary = isBinary(start);
    std::string likely = escapedEncoding(start);
    if (likely.empty() && binary) {
        likely = wideEncoding(start);
    }
    if (!likely.empty()) {
        return ForeignBytes{
            fmt::format("the text looks like {}; {}", likely, convertedFrom(likely)), true};
    }
    return binary ? std::optional(ForeignBytes{"this is binary data, not text; give a text file"})
                  : std::nullopt;
}

std::string whyNotUtf8(std::string_view text) {
    const Utf8Balance balance = balanceOf(text);
    if (balance.bad == 0) {
        return "a NUL byte, which no text has; remove it: tr -d '\\0'";
    }
    if (balance.good > balance.bad) {
        return "bytes here are damaged: they are not UTF-8, though the text around them is; repair "
               "them, or leave them out: iconv -c -f UTF-8 -t UTF-8";
    }
    const std::vector<Guess> guesses = likelyEncodings(text);
    if (guesses.empty()) {
        return fmt::format(
            "the text is not UTF-8, and its encoding cannot be told; find out what it is, and {}",
            convertedFrom("ENCODING"));
    }
    return fmt::format("the text is not UTF-8, but {}; {}", namesOf(guesses),
                       convertedFrom(guesses.front().name));
}

}  // namespace epsilens::io
