#include "core/release/text_list.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using release::ListedText;
using release::ReleaseCounts;
using release::ReleaseRecord;
namespace fs = std::filesystem;
using Both = std::vector<bool>;

namespace {

constexpr const char* kSettings = "settings";

/// What was left unprotected of each text.
const ReleaseCounts kCounts = [] {
    ReleaseCounts counts;
    counts.kept = 1;
    counts.stopWords = 2;
    counts.hiddenCharacters = 3;
    counts.invalidReplaced = 4;
    counts.cuts = 5;
    return counts;
}();

/// Two texts of a folder that are released, the second with a sidecar, and their record.
class Released {
public:
    Released() {
        for (const char* file : {"a", "a.out", "b", "b.out", "b.json"}) {
            m_folder.file(file, file);
        }
        auto record = open(false).value();
        for (const ListedText& text : texts) {
            REQUIRE(record.add(record.lineOf(text), kCounts));
        }
    }

    [[nodiscard]] Result<ReleaseRecord> open(bool isResumed, const std::string& settings) const {
        return ReleaseRecord::open(path("record"), texts, settings, isResumed);
    }
    [[nodiscard]] Result<ReleaseRecord> open(bool isResumed) const {
        return open(isResumed, kSettings);
    }
    /// Which texts another run leaves out.
    [[nodiscard]] std::vector<bool> leftOut(const std::string& settings = kSettings) const {
        const auto record = open(true, settings).value();
        return {record.before(0).has_value(), record.before(1).has_value()};
    }
    [[nodiscard]] std::string path(const std::string& name) const { return m_folder.path(name); }
    void file(const std::string& name, const std::string& content) const {
        m_folder.file(name, content);
    }

private:
    test::TemporaryFolder m_folder{};

public:
    std::vector<ListedText> texts{{path("a"), path("a.out"), ""},
                                  {path("b"), path("b.out"), path("b.json")}};
};

}  // namespace

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

TEST_CASE("a resumed run leaves out what was released as it is") {
    const Released released;
    CHECK(released.leftOut() == Both{true, true});
    // The record of the resumed run has what it found.
    CHECK(released.leftOut() == Both{true, true});
    CHECK_FALSE(released.open(false).value().before(0));
    CHECK(released.leftOut() == Both{false, false});
}

TEST_CASE("a resumed run knows what was left unprotected, and nothing else of a text") {
    const test::TemporaryFolder folder;
    const std::vector<ListedText> texts{{folder.file("a", "a"), folder.file("a.out", "a"), ""}};
    ReleaseCounts counts = kCounts;
    counts.lines = counts.words = counts.replaced = counts.masked = counts.random = 10;
    counts.dropped = counts.mostReplacedInLine = counts.bytesWritten = 10;
    const std::string path = folder.path("record");
    auto record = ReleaseRecord::open(path, texts, kSettings, false).value();
    REQUIRE(record.add(record.lineOf(texts.front()), counts));
    CHECK(ReleaseRecord::open(path, texts, kSettings, true).value().before(0) == kCounts);
}

TEST_CASE("whatever differs is released anew") {
    Released released;
    SECTION("the settings") {
        CHECK(released.leftOut("other settings") == Both{false, false});
        // What is to be released anew does not count when the settings are the old ones again.
        CHECK(released.leftOut() == Both{false, false});
    }
    SECTION("the time of modification of the text") {
        const auto time = fs::last_write_time(released.path("a"));
        fs::last_write_time(released.path("a"), time + std::chrono::nanoseconds(1));
        CHECK(released.leftOut() == Both{false, true});
        fs::last_write_time(released.path("a"), time);
        CHECK(released.leftOut() == Both{false, true});
    }
    SECTION("the file of the text") {
        const auto time = fs::last_write_time(released.path("a"));
        released.file("other", "a");
        fs::rename(released.path("other"), released.path("a"));
        fs::last_write_time(released.path("a"), time);
        CHECK(released.leftOut() == Both{false, true});
    }
    SECTION("the released file") {
        fs::remove(released.path("a.out"));
        CHECK(released.leftOut() == Both{false, true});
    }
    SECTION("the sidecar") {
        fs::remove(released.path("b.json"));
        CHECK(released.leftOut() == Both{true, false});
    }
    SECTION("the name of the text, which may tell the format of a table") {
        fs::rename(released.path("a"), released.path("a.csv"));
        released.texts[0].input = released.path("a.csv");
        CHECK(released.leftOut() == Both{false, true});
    }
    SECTION("the place of the released text") {
        fs::rename(released.path("a.out"), released.path("c.out"));
        released.texts[0].output = released.path("c.out");
        CHECK(released.leftOut() == Both{false, true});
    }
    SECTION("whether a sidecar is asked for") {
        released.texts[0].sidecar = released.path("b.json");
        released.texts[1].sidecar = "";
        CHECK(released.leftOut() == Both{false, false});
    }
}

