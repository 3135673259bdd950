#include "core/release/text_list.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/release/table_text.h"
#include "tests/support/random_table.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using release::ListedText;
using release::ReleaseCounts;
using release::ReleaseRecord;
using Both = std::vector<bool>;
using io::RecordFormat;
using release::TableText;
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

// What must stay is compared byte for byte; fields are put into capitals in place of a mechanism.

namespace {

Result<std::vector<std::string>> capitals(const TableText::Fields& fields) {
    std::vector<std::string> texts = fields.texts;
    for (std::string& text : texts) {
        for (char& letter : text) {
            letter =
                letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
        }
    }
    return texts;
}

/// Gives the table in pieces of so many bytes.
Result<std::string> released(std::string_view table, std::vector<std::string> columns,
                             std::size_t pieceBytes = 1000,
                             RecordFormat format = RecordFormat::automatic,
                             const TableText::Replace& replace = capitals) {
    TableText text({std::move(columns), format});
    std::string all;
    while (!table.empty()) {
        const auto piece = text.add(table.substr(0, pieceBytes), replace);
        if (!piece) {
            return piece;
        }
        all += *piece;
        table.remove_prefix(std::min(pieceBytes, table.size()));
    }
    return text.finish(replace).map([&](const std::string& last) { return all + last; });
}

}  // namespace

TEST_CASE("Only the columns named change, however the table comes in") {
    struct Table {
        std::string before;
        std::vector<std::string> columns;
        std::string after;
    };
    const std::vector<Table> tables{
        {"id,text\n1,cat dog\n2,\"a, \"\"b\"\"\nc\"\r\n3,\n",
         {"text"},
         "id,text\n1,CAT DOG\n2,\"A, \"\"B\"\"\nC\"\r\n3,\n"},
        {"\xEF\xBB\xBFtext,id\ncat,x\n", {"text"}, "\xEF\xBB\xBFtext,id\nCAT,x\n"},
        {"a,b,c\nd,e,f", {"1", "3"}, "A,b,C\nD,e,F"},
        {"a,b b,c\r\n\r\nd,e,f\r\n", {"2"}, "a,B B,c\r\n\r\nd,E,f\r\n"},
        {"\xEF\xBB\xBF\"text\",id\ncat,x\n", {"text"}, "\xEF\xBB\xBF\"text\",id\nCAT,x\n"},
        {"id\ttext\n1\tsay \"cat\n", {"text"}, "id\ttext\n1\tSAY \"CAT\n"},
        {"{\"id\": \"x\", \"text\" : \"cat\", \"n\":[1,{\"text\":\"y\"}]}\n{\"text\":null}\n",
         {"text"},
         "{\"id\": \"x\", \"text\" : \"CAT\", \"n\":[1,{\"text\":\"y\"}]}\n{\"text\":null}\n"},
        {"{\"t\":\"a\\n\\u00e9\\\"\",\"u\":\"b\"}",
         {"t"},
         "{\"t\":\"A\\n\xC3\xA9\\\"\",\"u\":\"b\"}"}};
    for (const Table& table : tables) {
        for (const std::size_t pieceBytes :
             std::initializer_list<std::size_t>{1, 2, 3, 5, 7, 1000}) {
            CAPTURE(table.before, pieceBytes);
            const auto after = released(table.before, table.columns, pieceBytes).value();
            CHECK(after == table.after);
        }
    }
}

TEST_CASE("A new text is quoted where it has to be, and never breaks a record") {
    const auto commas = [](const TableText::Fields& fields) -> Result<std::vector<std::string>> {
        return std::vector<std::string>(fields.texts.size(), "x,\t\"y");
    };
    CHECK(*released("a,b\n\"c\",d\n", {"1"}, 1000, RecordFormat::csv, commas) ==
          "\"x,\t\"\"y\",b\n\"x,\t\"\"y\",d\n");
    CHECK(*released("a\tb\n", {"2"}, 1000, RecordFormat::tsv, commas) == "a\tx, \"y\n");
    const std::string line =
        *released("{\"t\":\"a\"}\n", {"t"}, 1000, RecordFormat::jsonLines, commas);
    CHECK(nlohmann::json::parse(line)["t"] == "x,\t\"y");
}

