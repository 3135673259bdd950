#include "core/io/text_decoder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/ucsdet.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>
#include <unicode/utypes.h>

#include "core/base/enum_names.h"
#include "core/io/byte_source.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kReplacement = "\uFFFD";
constexpr EnumNames<InvalidBytes, 2> kInvalidNames{
    {{"refuse", InvalidBytes::refuse}, {"replace", InvalidBytes::replace}}};

std::string convertedFrom(std::string_view encoding) {
    return fmt::format("convert it first: iconv -f {} -t UTF-8", encoding);
}

/// Whether all the bytes are text of an encoding, up to a character that their end may cut.
bool isConvertible(std::string_view bytes, const std::string& encoding) {
    std::string text;
    return TextDecoder::create({encoding})
        .and_then([&](TextDecoder decoder) { return decoder.decode(bytes, false, text); })
        .has_value();
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
        std::string name(found == "ISO-8859-8-I" ? "ISO-8859-8"sv : found);
        // UTF-16 and UTF-32 are told by their marks.
        if (ucsdet_getConfidence(matches[i], &status) >= kLeastConfidence &&
            !name.starts_with("UTF-") && isConvertible(bytes, name)) {
            return name;
        }
    }
    return {};
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
    const auto controls = std::ranges::count_if(start, isOddControl);
    return start.starts_with("%PDF-"sv) || kBytesPerControl * controls > std::ssize(start);
}

std::string unpackingOf(std::string_view compression) {
    return compression == "zip"
               ? "this is a zip file, as office documents are, not text; save it as plain text, "
                 "or unpack it first: unzip -p"
               : fmt::format("the text is compressed by {0}; unpack it first: {0} -dc",
                             compression);
}

/// What bytes are that are not the text they were taken for, and what helps.
struct ForeignBytes {
    std::string message{};
    bool isText = false;  ///< in another encoding
};

/// Looks at the first bytes of a text for signs of what they are instead. Nothing where there is
/// none.
///
/// encoding  that is expected, by its registered name. Compressed data are found in any; binary
///           data, and UTF-16 and UTF-32 by their marks, only in UTF-8: elsewhere they are no valid
///           text, or not to be told from it
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

/// What to say of bytes that are no UTF-8: the likely encoding and the command that converts from
/// it, or that they are damaged.
///
/// text  such bytes and what is around them
std::string whyNotUtf8(std::string_view text) {
    std::size_t good = 0;  // characters outside of ASCII
    std::size_t bad = 0;   // places that are no UTF-8
    for (std::size_t at = 0; at < text.size();) {
        const Character character = decode(text, at);
        good += character.valid && character.end > at + 1 ? 1 : 0;
        bad += character.valid ? 0 : 1;
        at = character.end;
    }
    if (good > bad) {
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

}  // namespace

Character decode(std::string_view text, std::size_t begin) {
    constexpr std::size_t kLongestCharacter = 4;
    const std::string_view bytes = text.substr(begin, kLongestCharacter);
    std::int32_t size = 0;
    UChar32 codePoint = 0;
    // The macro of ICU narrows int to uint8_t inside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    U8_NEXT(bytes.data(), size, static_cast<std::int32_t>(bytes.size()), codePoint);
#pragma GCC diagnostic pop
    return {static_cast<char32_t>(std::max(codePoint, 0)), begin + static_cast<std::size_t>(size),
            codePoint >= 0};
}

bool isValidUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Character character = decode(text, at);
        if (!character.valid) {
            return false;
        }
        at = character.end;
    }
    return true;
}

bool hasControlCharacter(std::string_view text) {
    return std::ranges::any_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t') || c == '\x7f';
    });
}

