#include "core/io/read_ahead.h"

#include <chrono>
#include <new>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "core/io/byte_cursor.h"
#include "tests/core/embedding/embedding_files.h"

using namespace epsilens;
using namespace epsilens::io;

namespace {

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

TEST_CASE("Text is read and hashed while a block of it is parsed") {
    const test::TemporaryFolder folder;
    const auto source = ByteSource::open(folder.file("file", test::manyRows(1'000))).value();
    LineBlocks blocks(*source, 1'000);
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
