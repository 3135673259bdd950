#include "core/io/byte_source.h"

#include <chrono>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "core/io/read_ahead.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::io;

namespace {

/// Reads everything that is left in pieces of one size.
std::string readAll(ByteSource& source, std::size_t pieceSize) {
    std::string content;
    std::string piece(pieceSize, '\0');
    while (true) {
        const std::size_t got = source.read(piece.data(), piece.size()).value();
        content.append(piece, 0, got);
        if (got < piece.size()) {
            return content;
        }
    }
}

std::string countingText(int lines) {
    std::string text;
    for (int line = 0; line < lines; ++line) {
        text += std::to_string(line) + '\n';
    }
    return text;
}

}  // namespace

TEST_CASE("Peeked bytes are read again") {
    const test::TemporaryFolder folder;
    const std::string text = countingText(10'000);
    const std::string path =
        folder.file("file", GENERATE(false, true) ? text : test::compressed(text, "gzip"));
    const auto source = ByteSource::open(path).value();
    CHECK(source->peek(10) == text.substr(0, 10));
    CHECK(source->peek(5'000) == text.substr(0, 5'000));
    CHECK(source->peek(3) == text.substr(0, 3));
    std::string begin(7, '\0');
    CHECK(source->read(begin.data(), begin.size()) == 7);
    CHECK(begin == text.substr(0, 7));
    CHECK(source->peek(4) == text.substr(7, 4));
    CHECK(readAll(*source, 999) == text.substr(7));
    CHECK(source->peek(1) == "");
}

TEST_CASE("Bytes left count down in plain files and are not known otherwise") {
    const test::TemporaryFolder folder;
    const auto plain = ByteSource::open(folder.file("plain", "0123456789")).value();
    CHECK(plain->bytesLeft() == 10U);
    REQUIRE(plain->peek(4));
    CHECK(plain->bytesLeft() == 10U);
    std::string begin(3, '\0');
    REQUIRE(plain->read(begin.data(), begin.size()));
    CHECK(plain->bytesLeft() == 7U);

    const auto packed =
        ByteSource::open(folder.file("packed", test::compressed("0123456789", "xz"))).value();
    CHECK_FALSE(packed->bytesLeft());
}

TEST_CASE("A text that begins with the letters of bzip2 is a text") {
    const test::TemporaryFolder folder;
    const auto source = ByteSource::open(folder.file("file", "BZhang 1 2\nPK 3 4\n")).value();
    CHECK(source->compression().empty());
}

TEST_CASE("A file that becomes shorter or is written to gives an error") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("file", countingText(200'000));
    const auto source = ByteSource::open(path).value();
    std::string piece(100, '\0');
    REQUIRE(source->read(piece.data(), piece.size()));
    std::string rest(2'000'000, '\0');

    SECTION("shorter") {
        std::filesystem::resize_file(path, 1'000);
        test::checkRefused(source->read(rest.data(), rest.size()), ErrorCode::badFile);
    }
    SECTION("longer") {
        std::filesystem::resize_file(path, 3'000'000);
        test::checkRefused(source->finish(), ErrorCode::badFile);
    }
    SECTION("as long, but written to") {
        const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(5);
        std::filesystem::last_write_time(path, later);
        CHECK_FALSE(source->finish());
    }
}

TEST_CASE("Blocks hold whole lines, however small they are") {
    const test::TemporaryFolder folder;
    std::string text = countingText(5'000) + std::string(3'000, 'x') + '\n' + countingText(100);
    if (GENERATE(false, true)) {
        text += "the last line has no line end";
    }
    const auto source = ByteSource::open(folder.file("file", text)).value();
    LineBlocks blocks(*source, GENERATE(1U, 64U, 4096U, 1U << 20));
    std::string joined;
    while (true) {
        const auto block = blocks.next().value();
        if (block.empty()) {
            break;
        }
        joined += block;
        REQUIRE((joined.size() == text.size() || block.back() == '\n'));
    }
    CHECK(joined == text);
}

TEST_CASE("Reading ahead can be left at any time") {
    const test::TemporaryFolder folder;
    const auto source = ByteSource::open(folder.file("file", countingText(100'000))).value();
    {
        LineBlocks blocks(*source, 1'000);
        REQUIRE(blocks.next());
    }
    const auto digest = source->finish().value();
    CHECK(digest.size() == 64);
}
