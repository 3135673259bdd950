#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"

struct UConverter;

namespace epsilens::io {

inline constexpr std::string_view kUtf8 = "UTF-8";
/// That of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// One step through UTF-8 text.
struct Character {
    char32_t codePoint = 0;
    std::size_t end = 0;  ///< first byte after it
    bool valid = true;    ///< false: bytes that are no UTF-8; codePoint is then 0
};

/// The character that begins at a byte < text.size(). Bytes that are no UTF-8 are stepped over as
/// "maximal subparts" (Unicode 15, 3.9), as ICU's iterators do.
[[nodiscard]] Character decode(std::string_view text, std::size_t begin);

/// Whether the text is well-formed UTF-8: no stray or missing bytes, overlong forms or surrogates.
[[nodiscard]] bool isValidUtf8(std::string_view text);

/// Whether the text has a control character of ASCII: below U+0020, or U+007F. A tab is none here,
/// as it separates like a blank.
[[nodiscard]] bool hasControlCharacter(std::string_view text);

/// The name under which an encoding is registered, such as windows-1251 for cp1251. Fails with
/// invalidArgument for a name that ICU does not know.
[[nodiscard]] Result<std::string> encodingName(std::string_view typed);

/// What happens to bytes that are no text.
enum class InvalidBytes {
    refuse,  ///< reading fails
    replace  ///< U+FFFD stands in for each place, and they are counted
};

/// Reads the names of --invalid: refuse, replace. Fails with invalidArgument.
[[nodiscard]] Result<InvalidBytes> parseInvalidBytes(std::string_view name);
/// The name that parseInvalidBytes reads.
[[nodiscard]] std::string_view invalidBytesName(InvalidBytes invalid);

/// How the bytes of a text are read.
struct TextDecoding {
    std::string encoding{kUtf8};  ///< any of its names
    InvalidBytes invalid = InvalidBytes::refuse;
};

/// Turns the bytes of a text, piece by piece, into well-formed UTF-8 without NUL. The same
/// characters come out whatever the pieces are, but for what the first one decides.
class TextDecoder {
public:
    /// So many bytes of a text decide what it is: the first piece should not have fewer, unless
    /// there are no more.
    static constexpr std::size_t kFirstBytes = std::size_t{64} << 10;

    /// Fails with invalidArgument for an encoding that is not known.
    [[nodiscard]] static Result<TextDecoder> create(const TextDecoding& decoding = {});

    /// Appends the characters of a piece to a text; bytes of one that the piece cuts wait for the
    /// next piece.
    ///
    /// isLast  whether the text ends with this piece
    /// Fails with badFile and the line at bytes that are no text, unless they are to be
    /// replaced; what stands before them has then been appended. Compressed and binary data, and
    /// another encoding that announces itself, fail at the first piece in any case.
    [[nodiscard]] Result<void> decode(std::string_view bytes, bool isLast, std::string& text);

    /// The encoding by its registered name.
    [[nodiscard]] const TextDecoding& decoding() const { return m_decoding; }
    /// Whether what failed may be text all the same: in another encoding, or damaged.
    [[nodiscard]] bool mayBeText() const { return m_mayBeText; }
    /// Places so far at which U+FFFD stands for bytes.
    [[nodiscard]] std::int64_t replaced() const { return m_replaced; }

private:
    explicit TextDecoder(TextDecoding decoding) : m_decoding(std::move(decoding)) {}

    /// Appends the characters of m_units, but for half of a pair at the end.
    [[nodiscard]] Result<void> appendUnits(std::string_view near, std::string& text);
    [[nodiscard]] Result<void> replaceOrFail(bool isNul, std::string_view near, std::string& text);

    TextDecoding m_decoding;
    std::unique_ptr<UConverter, void (*)(UConverter*)> m_converter{nullptr, nullptr};
    std::u16string m_units{};  ///< converted, not yet appended
    bool m_isStart = true;
    bool m_mayBeMark = false;  ///< a byte order mark would belong to the encoding
    bool m_mayBeText = true;
    std::int64_t m_line = 1;
    std::int64_t m_replaced = 0;
};

/// Decodes a text that is there as a whole. Fails as TextDecoder.
[[nodiscard]] Result<std::string> decodeText(std::string_view bytes,
                                             const TextDecoding& decoding = {});

}  // namespace epsilens::io
