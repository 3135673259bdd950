#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

// So much epsilon that every word stays, and so little that hardly one does: what comes out is then
// known, or known to differ.

using namespace epsilens;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

CliResult sanitized(const test::TemporaryFolder& folder, const std::string& epsilon,
                    const Arguments& options, const std::string& input) {
    Arguments arguments{"sanitize",  folder.file("small.txt", test::madeUpGlove(60, 4, 1)),
                        "--lambda",  "0",
                        "--epsilon", epsilon};
    arguments.insert(arguments.end(), options.begin(), options.end());
    CliSetup setup;
    setup.input = input;
    return runCli(arguments, setup);
}

}  // namespace

TEST_CASE("Only the columns named are released, and the rest is said to be as it was") {
    const test::TemporaryFolder folder;
    const CliResult csv =
        sanitized(folder, "1e9", {"--column", "text", "--sidecar", folder.path("sidecar.json")},
                  "id,text\r\n1,w1 secret\r\n2,\"W2, w3\"\r\n");
    INFO(csv.errors);
    CHECK(csv.exitCode == 0);
    CHECK(csv.output == "id,text\r\n1,w1 <unk>\r\n2,\"W2, w3\"\r\n");
    CHECK_THAT(csv.errors, Contains("warning: only column text of 2 records is released"));
    const json sidecar = json::parse(test::contentOf(folder.path("sidecar.json")));
    CHECK(sidecar["settings"]["table"] ==
          json({{"format", "csv"}, {"columns", {"text"}}, {"records", 2}}));
    CHECK(sidecar["counts"]["words"] == 4);
    CHECK(sidecar["counts"]["bytesWritten"] == csv.output.size());
    CHECK_THAT(sidecar["warnings"].dump(),
               Contains("\"everything but the columns named is left as it is\""));
    CHECK(sanitized(folder, "1e9", {"--column", "text"},
                    "{\"id\":7,\"text\":\"w1 x\"}\n{\"text\":\"w2\"}")
              .output == "{\"id\":7,\"text\":\"w1 <unk>\"}\n{\"text\":\"w2\"}");
    CHECK(sanitized(folder, "1e9", {"--column", "2", "--data-format", "tsv"}, "w1 x\tw1 x\n")
              .output == "w1 x\tw1 <unk>\n");
}

TEST_CASE("A broken table ends with its line, and leaves no file") {
    const test::TemporaryFolder folder;
    const CliResult result = sanitized(
        folder, "1e9", {"--column", "text", "-o", folder.path("out.csv")}, "id,text\n1,w1\n2\n");
    CHECK(result.exitCode == 4);
    CHECK_THAT(result.errors,
               Contains("standard input:3: this record has 1 field, and the first one has 2"));
    CHECK(folder.names() == Arguments{"small.txt"});
    const CliResult unknown = sanitized(folder, "1e9", {"--column", "words"}, "john,ill\n1,w1\n");
    CHECK(unknown.exitCode == 2);
    CHECK_THAT(unknown.errors, Contains("must have \"words\" once; number of its columns: 2"));
    CHECK_THAT(unknown.errors, !Contains("john"));
}

// With a wrong number of fields, or quotes that another program would read otherwise, text of one
// column would pass for another one.
TEST_CASE("A table whose columns are in doubt is refused before it leaks, and never quoted") {
    const test::TemporaryFolder folder;
    struct Doubtful {
        std::string format;
        std::string table;
        std::string message;
    };
    const std::string tsvHint = "--data-format tsv-quoted reads files whose fields are quoted";
    const auto [format, table, message] = GENERATE_COPY(values<Doubtful>(
        {{"auto", "id,kind,text\n1,ham,w1 John, w2 4711\n", ":2: this record has 4 fields"},
         {"auto", "id,text,kind\n1, \"w1 John, w2 4711\",ham\n", ":2: a quote stands within"},
         {"auto", "id,text,kind\n1,w1\nJohn 4711,ham\n", ":2: this record has 2 fields"},
         {"auto", "id,text\n1,\"w1\" John 4711\n", ":2: text stands behind a closing quote"},
         {"auto", "1,w1\r2,John 4711\r", ":1: a carriage return without a line feed"},
         {"auto", "id\ttext\n1\t\"w1\tJohn 4711\"\n", tsvHint + ", and --data-format tsv"},
         {"auto", "id\ttext\n1\t\"w1\nJohn 4711\tis ill\"\n", tsvHint + ", and --data-format tsv"},
         {"tsv", "id\ttext\n1\tw1\tJohn 4711\n", tsvHint},
         {"tsv-quoted", "id\ttext\n1\t\"w1\"\tJohn 4711\n", ":2: this record has 3 fields"}}));
    CAPTURE(format, table);
    const std::string column = table.starts_with("id") ? "text" : "2";
    for (const bool isFile : {false, true}) {
        Arguments options{"--column", column, "--data-format", format};
        if (isFile) {
            options.insert(options.end(), {"-o", folder.path("out")});
        }
        const CliResult result = sanitized(folder, "1e9", options, table);
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors, Contains(message));
        CHECK_THAT(result.errors + result.output, !Contains("John") && !Contains("4711"));
        CHECK(folder.names() == Arguments{"small.txt"});
    }
}