TEST_CASE("Quotes between tabs of a file are part of the text where they cannot enclose fields") {
    const auto ofFile = [](std::string_view table) {
        TableText text({{"2"}, RecordFormat::automatic}, "mails.tsv", true);
        return text.add(table, capitals).and_then([&](const std::string& first) {
            return text.finish(capitals).map([&](const std::string& last) { return first + last; });
        });
    };
    CHECK(ofFile("ham\t\"go\nspam\tlondon\n") == "ham\t\"GO\nspam\tLONDON\n");
    CHECK(ofFile("1\t\"a\" \"b\n") == "1\t\"A\" \"B\n");
    // They may, or they must.
    for (const char* table : {"1\t\"a\nb\tc\"\n", "1\t\"a\tb\"\n2\tc\n"}) {
        test::checkRefused(ofFile(table), ErrorCode::badFile, "an odd number of quotes");
    }
    // Nobody knows what a stream goes on with.
    test::checkRefused(released("ham\t\"go\nspam\tlondon\n", {"2"}), ErrorCode::badFile,
                       "an odd number of quotes");
}

TEST_CASE("A broken record, or one without the column, is refused by its line") {
    struct Broken {
        std::string table;
        std::vector<std::string> columns;
        std::int64_t line;
        std::string message;
    };
    const std::vector<Broken> all{
        {"id,text\n1,a\n2\n", {"text"}, 3, "has 1 field, and the first one has 2"},
        {"id,text\n1,a, b\n", {"text"}, 2, "has 3 fields, and the first"},
        {"a\n\"b\nc\"\n\nd,e\n", {"1"}, 5, "has 2 fields"},
        {"id,text,n\n1, \"a, b\",2\n", {"text"}, 2, "a quote stands within"},
        {"id,text\n1,a \"b\"\n", {"text"}, 2, "a quote stands within"},
        {"1,a\r2,b\r", {"2"}, 1, "a carriage return without"},
        {"id\ttext\n1\ta\tb\n", {"text"}, 2, "has 3 fields"},
        {"id\ttext\n1\t\"a\nb\tc\"\n", {"text"}, 2, "an odd number of quotes"},
        {"id,text\n1,\"a\nb\"\n2,\"c\n", {"text"}, 4, "has no end"},
        {"id,text\n1,\"a\"b\n", {"text"}, 2, "behind a closing quote"},
        {"{\"t\":\"a\"}\n{\"t\":\"a\"\n", {"t"}, 2, "not a JSON object"},
        {"{\"t\":\"a\"}\n[1]\n", {"t"}, 2, "not a JSON object"},
        {"{\"t\":\"a\"}\n{\"u\":\"a\"}\n", {"t"}, 2, "\"t\" is missing"},
        {"{\"t\":1}\n", {"t"}, 1, "is no text"},
        {"{\"t\":\"\\ud800\"}\n", {"t"}, 1, "not a JSON object"}};
    for (const Broken& broken : all) {
        CAPTURE(broken.table);
        const Error error = test::checkRefused(released(broken.table, broken.columns, 4),
                                               ErrorCode::badFile, broken.message);
        CHECK(error.line == broken.line);
    }
    for (const auto& columns :
         {std::vector<std::string>{"x"}, {"0"}, {"3"}, {"text", "1"}, {"99999999999999999999"}}) {
        test::checkRefused(released("id,text\n1,a\n", columns), ErrorCode::invalidArgument);
    }
    CHECK_FALSE(released("a,a\n1,2\n", {"a"}));
}

