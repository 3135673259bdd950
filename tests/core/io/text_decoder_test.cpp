#include "core/io/text_decoder.h"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "tests/support/foreign_texts.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::io;
using Catch::Matchers::Contains;
using std::string_view_literals::operator""sv;

namespace {

Error refusalOf(std::string_view bytes, const TextDecoding& decoding = {}) {
    const auto text = decodeText(bytes, decoding);
    return text ? Error{ErrorCode::internal, "accepted: " + *text} : text.error();
}

/// Decodes bytes that come in pieces of a size.
Result<void> decode(TextDecoder& decoder, std::string_view bytes, std::size_t size,
                    std::string& text) {
    Result<void> decoded;
    do {
        const std::string_view piece = bytes.substr(0, size);
        bytes.remove_prefix(piece.size());
        decoded = decoder.decode(piece, bytes.empty(), text);
    } while (decoded && !bytes.empty());
    return decoded;
}

Result<std::string> inPieces(std::string_view bytes, const TextDecoding& decoding,
                             std::size_t size) {
    TextDecoder decoder = TextDecoder::create(decoding).value();
    std::string text;
    return decode(decoder, bytes, size, text).map([&] { return text; });
}

const TextDecoding kReplacing{std::string(kUtf8), InvalidBytes::replace};

}  // namespace

