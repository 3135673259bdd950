// What files are taken for by their content.

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/core/embedding/embedding_files.h"

using namespace epsilens;
using namespace epsilens::embedding;
using namespace std::string_literals;

namespace {

/// A tar archive of one file, laid out by POSIX.1-2017: fields of 100, 8, 8, 8, 12, 12, 8, 1 and
/// 100 bytes, then the magic text; blocks of 512 bytes.
std::string tarOf(std::string_view content, std::string_view magic) {
    constexpr std::size_t kBlock = 512;
    std::string archive("glove.txt");
    archive.resize(100, '\0');
    archive +=
        "0000644\0"
        "0001750\0"
        "0001750\0"s;
    archive += fmt::format("{:011o}", content.size()) + '\0' + "14705413000\0"s;
    archive += "        0";
    archive.resize(257, '\0');
    archive += magic;
    archive.resize(kBlock, '\0');
    archive += content;
    archive.resize((archive.size() / kBlock + 3) * kBlock, '\0');
    return archive;
}

}  // namespace

TEST_CASE("A tar archive is refused, packed or not") {
    // As POSIX has it, and as GNU tar writes it.
    const std::string magic = GENERATE(
        "ustar\0"
        "00"s,
        "ustar  \0"s);
    const std::string archive = tarOf(test::manyRows(300), magic);
    for (const std::string& bytes : {archive, test::compressed(archive, "gzip")}) {
        const auto loaded = test::loadContent(bytes);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == ErrorCode::badFile);
        CHECK_THAT(loaded.error().message, Catch::Contains("it is a tar archive; unpack it"));
    }
}

TEST_CASE("The word ustar does not make a tar archive of a text") {
    for (std::size_t before = 200; before < 270; ++before) {
        const std::string content =
            "a" + std::string(before, 'b') + " 1.5 2.5\nustar 3.5 4.5\nustars 5.5 6.5\n";
        const auto loaded = test::loadContent(content);
        REQUIRE(loaded);
        CHECK(loaded->wordCount() == 3);
    }
}
