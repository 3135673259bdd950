#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;
using test::CliResult;
using test::Terminal;

namespace {

/// A folder with run.json, a calibration at epsilon 2 and 8 with lambda 0 and 0.5.
class Reporter : public Terminal {
public:
    Reporter() {
        printed(
            "calibrate small.txt --epsilon 2,8 --lambda 0,0.5 --words 20 --draws 10 --format "
            "json -o run.json");
    }

    [[nodiscard]] ordered_json documentOf(const std::string& options) const {
        return ordered_json::parse(printed("report --format json --from " + options));
    }
    /// Makes a report in this file.
    void report(const std::string& file, const std::string& options) const {
        printed("report -o " + file + " --from " + options);
    }
    /// A limit that the settings at epsilon 2 meet and those at 8 do not.
    [[nodiscard]] std::string limitBetween() const {
        double most = 0;
        double least = HUGE_VAL;
        const ordered_json run = document("run.json");
        for (const ordered_json& cell : run["cells"]) {
            const double mean = cell["nw"]["mean"];
            if (cell["epsilon"] == 2.0) {
                most = std::max(most, mean);
            } else {
                least = std::min(least, mean);
            }
        }
        REQUIRE(most < least);
        return fmt::format(" --limit nw.mean<={} ", (most + least) / 2);
    }
};

const std::string kAnyLimit = " --limit nw.mean<=100% ";

/// 40 messages whose class follows from one word each.
std::string messages() {
    std::string csv = "class,message\n";
    for (int i = 0; i < 40; ++i) {
        const char* const rows[] = {"health,\"the doctor", "health,\"the hospital",
                                    "travel,\"the train", "travel,\"the station"};
        csv += fmt::format("{}, number {}\"\n", rows[i % 4], i);
    }
    return csv;
}

/// A folder with run.json and evaluation.json: laplace on a part of the sample.
class Evaluated : public Terminal {
public:
    Evaluated() {
        file("messages.csv", messages());
        printed(
            "calibrate sample --mechanism laplace --epsilon 2,50 --words 10 --draws 20 "
            "--limit-rows 1000 --format json -o run.json");
        evaluate("evaluation.json", "laplace", 1000);
    }
    void evaluate(const std::string& name, const std::string& mechanism, int rows) const {
        printed(fmt::format(
            "evaluate sample --data messages.csv --task classify,reconstruct --mechanism {} "
            "--epsilon 2,40 --repeats 2 --limit-rows {} --format json -o {}",
            mechanism, rows, name));
    }
    std::string reported(const std::string& options) const {
        return printed("report --from run.json --epsilon " + options);
    }
};

}  // namespace

TEST_CASE("report chooses by typed limits, which leave the choice of a person alone") {
    const Reporter folder;
    folder.report("chosen.json", "run.json" + kAnyLimit);
    const ordered_json chosen = folder.document("chosen.json");
    CHECK(chosen["findings"]["cell"] == 1);  // epsilon 8, of both lambda the first
    const std::string said = chosen["report"]["epsilonOrigin"];
    CHECK_THAT(said, Contains("meets all limits") && Contains("not chosen by a person"));
    const ordered_json anew = folder.documentOf("chosen.json" + folder.limitBetween());
    CHECK(anew["report"]["choice"]["epsilon"] == 2.0);
    CHECK(anew["report"]["epsilonOrigin"] == said);
    const ordered_json none = folder.documentOf("chosen.json --limit nw.mean<=0");
    CHECK(none["report"]["choice"].is_null());
    CHECK_FALSE(none["report"].contains("epsilonOrigin"));
    folder.file("none.json", none.dump());
    CHECK_THAT(folder.printed("report --from none.json"), Contains("No setting was chosen"));
    for (const std::string& more : {std::string(), folder.limitBetween()}) {
        folder.report("person.json",
                      "chosen.json --epsilon 8 --lambda 0 --reason 'short texts'" + more);
        const ordered_json person = folder.document("person.json");
        CHECK(person["report"]["choice"]["epsilon"] == 8.0);
        CHECK(person["findings"]["limits"][0]["met"] == more.empty());
        CHECK(person["report"]["reason"] == "short texts");
        CHECK_FALSE(person["report"].contains("epsilonOrigin"));
        // Limits that are typed later neither.
        CHECK(folder.documentOf("person.json" + folder.limitBetween())["report"]["choice"] ==
              person["report"]["choice"]);
    }
}

