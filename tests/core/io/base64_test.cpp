#include "core/io/base64.h"

#include <algorithm>
#include <cstdint>

#include <catch2/catch.hpp>

using namespace epsilens::io;

namespace {

std::string encoded(std::string_view text) {
    return toBase64(std::as_bytes(std::span(text)));
}

std::string decoded(std::string_view text) {
    const auto bytes = fromBase64(text);
    REQUIRE(bytes);
    std::string result;
    std::transform(bytes->begin(), bytes->end(), std::back_inserter(result),
                   [](std::byte byte) { return static_cast<char>(byte); });
    return result;
}

}  // namespace

TEST_CASE("The examples of RFC 4648, section 10") {
    for (const auto& [text, code] :
         {std::pair{"", ""}, std::pair{"f", "Zg=="}, std::pair{"fo", "Zm8="},
          std::pair{"foo", "Zm9v"}, std::pair{"foob", "Zm9vYg=="}, std::pair{"fooba", "Zm9vYmE="},
          std::pair{"foobar", "Zm9vYmFy"}}) {
        CHECK(encoded(text) == code);
        CHECK(decoded(code) == text);
    }
}

TEST_CASE("Texts that are no base64 are refused") {
    for (const char* text : {"Z", "Zg", "Zg=", "Z===", "====", "Zm9v\n", "Zm 9", " Zm9vYg=",
                             "Zm9v----", "Zg==Zg==", "Zm=v", "Zm9*", "Zm9\xC3", "Zm9vYmE\n"}) {
        CAPTURE(text);
        CHECK_FALSE(fromBase64(text));
    }
}

TEST_CASE("Long arrays, which the library takes in pieces, come back") {
    constexpr std::size_t kPiece = std::size_t{3} << 20;
    for (const std::size_t size : {kPiece - 1, kPiece, kPiece + 1, 2 * kPiece + 2}) {
        std::vector<std::byte> bytes(size);
        std::uint32_t state = 1;
        for (std::byte& byte : bytes) {
            state = state * 1664525U + 1013904223U;
            byte = static_cast<std::byte>(state >> 24U);
        }
        const std::string text = toBase64(bytes);
        REQUIRE(text.size() == (size + 2) / 3 * 4);
        REQUIRE(fromBase64(text) == bytes);
    }
}