Result<std::string> encodingName(std::string_view typed) {
    const std::string name(typed);
    UErrorCode status = U_ZERO_ERROR;
    if (ucnv_countAliases(name.c_str(), &status) == 0) {
        return refuse(
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

Result<InvalidBytes> parseInvalidBytes(std::string_view name) {
    return valueIn(kInvalidNames, name);
}

std::string_view invalidBytesName(InvalidBytes invalid) {
    return nameIn(kInvalidNames, invalid);
}

Result<TextDecoder> TextDecoder::create(const TextDecoding& decoding) {
    ASSIGN_OR_RETURN(std::string name, encodingName(decoding.encoding));
    TextDecoder decoder({std::move(name), decoding.invalid});
    UErrorCode status = U_ZERO_ERROR;
    decoder.m_converter = {ucnv_open(decoder.m_decoding.encoding.c_str(), &status), &ucnv_close};
    ucnv_setToUCallBack(decoder.m_converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr,
                        nullptr, &status);
    if (U_FAILURE(status)) {
        return refuse(fmt::format("the encoding {} is not installed: {}", decoding.encoding,
                                  u_errorName(status)));
    }
    decoder.m_mayBeMark = decoder.m_decoding.encoding != kUtf8;
    return decoder;
}

Result<void> TextDecoder::decode(std::string_view bytes, bool isLast, std::string& text) {
    if (m_isStart && !bytes.empty()) {
        m_isStart = false;
        if (auto foreign = foreignBytes(bytes, m_decoding.encoding)) {
            m_mayBeText = foreign->isText;
            return fail(ErrorCode::badFile, std::move(foreign->message));
        }
    }
    constexpr std::size_t kUnits = 4096;
    const char* from = bytes.data();
    UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
    while (U_FAILURE(status)) {
        status = U_ZERO_ERROR;
        const std::size_t before = m_units.size();
        m_units.resize(before + kUnits);
        char16_t* to = m_units.data() + before;
        ucnv_toUnicode(m_converter.get(), &to, to + kUnits, &from, bytes.data() + bytes.size(),
                       nullptr, static_cast<UBool>(isLast), &status);
        m_units.resize(static_cast<std::size_t>(to - m_units.data()));
        if (status == U_MEMORY_ALLOCATION_ERROR) {
            throw std::bad_alloc();
        }
        RETURN_IF_ERROR(appendUnits(bytes, text));
        if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR) {
            RETURN_IF_ERROR(replaceOrFail(false, bytes, text));
        }
    }
    if (isLast && !m_units.empty()) {
        m_units.clear();
        return replaceOrFail(false, bytes, text);
    }
    return {};
}

Result<void> TextDecoder::appendUnits(std::string_view near, std::string& text) {
    std::size_t at = 0;
    while (at < m_units.size() && (at + 1 < m_units.size() || !U16_IS_LEAD(m_units[at]))) {
        UChar32 next = 0;
        U16_NEXT(m_units, at, m_units.size(), next);
        const auto codePoint = static_cast<char32_t>(next);
        if (codePoint == 0 || U_IS_SURROGATE(codePoint)) {
            RETURN_IF_ERROR(replaceOrFail(codePoint == 0, near, text));
        } else if (!std::exchange(m_mayBeMark, false) || codePoint != U'\uFEFF') {
            std::array<char, U8_MAX_LENGTH> bytes{};
            std::size_t size = 0;
            // The macro of ICU narrows int to uint8_t inside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
            U8_APPEND_UNSAFE(bytes, size, codePoint);
#pragma GCC diagnostic pop
            text.append(bytes.data(), size);
            m_line += codePoint == U'\n' ? 1 : 0;
        }
    }
    m_units.erase(0, at);
    return {};
}

/// near  what is around the bytes
Result<void> TextDecoder::replaceOrFail(bool isNul, std::string_view near, std::string& text) {
    if (m_decoding.invalid == InvalidBytes::replace) {
        ++m_replaced;
        text += kReplacement;
        return {};
    }
    std::string message =
        m_decoding.encoding != kUtf8
            ? fmt::format(
                  "bytes here are not text in {}; give the encoding of the text, or repair them",
                  m_decoding.encoding)
        : isNul ? "a NUL byte, which no text has; remove it: tr -d '\\0'"
                : whyNotUtf8(near);
    return tl::unexpected(Error{ErrorCode::badFile, std::move(message), {}, m_line});
}

Result<std::string> decodeText(std::string_view bytes, const TextDecoding& decoding) {
    ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::create(decoding));
    std::string text;
    RETURN_IF_ERROR(decoder.decode(bytes, true, text));
    return text;
}

}  // namespace epsilens::io
