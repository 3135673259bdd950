#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/io/byte_source.h"
#include "core/io/record_reader.h"
#include "core/io/text_decoder.h"
#include "core/training/is_a_pairs.h"
#include "tests/fuzz/fuzz_target.h"

using epsilens::fuzz::require;
using epsilens::io::ByteSource;
using epsilens::io::RecordFormat;
using epsilens::io::RecordReader;
namespace training = epsilens::training;
using epsilens::io::InvalidBytes;
using epsilens::io::TextDecoder;

namespace {

/// A few bytes may unpack to any number; the reader takes no more of them than its buffers.
constexpr std::size_t kEnoughBytes = std::size_t{4} << 20;

/// Reads in pieces of changing size, with a look ahead before each; true when the end was reached.
bool readThrough(ByteSource& source) {
    std::array<char, 5000> piece{};
    std::size_t total = 0;
    for (std::size_t size = 1; total < kEnoughBytes; size = size * 3 % 4999 + 1) {
        const auto peeked = source.peek(size / 2);
        if (!peeked) {
            return false;
        }
        const std::string ahead(*peeked);
        const auto got = source.read(piece.data(), size);
        if (!got) {
            return false;
        }
        require(*got <= size, "no more is read than asked for");
        require(std::string_view(piece.data(), *got).starts_with(ahead.substr(0, *got)),
                "what was looked at is what is read");
        total += *got;
        if (*got < size) {
            return true;
        }
    }
    return true;
}

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
    require(decoder.replaced() <= std::ssize(decoded.text), "what is replaced shows");
    decoded.isWhole = true;
    return decoded;
}

}  // namespace

EPSILENS_FUZZ_TARGET(archive) {
    const epsilens::fuzz::MemoryFile file(input);
    const auto source = ByteSource::open(file.path());
    if (!source || !readThrough(**source)) {
        return;
    }
    const auto digest = (*source)->finish();
    require(digest.has_value() && digest->size() == 64, "a file that was read has a digest");
    require((*source)->storedBytesRead() == input.size(), "all stored bytes are hashed");
}

/// The first byte chooses format and column, the others are the file.
EPSILENS_FUZZ_TARGET(data_set) {
    if (input.empty()) {
        return;
    }
    const auto choice = static_cast<unsigned char>(input.front());
    constexpr RecordFormat kFormats[] = {RecordFormat::automatic, RecordFormat::lines,
                                         RecordFormat::tsv,       RecordFormat::csv,
                                         RecordFormat::tsvQuoted, RecordFormat::jsonLines};
    const std::string columns[] = {"", "text", "1", "2"};
    const epsilens::fuzz::MemoryFile file(input.substr(1));
    auto reader = RecordReader::open({file.path(), columns[choice / 6 % 4], kFormats[choice % 6]});
    if (!reader) {
        require(reader.error().file == file.path(), "a failure names the file");
        return;
    }
    std::string text;
    std::size_t records = 0;
    while (true) {
        const auto more = reader->next(text);
        if (!more) {
            require(!more.error().message.empty(), "a failure has a sentence");
            return;
        }
        if (!*more) {
            break;
        }
        ++records;
        require(records <= input.size(), "a record takes a byte");
    }
    require(reader->skipped() >= 0, "records are counted");
}

EPSILENS_FUZZ_TARGET(is_a_pairs) {
    const epsilens::fuzz::MemoryFile file(input);
    const auto list =
        training::readIsAPairs({file.path(), input.size() % 5 == 0, std::uint64_t{256} << 20});
    if (!list) {
        require(list.error().file == file.path(), "a failure names the file");
        return;
    }
    std::set<std::pair<training::Row, training::Row>> seen;
    for (const training::IsAPair& pair : list->pairs) {
        require(pair.child != pair.parent, "no node is its own parent");
        require(seen.emplace(pair.child, pair.parent).second, "no pair is there twice");
        for (const training::Row row : {pair.child, pair.parent}) {
            const std::string_view name = list->nodes.word(row);
            require(!name.empty() && name.size() <= training::kLongestName, "names have a length");
            require(epsilens::io::isValidUtf8(name), "names are UTF-8");
            require(name.find_first_of(" \t\n") == std::string_view::npos, "names have no blanks");
        }
    }
}

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
