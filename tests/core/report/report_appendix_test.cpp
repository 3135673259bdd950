#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/report_document.h"
#include "core/report/repeat_command.h"
#include "core/report/report_parts.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"

// A report must claim no more than math.md proves and the run measured. Which numbers have to
// appear is taken from the JSON document of the same report.

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;
using test::pageOf;
using test::reportOn;

namespace {

ordered_json documentOf(const document::Report& report) {
    return ordered_json::parse(document::reportJson(report).value());
}

}  // namespace

TEST_CASE("Numbers of a report are whole or have four significant digits") {
    CHECK(report::shownNumber(41) == "41");
    CHECK(report::shownNumber(2003.25) == "2003");
    CHECK(report::shownNumber(0.0312345) == "0.03123");
    CHECK(report::shownNumber(std::optional<double>()) == "–");
    CHECK(report::shownNumber(std::nan("")) == "–");
    CHECK(report::shownShare(0.4567) == "45.7%");
}

// 26 of 100 words, give or take 2.7: whole numbers; bits with an interval 0.26 wide: one decimal.
TEST_CASE("The results have no more digits than the draws carry") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.draws = 100;
    calibration::Cell& cell = summary.cells.front();
    cell.nw.mean = 26.123;
    cell.nw.ci95 = {23.42, 28.82};
    cell.nw.p5 = 4.95;
    cell.kept = 0.26123;
    cell.minEntropy.mean = 1.4612;
    cell.minEntropy.ci95 = {1.3312, 1.5912};
    cell.minEntropy.p5 = 0.05889;
    cell.meanDistance = 2.8234;
    const std::string text = pageOf(reportOn(summary));
    for (const char* shown : {" 26 ", " 5 ", "26%", "23 to 29", "1.3 to 1.6", " 1.5 ", " 0.1 ",
                              "from its word: 2.8."}) {
        CAPTURE(shown);
        CHECK_THAT(text, Contains(shown));
    }
    for (const char* hidden : {"26.12", "4.95", "1.46", "0.0588", "2.82"}) {
        CAPTURE(hidden);
        CHECK_THAT(text, !Contains(hidden));
    }
    // An interval without spread is none.
    cell.nw.ci95 = {0, 0};
    cell.sw.ci95 = {100, 100};
    CHECK_THAT(pageOf(reportOn(summary)), !Contains("0 to 0 ") && !Contains("100 to 100"));
}

TEST_CASE("Sampled entropies are called lower bounds while draws have seen too little") {
    // Good-Turing coverage is 0.75 in the example, and 0.9 is what makes an entropy trusted.
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    const auto said = [&summary] { return pageOf(reportOn(summary)); };
    CHECK_THAT(said(), Contains("(bits, lower bound)"));
    summary.cells.front().coverage = 0.9;
    CHECK_THAT(said(), !Contains("lower bound"));
    summary.cells.front().coverage.reset();
    CHECK_THAT(said(), Contains("(bits, lower bound)"));
    CHECK_THAT(pageOf(reportOn(test::exampleTem())), !Contains("lower bound"));
}

TEST_CASE("The words protected least are called those of the words measured") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(pageOf(reportOn(summary)),
               Contains("Of the 3 words measured, those that are kept most often") &&
                   Contains("This says nothing about the other 12,342 words of the vocabulary"));
    summary.draws = 200;
    summary.cells.front().nw.min = 0;
    summary.cells.front().worst = calibration::WorstWords{10'000, {{7, "worst0", 4, 2'000}}};
    document::Report report = reportOn(summary);
    report.run.provenance.embedding.words = 3;
    // 1 - 0.05^(1/200) = 1.487%: an upper bound is rounded up.
    CHECK_THAT(pageOf(report),
               Contains("The words of the vocabulary that are kept most often") &&
                   !Contains("says nothing") && !Contains("not counted again") &&
                   Contains("A word kept in none of its 200 draws is kept with probability ≤ 1.5% "
                            "(95%)."));
}

