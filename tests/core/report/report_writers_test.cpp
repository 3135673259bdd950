#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/report_document.h"
#include "core/report/markup_text.h"
#include "core/report/repeat_command.h"
#include "core/report/report_html.h"
#include "core/report/report_parts.h"
#include "core/report/report_text.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/core/report/report_text.h"

// Which numbers have to appear is taken from the JSON document of the same report; how they are
// written is shownNumber, tested by itself.

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

report::ReportContent composed(const document::Report& report) {
    const auto content = report::composeReport(report);
    REQUIRE(content);
    return *content;
}

ordered_json documentOf(const document::Report& report) {
    const auto text = document::reportJson(report);
    REQUIRE(text);
    return ordered_json::parse(*text);
}

/// Elements that are opened and closed in order, with quoted attributes and no stray "<" or "&".
bool isWellFormed(std::string_view text) {
    std::vector<std::string> open;
    while (!text.empty()) {
        const std::size_t at = text.find_first_of("<&");
        if (at == std::string_view::npos) {
            break;
        }
        if (text[at] == '&') {
            const std::size_t end = text.find(';', at);
            const std::string_view name = text.substr(at + 1, end - at - 1);
            if (end == std::string_view::npos || (name != "amp" && name != "lt" && name != "gt" &&
                                                  name != "quot" && name != "#39")) {
                return false;
            }
            text.remove_prefix(end);
            continue;
        }
        const std::size_t end = text.find('>', at);
        if (end == std::string_view::npos) {
            return false;
        }
        const std::string_view tag = text.substr(at + 1, end - at - 1);
        text.remove_prefix(end + 1);
        if (std::count(tag.begin(), tag.end(), '"') % 2 != 0 ||
            tag.find('<') != std::string_view::npos) {
            return false;
        }
        if (tag.front() == '!' || tag.back() == '/') {
            continue;
        }
        if (tag.front() == '/') {
            if (open.empty() || open.back() != tag.substr(1)) {
                return false;
            }
            open.pop_back();
        } else {
            open.emplace_back(tag.substr(0, tag.find(' ')));
        }
    }
    return open.empty();
}

}  // namespace

TEST_CASE("Every number of the results appears in the text and in the HTML") {
    for (const auto& summary :
         {test::exampleMahalanobis(), test::exampleLaplace(), test::exampleTem()}) {
        document::Report report = test::exampleReport();
        report.run = test::exampleRun(summary);
        report.settings.choice.reset();
        report.settings.limits.clear();
        const report::ReportContent content = composed(report);
        const std::string text = report::reportText(content);
        const std::string html = report::reportHtml(content);
        const auto checkHas = [&](const std::string& field) {
            CAPTURE(field);
            CHECK(text.find(field) != std::string::npos);
            CHECK(html.find(field) != std::string::npos);
        };
        const ordered_json calibration = documentOf(report)["calibration"];
        int seen = 0;
        const ordered_json flat = calibration.flatten();
        for (const auto& [pointer, value] : flat.items()) {
            const bool isResult =
                pointer.rfind("/cells/", 0) == 0 || pointer.rfind("/guarantee/", 0) == 0;
            if (!isResult || !value.is_number()) {
                continue;
            }
            CAPTURE(pointer);
            const std::string key = pointer.substr(pointer.find_last_of('/') + 1);
            const bool isShare = key == "kept" || key == "near" || key == "far";
            const auto number = value.get<double>();
            const bool isSetting = key == "epsilon" || key == "lambda" || key == "beta" ||
                                   key == "bound";  // an epsilon as typed
            const bool isSampledMean =
                !summary.isExact() &&
                (key == "meanDistance" || key == "meanCosine" || key == "coverage");
            // The intervals of N_w are 1 wide, of 4 draws: a quarter of the outputs.
            const bool isWide = isShare && summary.cells.front().nw.ci95;
            checkHas(isWide          ? fmt::format("{:.0f}%", 100.0 * number)
                     : isShare       ? report::shownShare(number)
                     : isSampledMean ? formatSignificant(number, 2)
                     : isSetting     ? formatNumber(number)
                                     : report::shownNumber(number));
            ++seen;
        }
        CHECK(seen > 60);
    }
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
    const std::string text = test::sectionText(test::reportOn(summary), "results");
    for (const char* shown : {"|26|5|", "|26%|20%|70%|", "23 to 29|", "1.3 to 1.6|", "|1.5|",
                              "|0.1|", "from its word: 2.8\n"}) {
        CAPTURE(shown);
        CHECK_THAT(text, Contains(shown));
    }
    for (const char* hidden : {"26.1", "4.95", "1.46", "0.0588", "2.82"}) {
        CAPTURE(hidden);
        CHECK_THAT(text, !Contains(hidden));
    }
}

