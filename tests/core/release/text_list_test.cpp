#include "core/release/text_list.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;

TEST_CASE("a list names texts, released texts and sidecars") {
    const test::TemporaryFolder folder;
    const auto texts = release::readTextList(
        folder.file("list", "a b.txt\tout/a.txt\r\n\nc.txt\tout/c.txt\tc.json\n"));
    REQUIRE(texts);
    REQUIRE(texts->size() == 2);
    CHECK(texts->at(0).input == "a b.txt");
    CHECK(texts->at(0).output == "out/a.txt");
    CHECK(texts->at(0).sidecar.empty());
    CHECK(texts->at(1).sidecar == "c.json");
}

TEST_CASE("a list in which something is wrong is refused") {
    const test::TemporaryFolder folder;
    const auto& [content, message] = GENERATE(table<std::string, std::string>(
        {{"", "names no text"},
         {"\n\n", "names no text"},
         {"a.txt\n", "entry 1 is not"},
         {"a.txt\tb.txt\nc.txt d.txt\n", "entry 2 is not"},
         {"a.txt\t\n", "entry 1 is not"},
         {"a.txt\tb.txt\tc.json\td.txt\n", "entry 1 is not"},
         {"a.txt\tout.txt\nb.txt\t./out.txt\n", "would write ./out.txt"},
         {"a.txt\tout.txt\tout.txt\n", "would write out.txt"},
         {"a.txt\tb.txt\nb.txt\tc.txt\n", "would write b.txt"}}));
    const std::string path = folder.file("list", content);
    const auto texts = release::readTextList(path);
    REQUIRE_FALSE(texts);
    CHECK(texts.error().code == ErrorCode::badFile);
    CHECK(texts.error().file == path);
    CHECK_THAT(texts.error().message, Contains(message));
}

TEST_CASE("a list may not name itself") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("list");
    CHECK_FALSE(release::readTextList(folder.file("list", "a.txt\t" + path + "\n")));
}