TEST_CASE("report: an evaluation answers what an attacker gets and what is lost") {
    const Evaluated folder;
    const std::string exact = folder.reported("2 --evaluation evaluation.json");
    // The figure of the memo is that of the evaluation.
    const auto evaluation = folder.document("evaluation.json");
    const double best = evaluation["cells"][0]["reconstruct"]["best"]["mean"];
    CHECK_THAT(exact,
               Contains(fmt::format("the best attacker guesses {:.0f} of 100", 100.0 * best)));
    // JSON holds the whole evaluation, and other formats follow from it.
    folder.reported("2 --evaluation evaluation.json -o r.json");
    CHECK(folder.document("r.json")["evaluations"][0] == evaluation);
    CHECK_THAT(folder.printed("report --from r.json"), Contains("the best attacker guesses"));
    folder.printed("verify --from r.json");
    folder.change("r.json", "/evaluations/0/cells/0/reconstruct/echo/mean", 0.5);
    CHECK_THAT(folder.run("verify --from r.json").output,
               Contains("evaluations[0].cells[0].reconstruct.echo.mean:"));
    folder.change("r.json", "/evaluations/0/repeat", nullptr);
    const CliResult unknown = folder.run("verify --from r.json");
    CHECK(unknown.exitCode == 1);
    CHECK_THAT(unknown.output, Contains("evaluations[0].repeat: stored no complete run that could "
                                        "be repeated, found nothing"));
}

TEST_CASE("report: limits on texts stand in the verdict, held against the evaluation") {
    const Evaluated folder;
    const auto gain = folder.document("evaluation.json")["cells"][0]["reconstruct"]["gain"];
    const double highest = gain["ci95"][1];
    REQUIRE(highest > 0.0);
    REQUIRE(highest < 0.98);
    const std::string held = " --evaluation evaluation.json";
    const std::string met = fmt::format(" --limit attack.gain<={}", highest + 0.01);
    const std::string missed = fmt::format(" --limit attack.gain<={}", highest / 2.0);
    CHECK_THAT(folder.reported("2" + held + met + kAnyLimit), Contains("limits: 2 of 2 met."));
    // Nothing is judged by another setting, or by nothing.
    for (const std::string& options : {fmt::format("50{}{}", held, met), "2" + met}) {
        CHECK_THAT(folder.reported(options), Contains("limits: 1 of 1 not measured."));
    }
    // The JSON keeps them, and cannot be talked into another verdict.
    folder.reported("2" + held + missed + " -o r.json");
    const auto findings = folder.document("r.json")["findings"]["figureLimits"];
    CHECK(findings[0]["met"] == false);
    CHECK(findings[0]["value"] == gain["mean"]);
    CHECK_THAT(folder.printed("report --from r.json"), Contains("limits: 1 of 1 not met"));
    folder.change("r.json", "/findings/figureLimits/0/met", true);
    folder.fails("report --from r.json", 4, "was changed or is damaged");
    // A report does not search.
    folder.fails("report --from run.json" + held + met + kAnyLimit, 2,
                 "give --epsilon, which recommend --data finds");
}

TEST_CASE("report: an evaluation of something else is refused") {
    const Evaluated folder;
    folder.evaluate("tem.json", "tem", 1000);
    folder.evaluate("fewer.json", "laplace", 900);
    folder.fails("report --from run.json --evaluation tem.json", 2, "another mechanism (tem, ");
    folder.fails("report --from run.json --evaluation fewer.json", 2, "another embedding");
}