TEST_CASE("UTF-8 passes as it is, whatever the pieces") {
    using namespace std::string_literals;
    for (const std::string& text :
         {""s, "one\n"s, "\uFEFFone"s, "aé€😀\n\U0010FFFF\u0080\u07FF\u0800\uFFFF"s,
          "\x1B[31mred\x1B[0m\r\n\f\v\b\t"s, std::string(100'000, 'a') + "é"}) {
        CHECK(decodeText(text).value() == text);
        for (std::size_t size = 1; size < 8; ++size) {
            CAPTURE(size);
            CHECK(inPieces(text, {}, size).value() == text);
        }
    }
}

TEST_CASE("Text in another encoding is refused with its name and converted by it") {
    for (const test::ForeignText& text : test::foreignTexts()) {
        CAPTURE(text.encoding, text.utf8);
        const Error error = refusalOf(text.bytes);
        CHECK(error.code == ErrorCode::badFile);
        if (text.isTold) {
            CHECK_THAT(error.message,
                       Contains(" " + text.encoding) &&
                           Contains("; convert it first: iconv -f " + text.encoding + " -t UTF-8"));
        }
        const TextDecoding decoding{text.encoding, InvalidBytes::refuse};
        CHECK(decodeText(text.bytes, decoding).value() == text.utf8);
        for (std::size_t size = 1; size < 8; ++size) {
            CAPTURE(size);
            CHECK(inPieces(text.bytes, decoding, size).value() == text.utf8);
        }
    }
}

TEST_CASE("A mark that a named encoding begins with is no part of the text") {
    CHECK(decodeText("\xFF\xFE"
                     "1\0\n\0"sv,
                     {"UTF-16LE"})
              .value() == "1\n");
    CHECK(decodeText("\x84\x31\x95\x33"
                     "1\n"sv,
                     {"GB18030"})
              .value() == "1\n");
    CHECK(decodeText("\xFF\xFE"
                     "1\0\xFF\xFE"sv,
                     {"UTF-16LE"})
              .value() == "1\uFEFF");
}

TEST_CASE("A text too short to tell its encoding is refused all the same") {
    CHECK_THAT(refusalOf("caf\xE9\n").message, Contains("its encoding cannot be told"));
    CHECK_THAT(refusalOf("caf\xE9").message, Contains("its encoding cannot be told"));
}

TEST_CASE("Compressed and binary data are refused as what they are, also when replacing") {
    for (const auto& [bytes, message] :
         {std::pair("\x1F\x8B\x08\0\0\0\0\0\0\3"sv,
                    "compressed by gzip; unpack it first: gzip -dc"),
          std::pair("\x28\xB5\x2F\xFD\4\0"sv, "compressed by zstd; unpack it first: zstd -dc"),
          std::pair("\xFD"
                    "7zXZ\0\0\4"sv,
                    "compressed by xz; unpack it first: xz -dc"),
          std::pair("BZh91AY&SY\x11\x22"sv, "compressed by bzip2; unpack it first: bzip2 -dc"),
          std::pair("PK\x03\x04\x14\0"sv, "zip file, as office documents are"),
          std::pair("\x89PNG\r\n\x1A\n\0\0\0\rIHDR"sv, "binary data"),
          std::pair("\x7F"
                    "ELF\2\1\1\0\0\0"sv,
                    "binary data"),
          std::pair("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n"sv, "binary data"),
          std::pair("\0"sv, "binary data"), std::pair("\0\0\0\0\0\0\0\0"sv, "binary data"),
          std::pair("the\0cat \0 dog"sv, "binary data")}) {
        CAPTURE(message);
        CHECK_THAT(refusalOf(bytes).message, Contains(message));
        CHECK_THAT(refusalOf(bytes, kReplacing).message, Contains(message));
    }
    // In an encoding in which every byte is a character.
    CHECK_THAT(refusalOf("\x1F\x8B\x08\0"sv, {"ISO-8859-1"}).message, Contains("gzip"));
}

TEST_CASE("Damage is refused with its line, and what stands before it has come out") {
    for (const std::string_view damage :
         {"\xFF"sv, "\x80"sv, "\xC3"sv, "\xE2\x82"sv, "\xF0\x9F\x98"sv, "\xED\xA0\x80"sv,
          "\xC0\xAF"sv, "\xF4\x90\x80\x80"sv, "\xF8\x88\x80\x80\x80"sv}) {
        for (const std::string_view behind : {""sv, "x"sv, "\n"sv}) {
            for (std::size_t size = 1; size < 7; ++size) {
                const std::string text = "grüße\nnaïve\nca";
                TextDecoder decoder = TextDecoder::create().value();
                std::string out;
                const auto decoded =
                    decode(decoder, text + std::string(damage) + std::string(behind), size, out);
                CAPTURE(damage, behind, size);
                REQUIRE(!decoded);
                CHECK(decoded.error().code == ErrorCode::badFile);
                CHECK(decoded.error().line == 3);
                CHECK(out == text);
            }
        }
    }
}

TEST_CASE("A damaged place in UTF-8 is told from another encoding") {
    CHECK_THAT(refusalOf("naïve café \xFF Übung größer\n").message,
               Contains("damaged") && Contains("iconv -c -f UTF-8 -t UTF-8"));
    CHECK_THAT(refusalOf("naïve café in Orl\xC3").message, Contains("damaged"));
    const std::string aLineOfText(100, 'a');
    const Error error = refusalOf(aLineOfText + "\n" + aLineOfText + '\0' + "\n");
    CHECK_THAT(error.message, Contains("NUL byte"));
    CHECK(error.line == 2);
}

// Unicode 15, 3.9, "U+FFFD Substitution of Maximal Subparts", tables 3-8 to 3-11.
TEST_CASE("Damage is replaced by its maximal subparts and counted") {
    struct Replaced {
        std::string_view bytes;
        std::string text;
        int places;
    };
    const std::string r = "\uFFFD";
    for (const Replaced& example : {
             Replaced{"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"sv, r + r + r + r + r + r + r + r + "A",
                      8},
             Replaced{"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"sv, r + r + r + r + r + r + r + r + "A",
                      8},
             Replaced{"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"sv,
                      r + r + r + r + r + "A" + r + r + "B", 7},
             Replaced{"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"sv, r + r + r + r + "A", 4},
             Replaced{"caf\xE9"sv, "caf" + r, 1},
             Replaced{"na\xC3\xAFve \xE2\x82"sv, "naïve " + r, 1},
         }) {
        for (std::size_t size = 1; size < 10; ++size) {
            TextDecoder decoder = TextDecoder::create(kReplacing).value();
            std::string out;
            CAPTURE(size);
            REQUIRE(decode(decoder, example.bytes, size, out));
            CHECK(out == example.text);
            CHECK(decoder.replaced() == example.places);
        }
    }
    const std::string aLineOfText(100, 'a');
    CHECK(decodeText(aLineOfText + '\0', kReplacing).value() == aLineOfText + r);
}

TEST_CASE("Bytes that an encoding does not have are treated like damage") {
    struct Example {
        std::string encoding;
        std::string_view bytes;
        std::string replaced;
    };
    const std::string r = "\uFFFD";
    for (const Example& example :
         {Example{"US-ASCII", "one\ntwo \xE9\n"sv, "one\ntwo " + r + "\n"},
          Example{"ISO-8859-7", "one\ntwo \xD2\n"sv, "one\ntwo " + r + "\n"},  // unassigned there
          Example{"Shift_JIS", "one\ntwo \x82"sv, "one\ntwo " + r},      // half of a character
          Example{"UTF-16LE", "1\0\n\0\x3D\xD8x\0"sv, "1\n" + r + "x"},  // half of a pair
          Example{"UTF-16LE", "1\0\n\0x"sv, "1\n" + r},
          Example{"UTF-16BE", "\0001\0\n\0\0\0x"sv, "1\n" + r + "x"},
          Example{"UTF-32LE", "1\0\0\0\n\0\0\0\0\0\x11\0"sv, "1\n" + r},
          Example{"windows-1252", "one\n\0two"sv, "one\n" + r + "two"}}) {
        CAPTURE(example.encoding);
        const Error error = refusalOf(example.bytes, {example.encoding});
        CHECK(error.line == 2);
        CHECK_THAT(error.message, Contains("bytes here are not text in " + example.encoding));
        for (std::size_t size = 1; size < 6; ++size) {
            CHECK(
                inPieces(example.bytes, {example.encoding, InvalidBytes::replace}, size).value() ==
                example.replaced);
        }
    }
}

TEST_CASE("Encodings are known by any of their names, others are refused") {
    CHECK(encodingName("cp1251").value() == "windows-1251");
    CHECK(encodingName("latin1").value() == "ISO-8859-1");
    CHECK(encodingName("utf8").value() == "UTF-8");
    CHECK(encodingName("gbk").value() == "GBK");
    CHECK(encodingName("SJIS").value() == "Shift_JIS");
    CHECK(encodingName("utf-16le").value() == "UTF-16LE");
    for (const char* name : {"klingon", "", "/etc/passwd", "UTF-8,version=1"}) {
        CAPTURE(name);
        test::checkRefused(encodingName(name), ErrorCode::invalidArgument,
                           "is not a known encoding");
    }
    CHECK(TextDecoder::create({"klingon"}).error().code == ErrorCode::invalidArgument);
}
