#include "core/io/zip_end.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/core/embedding/embedding_files.h"

using namespace epsilens;
using io::filesInZipList;

namespace {

using namespace std::string_literals;

constexpr std::size_t kEndBytes = 22;  ///< of the record of the end, without a comment

std::string oneFile() {
    return test::zipped({{"folder/", ""}, {"folder/a.txt", test::manyRows(50)}});
}

std::optional<int> filesIn(const std::string& zip) {
    return filesInZipList(zip, zip.size());
}

std::size_t listPlace(const std::string& zip) {
    return zip.find("PK\x01\x02");
}

/// The file with the end that those of 4 GB and more have (APPNOTE.TXT 6.3.10, 4.3.14 to 4.3.16).
std::string withLargeEnd(const std::string& zip, std::uint64_t placeOff = 0) {
    const std::size_t endPlace = zip.size() - kEndBytes;
    const std::uint64_t list = listPlace(zip);
    const std::string large = "PK\x06\x06"s + test::bytesOf(std::uint64_t{44}) +
                              test::bytesOf(std::uint32_t{0x002d002d}) +
                              test::bytesOf(std::uint64_t{0}) + test::bytesOf(std::uint64_t{2}) +
                              test::bytesOf(std::uint64_t{2}) +
                              test::bytesOf(std::uint64_t{endPlace} - list) + test::bytesOf(list);
    const std::string locator = "PK\x06\x07"s + test::bytesOf(std::uint32_t{0}) +
                                test::bytesOf(std::uint64_t{endPlace} + placeOff) +
                                test::bytesOf(std::uint32_t{1});
    const std::string end =
        "PK\x05\x06"s + std::string(4, '\0') + std::string(12, '\xff') + std::string(2, '\0');
    return zip.substr(0, endPlace) + large + locator + end;
}

}  // namespace

TEST_CASE("The list of a zip file tells its files") {
    CHECK(filesIn(oneFile()) == 1);
    CHECK(filesIn(test::zipped({{"a", "1"}, {"b/", ""}, {"b/c", "2"}})) == 2);
    CHECK(filesIn(test::zipped({{"b/", ""}})) == 0);
    CHECK(filesIn(test::zipped({})) == 0);
}

TEST_CASE("Only the end of a zip file is looked at") {
    const std::string zip = oneFile();
    const std::size_t list = listPlace(zip);
    CHECK(filesInZipList(std::string_view(zip).substr(list), zip.size()) == 1);
    CHECK_FALSE(filesInZipList(std::string_view(zip).substr(list + 1), zip.size()));
    // As if something else stood in front.
    CHECK_FALSE(filesInZipList(zip, zip.size() + 1));
}

TEST_CASE("Zeros and a comment may end a zip file") {
    const std::string zip = oneFile();
    CHECK(filesIn(zip + std::string(5'000, '\0')) == 1);
    const std::string comment = "a PK\x05\x06 comment"s;
    const std::string commented = zip.substr(0, zip.size() - 2) +
                                  test::bytesOf(static_cast<std::uint16_t>(comment.size())) +
                                  comment;
    CHECK(filesIn(commented) == 1);
    CHECK_FALSE(filesIn(commented.substr(0, commented.size() - 1)));
    CHECK_FALSE(filesIn(commented + "x"));
}

TEST_CASE("The end of a large zip file is read") {
    CHECK(filesIn(withLargeEnd(oneFile())) == 1);
    CHECK(filesIn(withLargeEnd(oneFile()) + std::string(9, '\0')) == 1);
    CHECK_FALSE(filesIn(withLargeEnd(oneFile(), 1)));
    CHECK_FALSE(filesIn(withLargeEnd(oneFile(), std::uint64_t{0} - 2)));
}

TEST_CASE("A wrong number at the end of a zip file is noticed") {
    const std::string zip = oneFile();
    const std::size_t place = GENERATE(10U, 12U, 16U);  // entries, bytes and place of the list
    for (const int change : {-1, 1}) {
        std::string wrong = zip;
        char& byte = wrong[wrong.size() - kEndBytes + place];
        byte = static_cast<char>(byte + change);
        CAPTURE(place, change);
        CHECK_FALSE(filesIn(wrong));
    }
}

TEST_CASE("A zip file whose end is not as it should be is not loaded") {
    const std::string zip = oneFile();
    const std::size_t list = listPlace(zip);
    std::vector<std::string> wrong{zip + "x", zip + std::string(600'000, 'x'), zip + zip};
    for (std::size_t size = list; size < zip.size(); ++size) {
        wrong.push_back(zip.substr(0, size));
    }
    for (const std::string& content : wrong) {
        CAPTURE(list, content.size(), zip.size());
        const auto loaded = test::loadContent(content);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == ErrorCode::badFile);
        CHECK_THAT(loaded.error().message,
                   Catch::StartsWith("the zip data is damaged or cut off ("));
    }
    CHECK(test::loadContent(zip + std::string(600'000, '\0')));
    CHECK(test::loadContent(withLargeEnd(zip)));
}

// Their decompressors take as much memory as the file asks for.
TEST_CASE("A zip file packed by an unusual method is refused by its name") {
    struct Method {
        char number;
        std::string name;
    };
    const Method method =
        GENERATE(Method{14, "lzma"}, Method{95, "xz"}, Method{98, "ppmd"}, Method{1, "shrink"});
    std::string zip = test::zipped({{"a.txt", test::manyRows(50)}});
    zip[8] = method.number;
    const auto loaded = test::loadContent(zip);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().code == ErrorCode::badFile);
    CHECK_THAT(loaded.error().message, Catch::Contains("another method than deflation or bzip2") &&
                                           Catch::Contains(method.name));
}
