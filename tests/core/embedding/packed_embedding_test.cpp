#include "core/embedding/packed_embedding.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace epsilens::embedding {
namespace {

using Bytes = std::vector<unsigned char>;

void append32(Bytes& bytes, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<unsigned char>(value >> shift));
    }
}

Bytes packedHeader(std::string_view magic, std::uint32_t words, std::uint32_t dimensions,
                   std::string_view text) {
    Bytes bytes(magic.begin(), magic.end());
    append32(bytes, words);
    append32(bytes, dimensions);
    append32(bytes, static_cast<std::uint32_t>(text.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
    return bytes;
}

Bytes packed(std::uint32_t words, std::uint32_t dimensions, std::string_view text,
             std::initializer_list<std::uint16_t> values) {
    Bytes bytes = packedHeader("EPSEMB1\n", words, dimensions, text);
    for (const std::uint16_t value : values) {
        bytes.push_back(static_cast<unsigned char>(value & 0xff));
        bytes.push_back(static_cast<unsigned char>(value >> 8));
    }
    return bytes;
}

/// The same with 32-bit numbers.
Bytes packedWide(std::uint32_t words, std::uint32_t dimensions, std::string_view text,
                 std::initializer_list<std::uint32_t> values) {
    Bytes bytes = packedHeader("EPSEMB2\n", words, dimensions, text);
    for (const std::uint32_t value : values) {
        append32(bytes, value);
    }
    return bytes;
}

Bytes smallFile() {
    return packed(2, 3, "one\nna\xc3\xafve\n", {0x3c00, 0xc000, 0x3555, 0x0001, 0x7bff, 0x8000});
}

ErrorCode errorOf(const Bytes& bytes) {
    const auto result = readPackedEmbedding(bytes);
    REQUIRE_FALSE(result.has_value());
    return result.error().code;
}

}  // namespace

TEST_CASE("packed embedding: words and values are read") {
    const auto result = readPackedEmbedding(smallFile());
    REQUIRE(result.has_value());
    REQUIRE(result->wordCount() == 2);
    REQUIRE(result->dimensions() == 3);
    CHECK(result->vocabulary.word(0) == "one");
    CHECK(result->vocabulary.find("na\xc3\xafve") == Row{1});
    // Values by the definition of binary16 in IEEE 754: (-1)^s 2^(e-15) (1 + f/1024), and f 2^-24
    // for e = 0. All are exact in float32.
    CHECK(result->vectors(0, 0) == 1.0F);
    CHECK(result->vectors(0, 1) == -2.0F);
    CHECK(result->vectors(0, 2) == 1365.0F / 4096.0F);
    CHECK(result->vectors(1, 0) == 1.0F / 16777216.0F);
    CHECK(result->vectors(1, 1) == 65504.0F);
    CHECK(result->vectors(1, 2) == 0.0F);
}

TEST_CASE("packed embedding: 32-bit values are read bit for bit") {
    const auto result = readPackedEmbedding(
        packedWide(2, 2, "one\ntwo\n", {0x3f800000, 0xbf7fff58, 0x00000001, 0x7f7fffff}));
    REQUIRE(result.has_value());
    REQUIRE(result->wordCount() == 2);
    REQUIRE(result->dimensions() == 2);
    // By the definition of binary32 in IEEE 754: (-1)^s 2^(e-127) (1 + f/2^23), f 2^-149 for e = 0.
    CHECK(result->vectors(0, 0) == 1.0F);
    CHECK(result->vectors(0, 1) == -0.99998998641967773F);
    CHECK(result->vectors(1, 0) == std::numeric_limits<float>::denorm_min());
    CHECK(result->vectors(1, 1) == std::numeric_limits<float>::max());
}

TEST_CASE("packed embedding: the report describes the bytes") {
    const auto result = readPackedEmbedding(smallFile());
    REQUIRE(result.has_value());
    CHECK(result->report.format == FileFormat::builtIn);
    CHECK(result->report.fileBytes == 43);
    // sha256sum(1) of the same bytes written by printf(1).
    CHECK(result->report.sha256 ==
          "3478ab94c0cd073d29f4043cbd3f2f6ebb4b1b5343e21597bc456c2fa27c71ba");
    CHECK(result->report.badLines() == 0);
}

TEST_CASE("packed embedding: a header that differs from the bytes is refused") {
    const Bytes good = smallFile();
    SECTION("every shorter file") {
        for (std::size_t size = 0; size < good.size(); ++size) {
            CAPTURE(size);
            CHECK(errorOf({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}) ==
                  ErrorCode::internal);
        }
    }
    SECTION("a longer file") {
        Bytes longer = good;
        longer.push_back(0);
        CHECK(errorOf(longer) == ErrorCode::internal);
    }
    SECTION("other first bytes") {
        Bytes other = good;
        other[6] = '3';
        CHECK(errorOf(other) == ErrorCode::internal);
        // Known, but the numbers are not of this width.
        other[6] = '2';
        CHECK(errorOf(other) == ErrorCode::internal);
    }
    SECTION("no words, no dimensions, sizes near 2^32") {
        CHECK(errorOf(packed(0, 3, "", {})) == ErrorCode::internal);
        CHECK(errorOf(packed(2, 0, "a\nb\n", {})) == ErrorCode::internal);
        CHECK(errorOf(packed(0xffffffff, 0xffffffff, "a\n", {0x3c00})) == ErrorCode::internal);
        // 2^31 words x 2^31 dimensions x 2 bytes are 2^63; twice that wraps to 0 in 64 bits.
        CHECK(errorOf(packed(0x80000000, 0x80000000, "", {})) == ErrorCode::internal);
        CHECK(errorOf(packedWide(0x80000000, 0x80000000, "", {})) == ErrorCode::internal);
    }
}

TEST_CASE("packed embedding: unusable words and values are refused") {
    CHECK(errorOf(packed(2, 1, "a\na\n", {0, 0})) == ErrorCode::internal);
    CHECK(errorOf(packed(2, 1, "a\n\n", {0, 0})) == ErrorCode::internal);
    CHECK(errorOf(packed(2, 1, "a\nb", {0, 0})) == ErrorCode::internal);
    CHECK(errorOf(packed(2, 1, "a\n", {0, 0})) == ErrorCode::internal);
    // 0x7c00 is infinity, 0x7e00 a NaN.
    CHECK(errorOf(packed(1, 1, "a\n", {0x7c00})) == ErrorCode::internal);
    CHECK(errorOf(packed(1, 1, "a\n", {0x7e00})) == ErrorCode::internal);
    CHECK(errorOf(packedWide(1, 1, "a\n", {0x7f800000})) == ErrorCode::internal);
    CHECK(errorOf(packedWide(1, 1, "a\n", {0x7fc00000})) == ErrorCode::internal);
}

}  // namespace epsilens::embedding