TEST_CASE("Bounds of a report are rounded up, an ε as typed stays") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    mechanism::Guarantee& guarantee = summary.guarantees.front();
    guarantee.euclidean = {0.19237, 1.24245};
    guarantee.cap = 6.33333;
    guarantee.epsilon = 1.00004;
    guarantee.bound = 1.00004;
    for (const char* shown : {"1.00004", "6.334", "1.243", "0.1923"}) {
        CHECK_THAT(pageOf(reportOn(summary)), Contains(shown));
    }
    guarantee.bound = 6.00004;  // epsilon + m
    CHECK_THAT(pageOf(reportOn(summary)),
               Contains("e^(6.00004·d(w, w')) times Pr[M(w') = u], and at most e^6.334 times"));
}

TEST_CASE("A report tells of words that share a vector") {
    document::Report report = reportOn(test::exampleMahalanobis());
    auto& shared = report.run.provenance.embedding.sharedVectors;
    shared = calibration::EmbeddingDescription::SharedVectors{5, 2};
    CHECK_THAT(pageOf(report),
               Contains("5 in 2 groups; but for the first row of each they are kept "
                        "in no draw, whatever ε"));
    // TEM keeps all words.
    report.run = test::exampleRun(test::exampleTem());
    report.settings.choice.reset();
    shared = calibration::EmbeddingDescription::SharedVectors{5, 2};
    CHECK_THAT(pageOf(report), Contains("Words that share a vector       5\n"));
}

// Means of N_w are 1000, 2000, 3000, 4000 for (epsilon, lambda) of (1, 0.5), (10, 0.5), (1, 1),
// (10, 1).
TEST_CASE("Limits choose nothing by themselves; who asks for it is proposed the largest epsilon") {
    document::Report report = test::exampleReport();
    using Choice = calibration::Choice;
    const auto chosen = [&](const Choice& choice) {
        report.settings.choice = choice;
        return document::findingsOf(report).value().cell;
    };
    CHECK(document::findingsOf(report)->odds.front().factor == Approx(std::exp(10 * 0.875)));
    CHECK(chosen({10, std::nullopt, std::nullopt}) == 1U);
    CHECK(chosen({10, 1.0, std::nullopt}) == 3U);
    report.settings.choice = Choice{11, std::nullopt, std::nullopt};
    CHECK_THAT(document::findingsOf(report).error().message, Contains("epsilon 11"));
    report.settings.choice.reset();
    const auto proposed = [&](const char* limit, const std::vector<std::size_t>& within) {
        report.settings.limits = {*calibration::parseLimit(limit)};
        const ordered_json stated = documentOf(report)["findings"];
        CHECK(stated["cell"].is_null());
        CHECK(stated["withinLimits"] == within);
        CHECK(stated["odds"].empty());
        return *calibration::proposedChoice(report.run, report.settings.limits);
    };
    const auto of = proposed("nw.mean<=3500", {0, 1, 2});
    CHECK(of->epsilon == 10.0);
    CHECK(of->lambda == 0.5);
    CHECK_FALSE(proposed("nw.mean<=10", {}));
    CHECK_THAT(pageOf(report), Contains("None of the 4 calibrated settings"));
    report.settings.limits.clear();
    CHECK_FALSE(*calibration::proposedChoice(report.run, report.settings.limits));
}

