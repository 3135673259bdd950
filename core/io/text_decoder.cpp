#include "core/io/text_decoder.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/utf8.h>
#include <unicode/utypes.h>

#include "core/base/pass_on.h"
#include "core/io/utf8.h"

namespace epsilens::io {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";
constexpr char32_t kByteOrderMark = U'\uFEFF';

bool isHighSurrogate(char16_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

bool isLowSurrogate(char16_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

}  // namespace

Result<InvalidBytes> parseInvalidBytes(std::string_view name) {
    for (const InvalidBytes invalid : {InvalidBytes::refuse, InvalidBytes::replace}) {
        if (name == invalidBytesName(invalid)) {
            return invalid;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("\"{}\" is not one of refuse, replace", name));
}

std::string_view invalidBytesName(InvalidBytes invalid) {
    return invalid == InvalidBytes::refuse ? "refuse" : "replace";
}

void TextDecoder::CloseConverter::operator()(UConverter* converter) const {
    ucnv_close(converter);
}

Result<TextDecoder> TextDecoder::create(const TextDecoding& decoding) {
    ASSIGN_OR_RETURN(std::string name, encodingName(decoding.encoding));
    TextDecoder decoder({std::move(name), decoding.invalid});
    if (decoder.m_decoding.encoding != kUtf8) {
        UErrorCode status = U_ZERO_ERROR;
        decoder.m_converter.reset(ucnv_open(decoding.encoding.c_str(), &status));
        ucnv_setToUCallBack(decoder.m_converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr,
                            nullptr, &status);
        if (U_FAILURE(status)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("the encoding {} is not installed: {}", decoding.encoding,
                                    u_errorName(status)));
        }
    }
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
    return m_converter ? convert(bytes, isLast, text) : checkUtf8(bytes, isLast, text);
}

Result<void> TextDecoder::checkUtf8(std::string_view bytes, bool isLast, std::string& text) {
    const std::string joined = m_held.empty() ? std::string() : m_held.append(bytes);
    const std::string_view all = joined.empty() ? bytes : joined;
    std::size_t begin = 0;
    std::size_t at = 0;
    while (at < all.size()) {
        const Utf8Step step = firstCharacter(all.substr(at));
        if (step.isCut && !isLast) {
            break;
        }
        if (!step.isValid || all[at] == '\0') {
            append(all.substr(begin, at - begin), text);
            RETURN_IF_ERROR(replaceOrFail(all, text));
            begin = at + step.bytes;
        }
        at += step.bytes;
    }
    append(all.substr(begin, at - begin), text);
    m_held = all.substr(at);
    return {};
}

Result<void> TextDecoder::convert(std::string_view bytes, bool isLast, std::string& text) {
    std::array<char16_t, 4096> units{};
    const char* from = bytes.data();
    const char* const end = from + bytes.size();
    while (true) {
        UErrorCode status = U_ZERO_ERROR;
        char16_t* to = units.data();
        ucnv_toUnicode(m_converter.get(), &to, to + units.size(), &from, end, nullptr,
                       static_cast<UBool>(isLast), &status);
        for (const char16_t* unit = units.data(); unit != to; ++unit) {
            RETURN_IF_ERROR(appendUnit(*unit, text));
        }
        if (status == U_MEMORY_ALLOCATION_ERROR) {
            throw std::bad_alloc();
        }
        if (U_SUCCESS(status)) {
            break;
        }
        if (status != U_BUFFER_OVERFLOW_ERROR) {
            RETURN_IF_ERROR(replaceOrFail({}, text));
        }
    }
    return isLast && std::exchange(m_highSurrogate, 0) != 0 ? replaceOrFail({}, text)
                                                            : Result<void>();
}

Result<void> TextDecoder::appendUnit(char16_t unit, std::string& text) {
    const char16_t high = std::exchange(m_highSurrogate, 0);
    if (high != 0 && isLowSurrogate(unit)) {
        constexpr char32_t kFirst = 0x10000;
        appendCharacter(kFirst + ((high - 0xD800U) << 10U) + (unit - 0xDC00U), text);
        return {};
    }
    if (high != 0) {
        RETURN_IF_ERROR(replaceOrFail({}, text));
    }
    if (isHighSurrogate(unit)) {
        m_highSurrogate = unit;
        return {};
    }
    if (isLowSurrogate(unit) || unit == 0) {
        return replaceOrFail({}, text);
    }
    appendCharacter(unit, text);
    return {};
}

void TextDecoder::appendCharacter(char32_t codePoint, std::string& text) {
    // A mark that some encodings begin with belongs to them and not to the text.
    if (std::exchange(m_mayBeMark, false) && codePoint == kByteOrderMark) {
        return;
    }
    std::array<char, U8_MAX_LENGTH> bytes{};
    std::size_t size = 0;
    // The macro of ICU narrows int to uint8_t inside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    U8_APPEND_UNSAFE(bytes, size, codePoint);
#pragma GCC diagnostic pop
    append({bytes.data(), size}, text);
}

/// near  what is around the bytes, in UTF-8
Result<void> TextDecoder::replaceOrFail(std::string_view near, std::string& text) {
    if (m_decoding.invalid == InvalidBytes::replace) {
        ++m_replaced;
        text += kReplacement;
        return {};
    }
    std::string message =
        m_converter
            ? fmt::format(
                  "bytes here are not text in {}; give the encoding of the text, or repair them",
                  m_decoding.encoding)
            : whyNotUtf8(near);
    return tl::unexpected(Error{ErrorCode::badFile, std::move(message), {}, m_line});
}

void TextDecoder::append(std::string_view characters, std::string& text) {
    m_line += std::count(characters.begin(), characters.end(), '\n');
    text += characters;
}

Result<std::string> decodeText(std::string_view bytes, const TextDecoding& decoding) {
    ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::create(decoding));
    std::string text;
    RETURN_IF_ERROR(decoder.decode(bytes, true, text));
    return text;
}

}  // namespace epsilens::io
