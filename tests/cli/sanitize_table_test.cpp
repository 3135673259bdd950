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
    CHECK_THAT(result.errors, Contains("standard input:3: this record has 1 fields"));
    CHECK(folder.names() == Arguments{"small.txt"});
    const CliResult unknown = sanitized(folder, "1e9", {"--column", "words"}, "id,text\n1,w1\n");
    CHECK(unknown.exitCode == 2);
    CHECK_THAT(unknown.errors, Contains("must have \"words\" once"));
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
