#include "core/io/text_encoding.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/ucsdet.h>
#include <unicode/utypes.h>

#include "core/io/byte_source.h"
#include "core/io/utf8.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

std::string convertedFrom(std::string_view encoding) {
    return fmt::format("convert it first: iconv -f {} -t UTF-8", encoding);
}

/// Whether all the bytes are text of an encoding, up to a character that their end may cut.
bool isConvertible(std::string_view bytes, const char* encoding) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(encoding, &status),
                                                                       &ucnv_close);
    std::vector<UChar> units(bytes.size() + 1);
    const char* from = bytes.data();
    UChar* to = units.data();
    ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                        &status);
    ucnv_toUnicode(converter.get(), &to, to + units.size(), &from, bytes.data() + bytes.size(),
                   nullptr, 0, &status);
    return U_SUCCESS(status);
}

/// The likeliest encoding by ICU that the bytes can be converted from; empty where there is none.
std::string likeliestEncoding(std::string_view bytes) {
    constexpr std::int32_t kLeastConfidence = 10;  // of 100: next to nothing to go by
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&status),
                                                                              &ucsdet_close);
    std::int32_t count = 0;
    ucsdet_setText(detector.get(), bytes.data(), static_cast<std::int32_t>(bytes.size()), &status);
    const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &status);
    for (std::int32_t i = 0; U_SUCCESS(status) && i < count; ++i) {
        const std::string_view found = ucsdet_getName(matches[i], &status);
        // The ending tells in which direction lines run, and iconv does not know it.
        const std::string name(found == "ISO-8859-8-I" ? "ISO-8859-8"sv : found);
        // UTF-16 and UTF-32 are told by their marks.
        if (ucsdet_getConfidence(matches[i], &status) >= kLeastConfidence &&
            !name.starts_with("UTF-") && isConvertible(bytes, name.c_str())) {
            return name;
        }
    }
    return {};
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

/// Single controls are damage; where there are many, the bytes are no text.
bool isBinary(std::string_view start) {
    constexpr std::ptrdiff_t kBytesPerControl = 50;
    const auto controls = std::count_if(start.begin(), start.end(), isOddControl);
    return start.starts_with("%PDF-"sv) ||
           kBytesPerControl * controls > static_cast<std::ptrdiff_t>(start.size());
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
    if (start.find("\x1B$") != std::string_view::npos) {
        return ForeignBytes{
            fmt::format(
                "the text switches between sets of characters by escapes, as ISO-2022 does; {}",
                convertedFrom("ISO-2022-JP")),
            true};
    }
    return isBinary(start)
               ? std::optional(ForeignBytes{"this is binary data, not text; give a text file"})
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
    const std::string likeliest = likeliestEncoding(text);
    return likeliest.empty()
               ? fmt::format(
                     "the text is not UTF-8, and its encoding cannot be told; find out what "
                     "it is, and {}",
                     convertedFrom("ENCODING"))
               : fmt::format("the text is not UTF-8, but perhaps {}; {}", likeliest,
                             convertedFrom(likeliest));
}

}  // namespace epsilens::io
