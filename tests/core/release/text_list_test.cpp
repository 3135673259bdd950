#include "core/release/text_list.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;

TEST_CASE("a list names texts, released texts and sidecars") {
    const test::TemporaryFolder folder;
    const auto texts =
        release::readTextList(
            folder.file("list", "a b.txt\tout/a.txt\r\n\nc.txt\tout/c.txt\tc.json\n"),
            folder.path("done"), {})
            .value();
    REQUIRE(texts.size() == 2);
    CHECK(texts.at(0).input == "a b.txt");
    CHECK(texts.at(0).output == "out/a.txt");
    CHECK(texts.at(0).sidecar.empty());
    CHECK(texts.at(1).sidecar == "c.json");
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
    const Error error = test::checkRefused(release::readTextList(path, path + ".done", {}),
                                           ErrorCode::badFile, message);
    CHECK(error.file == path);
}

TEST_CASE("a list writes no file that the run reads or writes elsewhere, whatever it is called") {
    const test::TemporaryFolder folder;
    const std::string in = folder.file("in", "text");
    const std::string other = folder.file("other", "text");
    const std::string list = folder.path("list");
    const auto name = [&](const char* file) { return folder.path(file); };
    std::filesystem::create_symlink("in", name("linked"));
    std::filesystem::create_hard_link(in, name("hard"));
    std::filesystem::create_symlink(".", name("folder"));
    std::filesystem::create_symlink("out", name("dangling"));
    const auto relative = [](const std::string& path) {
        return std::filesystem::relative(path).string();
    };
    // What the list writes in its last entry, and the name of the same file elsewhere.
    const std::vector<std::pair<std::string, std::string>> same{
        {relative(in), in},
        {name("linked"), in},
        {name("hard"), in},
        {name("folder/in"), in},
        {relative(name("out")), name("out")},
        {name("folder/out"), name("out")},
        {name("dangling"), name("out")},
        {name("folder/list"), list},
        {name("folder/list.done"), list + ".done"},
        {name("folder/vectors"), name("vectors")}};
    for (const auto& [written, before] : same) {
        for (const std::string& entry :
             {other + "\t" + written, other + "\t" + name("fine") + "\t" + written}) {
            CAPTURE(entry);
            const Error error = test::checkRefused(
                release::readTextList(
                    folder.file("list", in + "\t" + name("out") + "\n" + entry + "\n"),
                    list + ".done", {name("vectors")}),
                ErrorCode::badFile);
            CHECK_THAT(error.message, Contains("would write " + written + ", which") &&
                                          Contains(" elsewhere as " + before + ";"));
        }
    }
    // Files may be read twice, and links lead to files of their own.
    std::filesystem::create_symlink("free", name("to-free"));
    CHECK(
        release::readTextList(folder.file("list", in + "\t" + name("out") + "\n" + name("linked") +
                                                      "\t" + name("to-free") + "\n"),
                              list + ".done", {name("vectors")}));
}