TEST_CASE("A choice that was not calibrated is named with those of its epsilon") {
    calibration::CalibrationSummary summary = test::exampleTem();
    for (calibration::Cell& cell : summary.cells) {
        cell.gamma = 32.598361;
    }
    calibration::Run run = test::exampleRun(summary);
    const auto complaint = [&run](calibration::Choice choice) {
        const auto checked = calibration::findingsOf(run, {}, choice);
        return checked ? std::string() : checked.error().message;
    };
    CHECK(complaint({2, std::nullopt, 32.598361}).empty());
    CHECK(complaint({2, std::nullopt, std::nullopt}).empty());
    CHECK_THAT(complaint({2, std::nullopt, 32.6}),
               Contains("epsilon 2, gamma 32.6 was chosen, which is not among the calibrated "
                        "settings; there is epsilon 2, lambda 0, gamma 32.598361"));
    run = test::exampleRun(test::exampleMahalanobis());
    CHECK_THAT(complaint({10, 0.25, std::nullopt}),
               Contains("epsilon 10, lambda 0.25 was chosen") &&
                   Contains("there is epsilon 10, lambda 0.5; there is epsilon 10, lambda 1"));
    CHECK_THAT(complaint({10, 0.5, 3.0}), Contains("epsilon 10, lambda 0.5, gamma 3 was chosen"));
    // Of settings that differ in gamma alone the chosen one is reported.
    summary.cells[0].gamma = 3.0;
    summary.cells[1] = summary.cells[0];
    summary.cells[1].gamma = 5.0;
    run = test::exampleRun(summary);
    for (const std::size_t cell : {std::size_t{0}, std::size_t{1}}) {
        const calibration::Choice choice{2, std::nullopt, summary.cells[cell].gamma};
        CHECK(calibration::findingsOf(run, {}, choice).value().cell == cell);
    }
}

TEST_CASE("Tables show some points of an axis, its ends and the chosen one among them") {
    calibration::CalibrationSummary summary;
    calibration::Run run;
    run.request.options.epsilonAxis = true;
    const auto shownOf = [&](int points, std::optional<std::size_t> chosen = {}) {
        summary.grid.epsilons.clear();
        summary.cells.clear();
        for (int i = 0; i < 2 * points; ++i) {
            summary.cells.emplace_back().epsilon = 1.0 + i % points;
            summary.grid.epsilons.push_back(1.0 + i);
        }
        summary.grid.epsilons.resize(summary.cells.size() / 2);
        run.summary = std::make_shared<const calibration::CalibrationSummary>(summary);
        return report::shownCells(run, chosen).cells;
    };
    const auto some = shownOf(200);
    REQUIRE(some.size() == 18);  // nine of each lambda
    CHECK(some.front() == 0);
    CHECK(some[4] == 99);
    CHECK(some[8] == 199);
    CHECK(some[9] == 200);
    const auto besides = shownOf(200, 230);
    REQUIRE(besides.size() == 20);
    CHECK(besides[2] == 30);
    CHECK(besides[12] == 230);
    CHECK(shownOf(200, 199).size() == 18);
    CHECK(shownOf(9).size() == 18);
}

TEST_CASE("The hash of the settings depends on what is asked for and not on the folder") {
    calibration::RunRequest request = test::exampleRun(test::exampleMahalanobis()).request;
    const std::string hash = report::settingsHash(request);
    CHECK(hash.size() == 64);
    request.load.path = "/elsewhere/vectors.txt.gz";
    CHECK(report::settingsHash(request) == hash);
    request.options.seed += 1;
    CHECK(report::settingsHash(request) != hash);
    CHECK_THAT(pageOf(test::exampleReport()), !Contains("/data/"));
}

// Expected by the rules of POSIX, 2.2.2: within single quotes every character but a single quote
// stands for itself.
TEST_CASE("Words of a shell command are in quotes where they need them") {
    CHECK(report::shellQuoted("a-b_c.d,e:f@g/h+i=j%k0") == "a-b_c.d,e:f@g/h+i=j%k0");
    CHECK(report::shellQuoted("") == "''");
    CHECK(report::shellQuoted("two words") == "'two words'");
    CHECK(report::shellQuoted("it's") == R"('it'\''s')");
    CHECK(report::shellQuoted("$(x);`y`\\\n*") == "'$(x);`y`\\\n*'");
    CHECK(report::shellQuoted("ε") == "'ε'");
}

TEST_CASE("A file whose name begins as an option does is named from its folder") {
    CHECK(report::fileArgument("-x.txt") == "./-x.txt");
    CHECK(report::fileArgument("x-y.txt") == "x-y.txt");
    CHECK(report::fileArgument("/-x.txt") == "/-x.txt");
}