TEST_CASE("Sampled entropies are called lower bounds while draws have seen too little") {
    // Good-Turing coverage is 0.75 in the example, and 0.9 is what makes an entropy trusted.
    const auto entropyNotes = [](const calibration::CalibrationSummary& summary) {
        const std::string text = test::sectionText(test::reportOn(summary), "results");
        std::size_t notes = 0;
        for (std::size_t at = text.find("(bits, lower bound)"); at != std::string::npos;
             at = text.find("(bits, lower bound)", at + 1)) {
            ++notes;
        }
        return notes;
    };
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK(entropyNotes(summary) == 3);
    summary.cells.front().coverage = 0.95;
    CHECK(entropyNotes(summary) == 0);
    summary.cells.front().coverage.reset();
    CHECK(entropyNotes(summary) == 3);
    const report::ReportContent exact = composed({{}, test::exampleRun(test::exampleTem())});
    CHECK_THAT(report::reportText(exact), !Contains("lower bound"));
    const report::ReportContent sampled =
        composed({{}, test::exampleRun(test::exampleMahalanobis())});
    CHECK_THAT(report::reportText(sampled), Contains("lower bound"));
    CHECK_THAT(report::reportHtml(sampled), Contains("lower bound"));
}

TEST_CASE("What the analyst said and what the run was stand in every format") {
    const document::Report report = test::exampleReport();
    const report::ReportContent content = composed(report);
    const std::string plain = report::reportText(content);
    const std::string html = report::reportHtml(content);
    const std::string json = *document::reportJson(report);
    for (const char* text : {"purpose text", "author text", "2026-01-31", "source text",
                             "alternatives text", "reason text", "vectors.txt.gz", "9.8.7"}) {
        CAPTURE(text);
        CHECK_THAT(plain, Contains(text));
        CHECK_THAT(html, Contains(text));
        CHECK_THAT(json, Contains(text));
    }
    for (const auto* text : {&plain, &html}) {
        CHECK_THAT(*text, Contains(std::string(64, 'a')));                      // SHA-256
        CHECK_THAT(*text, Contains("median 1.5") || Contains("median 1.500"));  // density
        CHECK_THAT(*text, Contains("UNPROTECTED"));                             // keep
        CHECK_THAT(*text, Contains("--seed 9007199254740993"));
        CHECK_THAT(*text, Contains("✓ Limit 1: "));
        CHECK_THAT(*text, Contains("✗ Limit 2: "));
        CHECK(text->find("/data/") == std::string::npos);  // no folders of this machine
    }
    CHECK_THAT(plain, Contains("A <title> & more"));
    CHECK_THAT(html, Contains("A &lt;title&gt; &amp; more"));
}

TEST_CASE("Plain text says where the drawings are and keeps their captions") {
    const report::ReportContent content = composed(test::exampleReport());
    const std::string text = report::reportText(content);
    const std::string note = "in the report as HTML or PDF";
    std::size_t noted = 0;
    int figures = 0;
    for (const report::Section& section : test::sectionsOf(content)) {
        const int before = figures;
        for (const report::Block& block : section.blocks) {
            if (const auto* figure = std::get_if<report::Figure>(&block)) {
                CHECK_THAT(text, Contains(report::oneLine(figure->caption)));
                ++figures;
            }
        }
        if (figures > before) {
            noted = text.find(note, noted + 1);
            REQUIRE(noted != std::string::npos);
        }
    }
    CHECK(figures > 1);
    CHECK(text.find(note, noted + 1) == std::string::npos);
    CHECK(text.find("<svg") == std::string::npos);
}

TEST_CASE("A report without density and answers says so instead of leaving a gap") {
    document::Report report{{}, test::exampleRun(test::exampleMahalanobis())};
    const std::string text = report::reportText(composed(report));
    CHECK_THAT(text, Contains("not computed"));
    CHECK_THAT(text, Contains("not stated"));
    CHECK_THAT(text, Contains("No setting was chosen among the 4"));
    CHECK_THAT(text, Contains("No limits were set"));
    CHECK_THAT(text, Contains("Privacy calibration of vectors"));
}

