#include "core/release/text_list.h"

#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using release::ListedText;
using release::ReleaseCounts;
using release::ReleaseRecord;
namespace fs = std::filesystem;

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

using Both = std::vector<bool>;

}  // namespace

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
    CHECK(std::count(record.begin(), record.end(), '\n') == 3);
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

TEST_CASE("a record that cannot be written says so") {
    test::checkRefused(ReleaseRecord::open("/no/such/folder/list.done", {}, kSettings, false),
                       ErrorCode::ioFailed);
}
