#include "core/io/text_encoding.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include <fmt/format.h>
#include <unicode/ucnv.h>
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

/// The encoding that ICU thinks likeliest; empty where it has next to nothing to go by.
std::string likeliestEncoding(std::string_view bytes) {
    constexpr std::int32_t kLeastConfidence = 10;  // of 100
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&status),
                                                                              &ucsdet_close);
    ucsdet_setText(detector.get(), bytes.data(), static_cast<std::int32_t>(bytes.size()), &status);
    const UCharsetMatch* match = ucsdet_detect(detector.get(), &status);
    if (U_FAILURE(status) || match == nullptr ||
        ucsdet_getConfidence(match, &status) < kLeastConfidence) {
        return {};
    }
    const std::string_view found = ucsdet_getName(match, &status);
    if (found.starts_with("UTF-")) {
        return {};  // these are told by their marks
    }
    // The ending tells in which direction lines run, and iconv does not know it.
    return std::string(found == "ISO-8859-8-I" ? "ISO-8859-8"sv : found);
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