TEST_CASE("The HTML is well-formed, needs no other file and runs no script") {
    document::Report report = test::exampleReport();
    report.settings.purpose = "</p><script>alert('x')</script> & <b>\x01\xFF";
    report.run.worstWords[0][0].word = "<img src=\"http://example.org/\"/>";
    const std::string html = report::reportHtml(composed(report));
    CHECK(isWellFormed(html));
    CHECK_FALSE(isWellFormed(html + "<p>"));
    for (const char* forbidden : {"<script", "<img", "<link", "url(", "@import", "<iframe"}) {
        CAPTURE(forbidden);
        CHECK(html.find(forbidden) == std::string::npos);
    }
    // The only addresses are names of formats.
    for (std::size_t at = html.find("http"); at != std::string::npos;
         at = html.find("http", at + 1)) {
        CHECK((html.compare(at, 18, "http://www.w3.org/") == 0 ||
               html.compare(at, 19, "http://example.org/") == 0));
    }
    CHECK(std::count(html.begin(), html.end(), '\x01') == 0);
}

TEST_CASE("Every table row has as many fields as its titles") {
    for (const auto& summary :
         {test::exampleMahalanobis(), test::exampleLaplace(), test::exampleTem()}) {
        document::Report report{{}, test::exampleRun(summary)};
        const report::ReportContent content = composed(report);
        for (const report::Section& section : test::sectionsOf(content)) {
            for (const report::Block& block : section.blocks) {
                const auto* table = std::get_if<report::Table>(&block);
                if (const auto* figure = std::get_if<report::Figure>(&block)) {
                    table = figure->table ? &*figure->table : nullptr;
                }
                for (std::size_t i = 0; table != nullptr && i < table->rows.size(); ++i) {
                    CAPTURE(table->caption);
                    CHECK(table->rows[i].size() == table->titles.size());
                }
            }
        }
    }
}

TEST_CASE("Odds and limits that do not follow from the rest of a report are refused") {
    const ordered_json sound = ordered_json::parse(*document::reportJson(test::exampleReport()));
    for (const char* pointer : {"/findings/odds/0/factor", "/findings/odds/0/distance",
                                "/findings/limits/0/value", "/findings/limits/0/bound"}) {
        CAPTURE(pointer);
        ordered_json changed = sound;
        ordered_json& value = changed[ordered_json::json_pointer(pointer)];
        value = value.get<double>() * (1 + 1e-11);
        const auto read = document::readReport(changed.dump());
        REQUIRE_FALSE(read);
        CHECK(read.error().message.starts_with("\"findings\": "));
    }
    ordered_json changed = sound;
    changed["findings"]["limits"][0]["met"] = !changed["findings"]["limits"][0]["met"].get<bool>();
    CHECK_FALSE(document::readReport(changed.dump()));
    for (const char* said : {"statement", "scope"}) {
        changed = sound;
        changed["calibration"]["guarantee"][1][said] = "nothing is ever lost";
        const auto read = document::readReport(changed.dump());
        REQUIRE_FALSE(read);
        CHECK_THAT(read.error().message,
                   Contains("\"nothing is ever lost\" does not follow from the rest"));
    }
}

TEST_CASE("The report document reads back as the report") {
    const document::Report report = test::exampleReport();
    const std::string text = *document::reportJson(report);
    const auto read = document::readReport(text);
    REQUIRE(read);
    CHECK(*document::reportJson(*read) == text);
    for (std::size_t length = 0; length + 2 < text.size(); length += 97) {
        REQUIRE_FALSE(document::readReport(text.substr(0, length)));
    }
    ordered_json newer = ordered_json::parse(text);
    newer["schema"] = "epsilens.report/7";
    CHECK_THAT(document::readReport(newer.dump()).error().message, Contains("epsilens.report/7"));
}

TEST_CASE("What becomes of unknown words is said in plain words") {
    document::Report report = test::exampleReport();
    for (const auto& [policy, words] :
         {std::pair{"mask", "replaced by a mask"}, std::pair{"random", "replaced by any word"},
          std::pair{"drop", "left out"}}) {
        CAPTURE(policy);
        report.settings.unknownWords = policy;
        CHECK_THAT(report::reportText(composed(report)),
                   Contains(std::string("- Unknown words: ") + words));
    }
}

