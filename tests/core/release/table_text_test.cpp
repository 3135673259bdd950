#include "core/release/table_text.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/random_table.h"
#include "tests/support/refusal.h"

// What must stay is compared byte for byte; fields are put into capitals in place of a mechanism.

using namespace epsilens;
using Catch::Matchers::Contains;
using io::RecordFormat;
using release::TableText;

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
