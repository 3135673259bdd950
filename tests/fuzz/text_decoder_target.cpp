#include "core/io/text_decoder.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/io/utf8.h"
#include "tests/fuzz/fuzz_target.h"

using epsilens::fuzz::require;
using epsilens::io::InvalidBytes;
using epsilens::io::TextDecoder;

namespace {

/// What comes out, and whether all could be decoded.
struct Decoded {
    std::string text{};
    bool isWhole = false;
};

Decoded decodedInPieces(std::string_view bytes, const epsilens::io::TextDecoding& decoding,
                        std::size_t size) {
    Decoded decoded;
    TextDecoder decoder = TextDecoder::create(decoding).value();
    do {
        const std::string_view piece = bytes.substr(0, size);
        bytes.remove_prefix(piece.size());
        if (const auto step = decoder.decode(piece, bytes.empty(), decoded.text); !step) {
            require(!step.error().message.empty(), "a failure has a sentence");
            return decoded;
        }
    } while (!bytes.empty());
    require(decoder.replaced() <= static_cast<std::int64_t>(decoded.text.size()),
            "what is replaced shows");
    decoded.isWhole = true;
    return decoded;
}

}  // namespace

/// The first byte chooses the encoding, whether damage is replaced, and the size of the pieces.
EPSILENS_FUZZ_TARGET(text_decoder) {
    if (input.empty()) {
        return;
    }
    constexpr const char* kEncodings[] = {"UTF-8",     "UTF-16",      "UTF-32LE", "windows-1252",
                                          "Shift_JIS", "ISO-2022-JP", "GB18030",  "UTF-7"};
    const auto choice = static_cast<unsigned char>(input.front());
    const epsilens::io::TextDecoding decoding{
        kEncodings[choice % 8], choice / 8 % 2 == 0 ? InvalidBytes::refuse : InvalidBytes::replace};
    const std::string_view bytes = input.substr(1);
    const Decoded whole = decodedInPieces(bytes, decoding, bytes.size() + 1);
    const Decoded pieces = decodedInPieces(bytes, decoding, 1U + choice / 16U);
    require(epsilens::io::isValidUtf8(whole.text) && whole.text.find('\0') == std::string::npos,
            "only well-formed UTF-8 without NUL comes out");
    // Only the first piece is looked at for signs of what the bytes are.
    require(!whole.isWhole || !pieces.isWhole || whole.text == pieces.text,
            "pieces make no difference");
}
