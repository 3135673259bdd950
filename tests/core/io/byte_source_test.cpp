#include "core/io/byte_source.h"

#include <chrono>
#include <filesystem>
#include <new>
#include <string>
#include <thread>

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

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Whether so many bytes come to be read, and hashed, with nobody asking for them.
bool readsOnTo(const ByteSource& source, std::uint64_t bytes) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (source.storedBytesRead() < bytes && std::chrono::steady_clock::now() < patience) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return source.storedBytesRead() >= bytes;
}

/// Bytes of which each tells its place, as far as a byte can.
std::string placeBytes(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<char>(i * 131 % 251);
    }
    return bytes;
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
    std::string text = countingText(500) + std::string(3'000, 'x') + '\n' + countingText(100);
    if (GENERATE(false, true)) {
        text += "the last line has no line end";
    }
    const auto source = ByteSource::open(folder.file("file", text)).value();
    ReadAhead blocks = lineBlocks(*source, GENERATE(1U, 64U, 4096U, 1U << 20));
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
        ReadAhead blocks = lineBlocks(*source, 1'000);
        REQUIRE(blocks.next());
    }
    const auto digest = source->finish().value();
    CHECK(digest.size() == 64);
}

TEST_CASE("Text is read and hashed while a block of it is parsed") {
    const test::TemporaryFolder folder;
    const auto source = ByteSource::open(folder.file("file", test::manyRows(1'000))).value();
    ReadAhead blocks = lineBlocks(*source, 1'000);
    REQUIRE(blocks.next());
    CHECK(readsOnTo(*source, 2'000));
}

TEST_CASE("Binary data are read and hashed while a part of them is parsed") {
    const test::TemporaryFolder folder;
    const auto source = ByteSource::open(folder.file("file", placeBytes(4 * kMiB))).value();
    ByteCursor cursor(*source);
    REQUIRE(cursor.readNumber<char>("a byte"));
    CHECK(readsOnTo(*source, 2 * kMiB));
}

TEST_CASE("A cursor gives every byte once, and knows how many are left") {
    const test::TemporaryFolder folder;
    const std::string bytes = placeBytes(3 * kMiB + 17);
    const std::string path = folder.file("file", bytes);
    const auto source = ByteSource::open(path).value();
    std::string given;
    {
        ByteCursor cursor(*source);
        CHECK(cursor.bytesLeft() == bytes.size());
        std::string part(kMiB / 3, '\0');
        while (*cursor.bytesLeft() >= 2 * part.size()) {
            REQUIRE(cursor.readBytes(part.data(), part.size(), "a part"));
            given += part;
            REQUIRE(cursor.skipBytes(part.size(), "a part"));
            given += bytes.substr(given.size(), part.size());
            CHECK(cursor.bytesLeft() == bytes.size() - given.size());
        }
        part.resize(bytes.size() - given.size());
        REQUIRE(cursor.readBytes(part.data(), part.size(), "the rest"));
        given += part;
        CHECK(cursor.bytesLeft() == 0U);
        CHECK(cursor.atEnd() == true);
        CHECK(cursor.atEnd() == true);
        CHECK_FALSE(cursor.readNumber<char>("a byte behind the end"));
    }
    CHECK(given == bytes);
    CHECK(source->finish());
}

TEST_CASE("What filling lacks memory for is thrown where the block is asked for") {
    ReadAhead blocks(8, [](ReadAhead::Block&) -> Result<bool> { throw std::bad_alloc(); });
    CHECK_THROWS_AS(blocks.next(), std::bad_alloc);
}