TEST_CASE("Readers pass over members they do not know") {
    ordered_json document = documentOf(test::exampleReport());
    const std::string text = *document::reportJson(test::exampleReport());
    document["more"] = "of a later version";
    const auto read = document::readReport(document.dump());
    REQUIRE(read);
    CHECK(*document::reportJson(*read) == text);
}

TEST_CASE("The choice is that of the settings and else none") {
    document::Report report = test::exampleReport();
    CHECK(document::findingsOf(report)->cell == 1U);
    report.settings.choice = calibration::Choice{10, std::nullopt, std::nullopt};
    CHECK(document::findingsOf(report)->cell == 1U);
    report.settings.choice = calibration::Choice{10, 1.0, std::nullopt};
    CHECK(document::findingsOf(report)->cell == 3U);
    report.settings.choice = calibration::Choice{11, std::nullopt, std::nullopt};
    CHECK_THAT(document::findingsOf(report).error().message, Contains("epsilon 11"));
}

// Means of N_w are 1000, 2000, 3000, 4000 for (epsilon, lambda) of (1, 0.5), (10, 0.5), (1, 1),
// (10, 1).
TEST_CASE("Limits choose nothing by themselves: a report says how many settings are within them") {
    document::Report report = test::exampleReport();
    report.settings.choice.reset();
    const auto says = [&](const char* limit, const std::vector<std::size_t>& within,
                          const char* text) {
        report.settings.limits = {*calibration::parseLimit(limit)};
        const auto findings = document::findingsOf(report);
        REQUIRE(findings);
        CHECK_FALSE(findings->cell);
        CHECK(findings->withinLimits == within);
        CHECK(findings->odds.empty());
        const std::string plain = report::reportText(composed(report));
        CHECK_THAT(plain, Contains("No setting was chosen among the 4 calibrated ones"));
        CHECK_THAT(plain, Contains(text) && !Contains("  chosen\n"));
        const ordered_json stated = documentOf(report)["findings"];
        CHECK(stated["cell"].is_null());
        CHECK(stated["withinLimits"] == within);
    };
    says("nw.mean<=3500", {0, 1, 2},
         "3 of the 4 calibrated settings meet all limits; none of them was chosen.");
    says("nw.mean<=1500", {0},
         "1 of the 4 calibrated settings meets all limits; none of them was chosen.");
    says("nw.mean<=10", {}, "No calibrated setting meets all limits");
    // Of one setting, too, nobody says that it is the one to use.
    calibration::CalibrationSummary one = *report.run.summary;
    one.cells.resize(1);
    report.run.summary = std::make_shared<const calibration::CalibrationSummary>(one);
    CHECK_FALSE(document::findingsOf(report)->cell);
}

TEST_CASE("Who asks for it is proposed the largest epsilon within all limits") {
    document::Report report = test::exampleReport();
    const auto proposed = [&](const char* limit) {
        report.settings.limits = {*calibration::parseLimit(limit)};
        return *calibration::proposedChoice(report.run, report.settings.limits);
    };
    CHECK(proposed("nw.mean<=3500")->epsilon == 10.0);
    CHECK(proposed("nw.mean<=3500")->lambda == 0.5);
    CHECK(proposed("nw.mean<=1500")->epsilon == 1.0);
    CHECK_FALSE(proposed("nw.mean<=10"));
    report.settings.limits.clear();
    CHECK_FALSE(*calibration::proposedChoice(report.run, report.settings.limits));
}

TEST_CASE("Odds are e to the bound times the distance") {
    const auto odds = document::findingsOf(test::exampleReport())->odds;
    REQUIRE(odds.size() == 1);
    CHECK(odds[0].factor == Approx(std::exp(10 * 0.875)));  // epsilon 10, lambda 0.5
}

TEST_CASE("The hash of the settings depends on what is asked for and not on the folder") {
    calibration::RunRequest request = test::exampleRun(test::exampleMahalanobis()).request;
    const std::string hash = report::settingsHash(request);
    CHECK(hash.size() == 64);
    request.load.path = "/elsewhere/vectors.txt.gz";
    CHECK(report::settingsHash(request) == hash);
    request.options.seed += 1;
    CHECK(report::settingsHash(request) != hash);
}
