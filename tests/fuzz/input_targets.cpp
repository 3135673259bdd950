#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/calibration/limits.h"
#include "core/evaluation/figure_limit.h"
#include "core/io/byte_source.h"
#include "core/io/record_reader.h"
#include "core/io/text_decoder.h"
#include "core/text/characters.h"
#include "core/text/tokenised_text.h"
#include "core/text/tokeniser.h"
#include "core/training/is_a_pairs.h"
#include "tests/fuzz/fuzz_target.h"

using namespace epsilens;
using epsilens::fuzz::require;
using epsilens::io::ByteSource;
using epsilens::io::RecordFormat;
using epsilens::io::RecordReader;
using fuzz::require;

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

namespace {

void checkList(std::string_view input, Spacing spacing) {
    const auto values = parseList(input, "--list", spacing);
    if (!values) {
        require(values.error().code == ErrorCode::invalidArgument, "a wrong list is an argument");
        return;
    }
    require(!values->empty() && values->size() <= 10'000, "a list has 1 to 10,000 values");
    for (const double value : *values) {
        require(std::isfinite(value), "values are finite");
        const auto again = parseNumber(formatNumber(value), "value");
        require(again.has_value() && *again == value, "a written number is read as the same");
    }
    if (spacing == Spacing::logarithmic && input.find("..") != std::string_view::npos) {
        for (const double value : *values) {
            require(value > 0.0, "values between positive ends are positive");
        }
    }
}

/// What is read is finite, and read back as it was written.
///
/// read, write  the parser and its inverse
template <typename Read, typename Write>
void check(std::string_view input, const Read& read, const Write& write) {
    const auto limit = read(input);
    if (!limit) {
        require(!limit.error().message.empty(), "a refusal says why");
        return;
    }
    require(std::isfinite(limit->value), "the bound is finite");
    const auto again = read(write(*limit));
    require(again.has_value() && *again == *limit, "a limit is read back as it was written");
}

}  // namespace

EPSILENS_FUZZ_TARGET(number_list) {
    checkList(input, Spacing::logarithmic);
    checkList(input, Spacing::linear);
    const auto whole = parseInteger(input, "--count", -5, 1'000'000);
    require(!whole || (*whole >= -5 && *whole <= 1'000'000), "whole numbers keep their range");
    if (const auto number = parseNumber(input, "--number")) {
        for (const int digits : {1, 3, 17}) {
            require(parseNumber(formatSignificant(*number, digits), "value").has_value() ||
                        std::abs(*number) > 1e300,
                    "a rounded number is a number");
        }
    }
}

EPSILENS_FUZZ_TARGET(limit) {
    check(input, calibration::parseLimit, calibration::limitText);
    check(input, calibration::parseMatch, calibration::matchText);
    const auto figureText = [](const evaluation::FigureLimit& limit) {
        return evaluation::limitText(limit);
    };
    check(input, evaluation::parseFigureLimit, figureText);
    check(input, evaluation::parseFigureMatch, evaluation::limitText);
}

namespace {

embedding::Vocabulary someWords() {
    embedding::Vocabulary words;
    for (const char* word :
         {"the", "quick", "brown", "don't", "well", "known", "well-known", "u.s.", "a.b9.", "a-b9",
          "x.com", "#tag", "3.14", "été", "東京", "<unk>", "+"}) {
        words.add(word);
    }
    return words;
}

bool holdsLetterDigitOrSymbol(std::string_view gap) {
    return std::ranges::any_of(gap, [](char byte) {
        return isAsciiLetter(byte) || isAsciiDigit(byte) ||
               std::string_view("$+<=>^`|~").find(byte) != std::string_view::npos;
    });
}

void checkTokens(std::string_view input, const std::vector<text::Token>& tokens) {
    std::size_t end = 0;
    for (const text::Token& token : tokens) {
        require(token.range.begin >= end && token.range.end > token.range.begin &&
                    token.range.end <= input.size(),
                "tokens are in order, not empty, within the text");
        require(!holdsLetterDigitOrSymbol(input.substr(end, token.range.begin - end)),
                "no letter, digit or symbol lies between tokens");
        require(io::isValidUtf8(token.range.of(input)), "a token is valid UTF-8");
        for (const text::Token& part : text::partsOf(input, token)) {
            require(part.range.begin >= token.range.begin && part.range.end <= token.range.end,
                    "parts lie within their token");
        }
        end = token.range.end;
    }
    require(!holdsLetterDigitOrSymbol(input.substr(end)),
            "no letter, digit or symbol follows the last token");
}

/// What the rules of the tokeniser are about, and broken characters, as the bytes choose.
std::string piecesChosenBy(std::string_view bytes) {
    using namespace std::string_view_literals;
    static constexpr std::array kPieces{
        "a"sv,      "B9"sv,     "."sv,          "-"sv,    "@"sv,    "#"sv,        "/"sv,
        "://"sv,    "www."sv,   "_"sv,          "'"sv,    "’"sv,    " "sv,        "\n"sv,
        "("sv,      ")"sv,      "\xff"sv,       "\xe2"sv, "\x80"sv, "\xf0\x9f"sv, "\u0301"sv,
        "\u00AD"sv, "\u200D"sv, "\U0001F600"sv, "東"sv,   "ก"sv,    "ש"sv,        "ä"sv,
        "½"sv,      "12"sv,     "\u2010"sv,     "com"sv,  "+"sv,    "=="sv,       "€"sv,
        "<"sv,      "\u0338"sv, "\U0001F3FD"sv, "\0"sv};
    std::string text;
    for (const char byte : bytes) {
        text += kPieces.at(static_cast<unsigned char>(byte) % kPieces.size());
    }
    return text;
}

/// All words replaced by the first of the vocabulary and by themselves.
void checkRendering(const text::TokenisedText& text, const embedding::Vocabulary& vocabulary) {
    std::vector<std::string_view> spellings;
    std::vector<embedding::Row> rows;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        spellings.push_back(text.spelling(i));
        rows.push_back(i % 2 == 0 ? text::kAsTyped : text.words[i].row.value_or(text::kAsTyped));
    }
    require(text::render(text, spellings).text == text.text &&
                text::renderRows(text, vocabulary, rows).text == text.text,
            "a text without replaced words is the same");
    const std::vector<embedding::Row> first(text.words.size(), 0);
    const auto rendered = text::renderRows(text, vocabulary, first);
    require(rendered.words.size() == text.words.size(), "every word has its place");
    for (const text::TextRange& range : rendered.words) {
        require(range.begin <= range.end && range.end <= rendered.text.size(),
                "places lie within the text");
    }
}

}  // namespace

EPSILENS_FUZZ_TARGET(tokeniser) {
    static const embedding::Vocabulary vocabulary = someWords();
    static const text::Lookup lookup(vocabulary, text::CasePolicy::lower);
    static text::Tokeniser tokeniser;
    for (const std::string& source : {std::string(input), piecesChosenBy(input)}) {
        checkTokens(source, tokeniser.tokenise(source));
        auto text = text::tokeniseText(source, tokeniser, lookup);
        checkRendering(text, vocabulary);
        text::joinPhrase(text, "<unk>");
        checkRendering(text, vocabulary);
    }
}