TEST_CASE("No byte of a table is told in a message") {
    for (const std::string table :
         {"1,john is ill\n", "1\tjohn is ill\n2\tjohn\tis ill\n", "1,a\n2,\"john\" is ill\n"}) {
        for (const std::string column : {"text", "2"}) {
            CAPTURE(table, column);
            const auto result = released(table, {column});
            if (!result) {
                CHECK_THAT(result.error().message, !Contains("john") && !Contains("ill"));
            }
        }
    }
    CHECK_THAT(released("1,john,ill\n", {"text"}).error().message,
               Contains("must have \"text\" once; number of its columns: 3"));
}

TEST_CASE("Quotes are part of a TSV that is typed, and quote its fields where that is typed") {
    const std::string table = "1\t\"a\n2\tb\"\n";
    CHECK(*released(table, {"2"}, 3, RecordFormat::tsv) == "1\t\"A\n2\tB\"\n");
    CHECK(*released(table, {"2"}, 3, RecordFormat::tsvQuoted) == "1\t\"A\n2\tB\"\n");
    CHECK_FALSE(released(table, {"2"}));
    // One record: with tsv these would be two.
    TableText quoted({{"2"}, RecordFormat::tsvQuoted});
    REQUIRE(quoted.add(table, capitals));
    CHECK(quoted.records() == 1);
    const auto tabs = [](const TableText::Fields& fields) -> Result<std::vector<std::string>> {
        return std::vector<std::string>(fields.texts.size(), "x\ty");
    };
    CHECK(*released("a\tb\n", {"2"}, 9, RecordFormat::tsvQuoted, tabs) == "a\t\"x\ty\"\n");
}

// 16 MiB, in pieces as a file is read.
TEST_CASE("A field has a largest size") {
    const std::size_t longest = io::RecordScanner::kLongestField;
    const std::string start = "id,text\n1,\"";
    CHECK(released(start + std::string(longest - 2, 'a') + "\"\n", {"text"}, 1U << 16U));
    for (const std::string end : {"\"\n", "\"", "a"}) {
        const Error error = test::checkRefused(
            released(start + std::string(longest - 1, 'a') + end, {"text"}, 1U << 16U),
            ErrorCode::badFile, "a field of more than 16 MiB");
        CHECK(error.line == 2);
    }
}

// 500 tables in each format. What comes out, and what is found, is known from how they are written;
// Python's csv and json find the same cells in those without a defect.
TEST_CASE("Of random tables only the columns named change, or they are refused before they leak") {
    struct Format {
        RecordFormat format;
        std::string ending;
    };
    const auto [format, ending] = GENERATE(values<Format>({{RecordFormat::csv, ".csv"},
                                                           {RecordFormat::tsv, ".tsv"},
                                                           {RecordFormat::tsvQuoted, ""},
                                                           {RecordFormat::jsonLines, ".jsonl"}}));
    const auto hide = [](const TableText::Fields& fields) -> Result<std::vector<std::string>> {
        std::vector<std::string> texts;
        std::ranges::transform(fields.texts, std::back_inserter(texts), test::withoutSecrets);
        return texts;
    };
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const test::RandomTable table = test::randomTable(format, seed);
        CAPTURE(ending, seed, table.bytes, table.columns);
        TableText text({table.columns, table.isNamed ? RecordFormat::automatic : format},
                       table.isNamed ? "table" + ending : "");
        const std::size_t pieceBytes = 1 + seed % 50;
        std::string all;
        Result<std::string> piece;
        for (std::size_t at = 0; piece && at < table.bytes.size(); at += pieceBytes) {
            piece = text.add(std::string_view(table.bytes).substr(at, pieceBytes), hide);
            all += piece.value_or("");
        }
        piece = piece ? text.finish(hide) : piece;
        all += piece.value_or("");
        REQUIRE(all.find_first_of("ABCDEFGHIJKLM") == std::string::npos);
        REQUIRE(piece.has_value() == (table.defect == test::RandomTable::Defect::none));
        if (piece) {
            REQUIRE(all == table.released);
        } else {
            REQUIRE(piece.error().code == ErrorCode::badFile);
            REQUIRE(piece.error().line > 0);
            ++refused;
        }
    }
    CHECK((refused > 100 && refused < 200));
}
