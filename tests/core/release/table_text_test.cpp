#include "core/release/table_text.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

// What must stay is compared byte for byte; fields are put into capitals in place of a mechanism.

using namespace epsilens;
using Catch::Matchers::Contains;
using release::TableFormat;
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
                             TableFormat format = TableFormat::automatic,
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
        {"a,b \"b,c\r\n\r\nd,e,f\r\n", {"2"}, "a,B \"B,c\r\n\r\nd,E,f\r\n"},
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
            const auto after = released(table.before, table.columns, pieceBytes);
            INFO((after ? "" : after.error().message));
            REQUIRE(after);
            CHECK(*after == table.after);
        }
    }
}

TEST_CASE("A new text is quoted where it has to be, and never breaks a record") {
    const auto commas = [](const TableText::Fields& fields) -> Result<std::vector<std::string>> {
        return std::vector<std::string>(fields.texts.size(), "x,\t\"y");
    };
    CHECK(*released("a,b\n\"c\",d\n", {"1"}, 1000, TableFormat::csv, commas) ==
          "\"x,\t\"\"y\",b\n\"x,\t\"\"y\",d\n");
    CHECK(*released("a\tb\n", {"2"}, 1000, TableFormat::tsv, commas) == "a\tx, \"y\n");
    const std::string line =
        *released("{\"t\":\"a\"}\n", {"t"}, 1000, TableFormat::jsonLines, commas);
    CHECK(nlohmann::json::parse(line)["t"] == "x,\t\"y");
}

TEST_CASE("A broken record, or one without the column, is refused by its line") {
    struct Broken {
        std::string table;
        std::vector<std::string> columns;
        std::int64_t line;
        std::string message;
    };
    const std::vector<Broken> all{{"id,text\n1,a\n2\n", {"text"}, 3, "has 1 fields"},
                                  {"id,text\n1,\"a\nb\"\n2,\"c\n", {"text"}, 4, "has no end"},
                                  {"id,text\n1,\"a\"b\n", {"text"}, 2, "behind a closing quote"},
                                  {"{\"t\":\"a\"}\n{\"t\":\"a\"\n", {"t"}, 2, "not a JSON object"},
                                  {"{\"t\":\"a\"}\n[1]\n", {"t"}, 2, "not a JSON object"},
                                  {"{\"t\":\"a\"}\n{\"u\":\"a\"}\n", {"t"}, 2, "\"t\" is missing"},
                                  {"{\"t\":1}\n", {"t"}, 1, "is no text"},
                                  {"{\"t\":\"\\ud800\"}\n", {"t"}, 1, "not a JSON object"}};
    for (const Broken& broken : all) {
        CAPTURE(broken.table);
        const auto result = released(broken.table, broken.columns, 4);
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::badFile);
        CHECK(result.error().line == broken.line);
        CHECK_THAT(result.error().message, Contains(broken.message));
    }
    for (const auto& columns :
         {std::vector<std::string>{"x"}, {"0"}, {"3"}, {"text", "1"}, {"99999999999999999999"}}) {
        const auto result = released("id,text\n1,a\n", columns);
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::invalidArgument);
    }
    CHECK_FALSE(released("a,a\n1,2\n", {"a"}));
}

TEST_CASE("The format follows the name, else the first line") {
    CHECK(release::tableFormatOfName("x.csv") == TableFormat::csv);
    CHECK(release::tableFormatOfName("x.tab") == TableFormat::tsv);
    CHECK(release::tableFormatOfName("x.ndjson") == TableFormat::jsonLines);
    CHECK(release::tableFormatOfName("-") == TableFormat::automatic);
    for (const TableFormat format :
         {TableFormat::automatic, TableFormat::csv, TableFormat::tsv, TableFormat::jsonLines}) {
        CHECK(*release::parseTableFormat(release::tableFormatName(format)) == format);
    }
    CHECK_FALSE(release::parseTableFormat("xls"));
}
