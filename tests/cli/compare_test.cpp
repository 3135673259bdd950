#include <string>

#include <fmt/format.h>

#include "tests/cli/report_fixture.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::Arguments;
using test::CliResult;
using test::runCli;

namespace {

/// Messages of two classes that words only hint at, in parts of their own.
std::string splitMessages() {
    std::string csv = "class,message,split\n";
    for (int i = 0; i < 160; ++i) {
        const int first = 20 * (i % 2);
        csv += fmt::format("{},w{} w{} w{} text {},{}\n", i % 2 == 0 ? "ham" : "spam",
                           first + 3 * i % 31, first + 7 * i % 29, 11 * i % 60, i,
                           i % 8 < 5 ? "train" : "test");
    }
    return csv;
}

class Runs {
public:
    Runs()
        : m_vectors(m_folder.file("small.txt", test::madeUpGlove(60, 4, 1))),
          m_data(m_folder.file("data.csv", splitMessages())) {}

    /// Evaluates with these options more; returns the path of the results.
    [[nodiscard]] std::string evaluated(const std::string& name, const Arguments& more) const {
        Arguments arguments{
            "evaluate",    m_vectors,          "--data",    m_data, "--repeats", "3",
            "--mechanism", "mahalanobis",      "--epsilon", "2,6",  "--format",  "json",
            "-o",          m_folder.path(name)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CliResult result = runCli(arguments);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        return m_folder.path(name);
    }

private:
    test::TemporaryFolder m_folder{};
    std::string m_vectors;
    std::string m_data;
};

}  // namespace

TEST_CASE("compare gives the interval that one evaluation of both settings gives") {
    const Runs runs;
    const json both =
        json::parse(test::contentOf(runs.evaluated("both.json", {"--lambda", "0,1"})));
    REQUIRE(both["data"]["ownSplit"] == true);
    REQUIRE(both["differences"].size() == 2);
    const std::string first = runs.evaluated("first.json", {"--lambda", "0"});
    const std::string second = runs.evaluated("second.json", {"--lambda", "1"});
    const CliResult result = runCli({"compare", first, second, "--format", "json"});
    REQUIRE(result.exitCode == 0);
    std::size_t found = 0;
    std::size_t intervals = 0;
    const json comparison = json::parse(result.output);
    for (const json& figure : comparison["figures"]) {
        if (figure["figure"] == "classify.linear.accuracy" &&
            figure["condition"] != figure["other"]) {
            const json& own = both["differences"][found++]["accuracy"];
            CHECK(figure["paired"] == true);
            CHECK(figure["difference"]["mean"].get<double>() ==
                  Approx(own["mean"].get<double>()).margin(1e-12));
            // Repeats that do not vary have no interval.
            const json& interval = figure["difference"]["ci95"];
            CHECK(interval.is_null() == own["ci95"].is_null());
            intervals += interval.is_null() ? 0U : 1U;
            for (std::size_t end = 0; end < interval.size(); ++end) {
                CHECK(interval[end].get<double>() ==
                      Approx(own["ci95"][end].get<double>()).margin(1e-12));
            }
        }
    }
    CHECK(found == 2);
    CHECK(intervals > 0);
}

TEST_CASE("compare takes two calibrations, and no two kinds") {
    const test::TemporaryFolder folder;
    const std::string first = folder.file("first.json", test::contentOf(test::calibrated(folder)));
    const std::string second =
        folder.file("second.json", test::contentOf(test::calibrated(folder, {"--seed", "2"})));
    const CliResult text = runCli({"compare", first, second});
    CHECK(text.exitCode == 0);
    CHECK_THAT(text.output, Contains("nw.mean") && Contains("meanCosine") && !Contains("verdict"));
    CHECK_THAT(runCli({"compare", first, first}).output, Contains("draws of the same seed"));
    CHECK_THAT(runCli({"compare", first, second, "--format", "csv"}).output,
               Contains("difference.ci95Low") && Contains("shannonEntropy.mean"));
    const Runs runs;
    const CliResult mixed = runCli({"compare", first, runs.evaluated("e.json", {"--lambda", "0"})});
    CHECK(mixed.exitCode == 4);
    CHECK_THAT(mixed.errors, Contains("two of calibrate --format json"));
}