TEST_CASE("A TSV whose fields are quoted is released as Python's csv module writes it") {
    const test::TemporaryFolder folder;
    // csv.writer(delimiter='\t', lineterminator='\n') of Python 3.11.
    CHECK(sanitized(folder, "1e9", {"--column", "text", "--data-format", "tsv-quoted"},
                    "id\ttext\n1\t\"w1\tJohn\"\n2\t\"w2 \"\"w3\"\"\nJohn\"\n")
              .output == "id\ttext\n1\t\"w1\t<unk>\"\n2\t\"w2 \"\"w3\"\"\n<unk>\"\n");
    CHECK(sanitized(folder, "1e9", {"--column", "2", "--data-format", "tsv"}, "1\t\"w1 John\n")
              .output == "1\t\"w1 <unk>\n");
}

TEST_CASE("A released cell that a spreadsheet would run gets an apostrophe") {
    const test::TemporaryFolder folder;
    // With so little epsilon the noise alone decides: each corner of the hull comes out with the
    // share of 360 degrees that its normal cone has, =1 and -x with 45 each. That one of them is
    // missing in 200 cells has probability (7/8)^200 < 1e-11.
    folder.file("formulas.txt", "=1 1 0\n-x 0 1\n+1 1 1\n@a 0 2\nplain 2 0\nword 2 1\n");
    const auto released = [&](const std::string& cell, Arguments options) {
        std::string table = "text,id\n";
        for (int i = 0; i < 200; ++i) {
            table += cell + ",=1\n";
        }
        Arguments arguments{"sanitize",    folder.path("formulas.txt"),
                            "--mechanism", "laplace",
                            "--epsilon",   "1e-6",
                            "--column",    "text"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        CliSetup setup;
        setup.input = table;
        const CliResult result = runCli(arguments, setup);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        std::map<std::string, int> starts;
        std::istringstream lines(result.output);
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line)) {
            CHECK(line.ends_with(",=1"));
            ++starts[line.substr(0, line.front() == '\'' ? 2 : 1)];
        }
        return starts;
    };
    const auto plain = released("plain", {});
    CHECK(plain.contains("'="));
    CHECK(plain.contains("'-"));
    for (const char* bare : {"=", "-", "+", "@"}) {
        CHECK_FALSE(plain.contains(bare));
    }
    // The dash is no part of a word and stays as it was.
    CHECK(released("-plain", {}) == std::map<std::string, int>{{"-", 200}});
    // A word as any other: that it was there must not show.
    CHECK_FALSE(released("@a", {}).contains("@"));
    CHECK(released("@b", {"--unknown", "keep"}) == std::map<std::string, int>{{"@", 200}});
    // No spreadsheet reads JSON Lines.
    std::string objects;
    for (int i = 0; i < 200; ++i) {
        objects += "{\"text\":\"plain\"}\n";
    }
    CliSetup setup;
    setup.input = objects;
    const CliResult lines = runCli({"sanitize", folder.path("formulas.txt"), "--mechanism",
                                    "laplace", "--epsilon", "1e-6", "--column", "text"},
                                   setup);
    CHECK_THAT(lines.output, Contains("\"=1\"") && !Contains("'"));
}

TEST_CASE("Equal words get equal replacements within a document, and the cost is said") {
    const test::TemporaryFolder folder;
    std::string text;
    for (int line = 0; line < 40; ++line) {
        text += "w1 w2 w1 w1\n";
    }
    const CliResult result =
        sanitized(folder, "0.001",
                  {"--consistent", "document", "--sidecar", folder.path("sidecar.json")}, text);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("warning: equal words get equal replacements"));
    std::istringstream lines(result.output);
    std::map<std::string, int> distinctLines;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::vector<std::string> outputs{4};
        words >> outputs[0] >> outputs[1] >> outputs[2] >> outputs[3];
        CHECK(outputs[0] == outputs[2]);
        CHECK(outputs[0] == outputs[3]);
        ++distinctLines[line];
    }
    // 60 words, next to uniform: that 40 lines drawn apart are all equal has probability below
    // 60^-39.
    CHECK(distinctLines.size() > 1);
    const json sidecar = json::parse(test::contentOf(folder.path("sidecar.json")));
    CHECK(sidecar["settings"]["consistent"] == "document");
    CHECK(sidecar["guarantee"]["repetition"]["within"] == "document");
    CHECK(sidecar["guarantee"]["repetition"]["distinctWords"] == 80);
    CHECK(sidecar["guarantee"]["repetition"]["mostDistinctInDocument"] == 2);
    CHECK(sidecar["guarantee"]["total"]["words"] == 80);
    CHECK(sidecar["guarantee"]["perLine"]["words"] == 2);
    const CliResult run = sanitized(folder, "1", {"--consistent", "run"}, text);
    CHECK(run.exitCode == 2);
    CHECK_THAT(run.errors, Contains("--consistent: \"run\" is not one of document"));
}

TEST_CASE("A record of a table is one document, whatever fields and lines it has") {
    const test::TemporaryFolder folder;
    std::string table;
    for (int record = 0; record < 40; ++record) {
        table += "w1,\"w1\nw1\"\n";
    }
    const CliResult result =
        sanitized(folder, "0.001", {"--consistent", "document", "--column", "1", "2"}, table);
    REQUIRE(result.exitCode == 0);
    std::map<std::string, int> seen;
    for (std::size_t at = 0; at < result.output.size();) {
        const std::size_t comma = result.output.find(',', at);
        const std::string word = result.output.substr(at, comma - at);
        const std::string rest = ",\"" + word + "\n" + word + "\"\n";
        REQUIRE(result.output.substr(comma, rest.size()) == rest);
        at = comma + rest.size();
        ++seen[word];
    }
    CHECK(seen.size() > 1);
}