TEST_CASE("a record is for its owner alone, also where there was one that all could read") {
    const Released released;
    REQUIRE(chmod(released.path("record").c_str(), 0644) == 0);
    REQUIRE(released.open(true));
    CHECK((fs::status(released.path("record")).permissions() & fs::perms::all) ==
          (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a record has two lines of text for two texts, and nothing of what they say") {
    const Released released;
    const std::string record = test::contentOf(released.path("record"));
    CHECK(std::ranges::count(record, '\n') == 3);
    for (const ListedText& text : released.texts) {
        struct stat status {};
        REQUIRE(stat(text.input.c_str(), &status) == 0);
        const std::string begin = "\n" + text.output + "\t";
        const auto found = record.find(begin);
        REQUIRE(found != std::string::npos);
        const std::string line = record.substr(found + 1, record.find('\n', found + 1) - found - 1);
        // Name, 64 digits of the fingerprint, device, inode, seconds and nanoseconds, and what was
        // left unprotected.
        const std::string rest = "\t" + std::to_string(status.st_dev) + "\t" +
                                 std::to_string(status.st_ino) + "\t" +
                                 std::to_string(status.st_mtim.tv_sec) + ".";
        CHECK(line.substr(begin.size() - 1 + 64, rest.size()) == rest);
        CHECK(line.substr(begin.size() - 1 + 64 + rest.size() + 9) == "\t1\t2\t3\t4\t5");
    }
}

TEST_CASE("a line without an end was being written when the machine stopped") {
    const Released released;
    const std::string record = test::contentOf(released.path("record"));
    released.file("record", record.substr(0, record.size() - 1));
    CHECK(released.leftOut() == Both{true, false});
    CHECK(released.leftOut() == Both{true, false});
}

TEST_CASE("what is no regular file is released every time") {
    const Released released;
    auto record = released.open(false).value();
    CHECK(record.lineOf({"-", released.path("a.out"), ""}).empty());
    CHECK(record.lineOf({"/dev/null", released.path("a.out"), ""}).empty());
    CHECK(record.add("", kCounts));
    CHECK(test::contentOf(released.path("record")).find("\n\n") == std::string::npos);
}

TEST_CASE("another file is not taken for a record") {
    const Released released;
    const std::string content = GENERATE("some text\n", "", "done\ta.out\n");
    released.file("record", content);
    for (const bool isResumed : {false, true}) {
        const auto record = released.open(isResumed);
        REQUIRE_FALSE(record);
        CHECK(record.error().code == ErrorCode::badFile);
        CHECK(record.error().file == released.path("record"));
        CHECK(test::contentOf(released.path("record")) == content);
    }
}

TEST_CASE("a record that cannot be read says why, and a pipe is not waited for") {
    const test::TemporaryFolder folder;
    REQUIRE(mkfifo(folder.path("pipe").c_str(), 0600) == 0);
    const auto refuse = [](const std::string& path, const char* part) {
        const Error error = test::checkRefused(ReleaseRecord::open(path, {}, kSettings, true),
                                               ErrorCode::badFile, part);
        CHECK(error.file == path);
    };
    refuse(folder.path("pipe"), "no record");
    refuse(folder.path(""), "this is a folder");
}

TEST_CASE("a record that cannot be written says so") {
    test::checkRefused(ReleaseRecord::open("/no/such/folder/list.done", {}, kSettings, false),
                       ErrorCode::ioFailed);
}
