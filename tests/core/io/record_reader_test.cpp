#include "core/io/record_reader.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/growth.h"
#include "tests/support/random_table.h"
#include "tests/support/refusal.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::io;
using Catch::Matchers::Contains;
using Records = std::vector<std::string>;

namespace {

Result<Records> readRecords(const RecordOptions& options) {
    ASSIGN_OR_RETURN(auto reader, RecordReader::open(options));
    Records records;
    for (std::string text;; records.push_back(text)) {
        ASSIGN_OR_RETURN(const bool more, reader.next(text));
        if (!more) {
            return records;
        }
    }
}

Result<Records> recordsOf(const std::string& content, const std::string& column,
                          RecordFormat format) {
    const test::TemporaryFolder folder;
    return readRecords({folder.file("data", content), column, format});
}

}  // namespace

TEST_CASE("A record a line: line ends of any kind, blank lines and a mark of the byte order") {
    CHECK(recordsOf("one\ntwo\r\n\n\r\nthree, \"3\"\tx", "", RecordFormat::lines).value() ==
          Records{"one", "two", "three, \"3\"\tx"});
    CHECK(recordsOf("\xEF\xBB\xBFone\n", "", RecordFormat::automatic).value() == Records{"one"});
    const std::string longerThanABuffer(100'000, 'x');
    CHECK(recordsOf("\xEF\xBB\xBF" + longerThanABuffer, "", RecordFormat::lines).value() ==
          Records{longerThanABuffer});
    CHECK(recordsOf("", "", RecordFormat::lines).value().empty());
    CHECK(recordsOf("\n\n", "", RecordFormat::lines).value().empty());
}

TEST_CASE("JSON Lines: members are found by name, and other values are written as JSON") {
    const std::string content =
        "{\"id\": 1, \"text\": \"a\\tb\"}\n{\"text\": 2.5, \"more\": 0}\n\n[1]\n{\"id\": 4}\n";
    const test::TemporaryFolder folder;
    const std::string path = folder.file("data.jsonl", content);
    CHECK(readRecords({path, "text"}).value() == Records{"a\tb", "2.5", ""});
    CHECK(readRecords({path, "2"}).value() == Records{"a\tb", "2.5", ""});
    CHECK_THAT(readRecords({path, "more"}).error().message, Contains("first line: 2"));
    CHECK_THAT(readRecords({path, ""}).error().message, Contains("2 columns"));
    CHECK(recordsOf("{\"text\": \"x\"}", "text", RecordFormat::automatic).value() == Records{"x"});
    CHECK(recordsOf("x\n", "text", RecordFormat::jsonLines).error().line == 1);
    // A list is no text.
    CHECK(recordsOf("{\"text\": [\"x\"]}", "text", RecordFormat::jsonLines).value() == Records{""});
}

TEST_CASE("JSON Lines: the members of a made-up line are read in time of its length") {
    const auto read = [](std::size_t members) {
        std::string line = "{";
        for (std::size_t i = 0; i < members; ++i) {
            line += "\"" + std::to_string(i) + "\": 1, ";
        }
        CHECK(recordsOf(line + "\"text\": \"x\"}", "text", RecordFormat::jsonLines).value() ==
              Records{"x"});
    };
    CHECK(test::growth(40'000, read) < test::kMostLinearGrowth);
}

TEST_CASE(
    "JSON Lines: columns are the members of the outermost object of the first line, each once") {
    const std::string nested = "{\"b\": {\"c\": 1}, \"a\": [{\"d\": 2}], \"b\": 3}\n";
    CHECK(recordsOf(nested, "1", RecordFormat::jsonLines).value() == Records{"3"});
    CHECK_THAT(recordsOf(nested, "3", RecordFormat::jsonLines).error().message,
               Contains("from 1 to 2"));
    for (const char* text :
         {"1", "[{\"a\": 1}]", "{}", "{\"a\": 1", "{\"a\": 1} 2", "\"a\"", "null"}) {
        CAPTURE(text);
        CHECK_THAT(recordsOf(text, "1", RecordFormat::jsonLines).error().message,
                   Contains("not a JSON object with members"));
    }
}

TEST_CASE("CSV as RFC 4180 has it") {
    // The examples of RFC 4180, section 2: quotes, doubled quotes, line ends inside fields.
    const std::string content =
        "field_name,text\r\n"
        "1,aaa\r\n"
        "2,\"b CRLF\r\nbb\"\r\n"
        "3,\"b\"\"bb\"\r\n"
        "4,\"zzz, yyy\"\r\n"
        "5,\r\n"
        "6,\"\"\r\n"
        "7,\"last\"";
    const Records expected{"aaa", "b CRLF\r\nbb", "b\"bb", "zzz, yyy", "", "", "last"};
    CHECK(recordsOf(content, "text", RecordFormat::csv).value() == expected);
    Records numbered = expected;
    numbered.insert(numbered.begin(), "text");
    CHECK(recordsOf(content, "2", RecordFormat::csv).value() == numbered);
}

TEST_CASE("Tabs part columns and quotes mean nothing there") {
    const std::string content = "ham\tHe said \"hi, you\r\nspam\t\"WIN\n\nham\tlast";
    CHECK(recordsOf(content, "2", RecordFormat::tsv).value() ==
          Records{"He said \"hi, you", "\"WIN", "last"});
    CHECK(recordsOf("label\tmessage\nham\thello\n", "message", RecordFormat::tsv).value() ==
          Records{"hello"});
}

TEST_CASE("The format follows from the name, else from the first line") {
    const test::TemporaryFolder folder;
    const auto read = [&](const char* name, const char* content, const char* column) {
        return readRecords({folder.file(name, content), column, RecordFormat::automatic}).value();
    };
    CHECK(read("a.csv", "x,text\n1,\"a,b\"\n", "text") == Records{"a,b"});
    CHECK(read("a.TSV", "x\ttext\n1\t\"a,b\"\n", "text") == Records{"\"a,b\""});
    CHECK(read("a.txt", "a,b\tc\n", "") == Records{"a,b\tc"});
    CHECK(read("messages", "ham\thi, there\n", "2") == Records{"hi, there"});
    CHECK(read("messages2", "ham,\"hi, there\"\n", "2") == Records{"hi, there"});
    CHECK(read("one.csv", "\"a\nb\"\nc\n", "") == Records{"a\nb", "c"});
    CHECK(read("a.csv.gz", "x,text\n1,\"a,b\"\n", "text") == Records{"a,b"});
    CHECK(formatOfName("x.ndjson") == RecordFormat::jsonLines);
    CHECK(formatOfName("x.TAB") == RecordFormat::tsv);
    CHECK(formatOfName("-") == RecordFormat::automatic);
    CHECK(formatOfStart("\xEF\xBB\xBF{\"1\":\"\"}\n") == RecordFormat::jsonLines);
}

TEST_CASE("Records with another number of fields or quotes out of place are skipped and counted") {
    const test::TemporaryFolder folder;
    const auto [name, content] = GENERATE(table<const char*, const char*>(
        {{"a.csv", "x,text\n1\n2,b\n3,c \"c\"\n4,d,e\n5, \"f\"\n\"6\" ,g\n7,h\r7\n8,i\n"},
         {"a.tsv", "x\ttext\n1\n2\tb\n3\t\"c\n4\td\te\n\"5\tf\n6\"g\n7\th\r7\n8\ti\n"}}));
    auto reader = RecordReader::open({folder.file(name, content), "text", {}}).value();
    std::string text;
    REQUIRE(reader.next(text).value());
    CHECK(text == "b");
    REQUIRE(reader.next(text).value());
    CHECK(text == "i");
    CHECK_FALSE(reader.next(text).value());
    CHECK(reader.skipped() == 6);
    CHECK(RecordReader::open({folder.file("b.csv", "x,\"te\"xt\n1,2\n"), "2", {}}).error().line ==
          1);
}

TEST_CASE("A column that is not there is refused with those that are") {
    const auto check = [](const std::string& column, const std::string& part) {
        CAPTURE(column);
        const Error error =
            test::checkRefused(recordsOf("id,label,text\n1,2,3\n", column, RecordFormat::csv),
                               ErrorCode::invalidArgument);
        CHECK_THAT(error.message, Contains(part) && !Contains("label"));
        CHECK_FALSE(error.file.empty());
    };
    check("Text", "number of columns in its first line: 3");
    check("", "the data set has 3 columns; choose one");
    check("4", "from 1 to 3");
    check("0", "from 1 to 3");
    test::checkRefused(recordsOf("a\n", "text", RecordFormat::lines), ErrorCode::invalidArgument);
}

TEST_CASE("Broken data sets are refused with the place") {
    const Error open = test::checkRefused(
        recordsOf("x,text\n1,a\n2,\"b\n3,c\n", "text", RecordFormat::csv), ErrorCode::badFile);
    CHECK(open.line == 3);
    test::checkRefused(recordsOf("\xFF\xFEx", "", RecordFormat::lines), ErrorCode::badFile,
                       "UTF-16");
    const Error damaged =
        test::checkRefused(recordsOf("x,text\n1,é ü\n2,\xFF é\n", "text", RecordFormat::csv),
                           ErrorCode::badFile, "not UTF-8");
    CHECK(damaged.line == 3);
    const Error missing =
        test::checkRefused(readRecords({"/nowhere/data.csv", "text", {}}), ErrorCode::badFile);
    CHECK(missing.file == "/nowhere/data.csv");
}

TEST_CASE("Records survive any place where a buffer ends") {
    // 64 KiB at a time: quotes, line ends and separators at and around the end of the first buffer.
    for (std::size_t padding = (1U << 16U) - 12; padding < (1U << 16U) + 4; ++padding) {
        const std::string content = std::string(padding, 'x') + ",\"a\"\"b\r\nc\"\r\ny,z\r\n";
        CAPTURE(padding);
        REQUIRE(recordsOf(content, "2", RecordFormat::csv).value() == Records{"a\"b\r\nc", "z"});
    }
}

// As for releases, tests/core/release/table_text_test.cpp.
TEST_CASE("The cells of random tables are found, and bad rows have none") {
    const auto [format, ending] =
        GENERATE(table<RecordFormat, std::string>({{RecordFormat::csv, ".csv"},
                                                   {RecordFormat::tsv, ".tsv"},
                                                   {RecordFormat::tsvQuoted, ""},
                                                   {RecordFormat::jsonLines, ".jsonl"}}));
    const test::TemporaryFolder folder;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const test::RandomTable table = test::randomTable(format, seed);
        if (table.defect == test::RandomTable::Defect::other) {
            continue;
        }
        CAPTURE(ending, seed, table.bytes);
        const std::string path =
            folder.file(table.isNamed ? "table" + ending : "table", table.bytes);
        auto reader =
            RecordReader::openFields({path, {}, table.isNamed ? RecordFormat::automatic : format});
        REQUIRE(reader);
        for (const Records& cells : table.cells) {
            const auto fields = reader->nextFields();
            REQUIRE((fields && *fields));
            const bool isObject = format == RecordFormat::jsonLines;
            // The last member of an object is not of the table.
            REQUIRE(Records((*fields)->begin(), (*fields)->end() - (isObject ? 1 : 0)) == cells);
        }
        REQUIRE_FALSE(reader->nextFields().value());
    }
}

TEST_CASE("The real data sets have the numbers of records their sources state") {
    // 5,574 messages; 7,613 and 3,263 tweets, on more lines than that.
    const auto messages = test::sharedFile("data/datasets/SMSSpamCollection");
    const auto train = test::sharedFile("data/datasets/nlp-getting-started-train.csv");
    const auto tests = test::sharedFile("data/datasets/nlp-getting-started-test.csv");
    if (!messages || !train || !tests) {
        return test::skipForWantOfData();
    }
    const Records sms = readRecords({*messages, "2", RecordFormat::tsv}).value();
    CHECK(sms.size() == 5574);
    // Three begin with a quote and hold an odd number of quotes (awk -F'\t').
    CHECK(readRecords({*messages, "2", {}}).value().size() == 5571);
    CHECK(sms[1] == "Ok lar... Joking wif u oni...");
    const Records tweets = readRecords({*train, "text", {}}).value();
    CHECK(tweets.size() == 7613);
    CHECK(tweets[3] == "13,000 people receive #wildfires evacuation orders in California ");
    CHECK(readRecords({*tests, "text", {}}).value().size() == 3263);
    // Every record has one of the two labels.
    const Records labels = readRecords({*train, "target", {}}).value();
    for (const std::string& label : labels) {
        REQUIRE((label == "0" || label == "1"));
    }
}
