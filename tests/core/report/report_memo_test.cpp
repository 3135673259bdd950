#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/report/report_html.h"
#include "core/report/report_text.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/core/report/report_text.h"

// The memo answers a reviewer's questions in words and claims no more than math.md proves and the
// run measured.

using namespace epsilens;
using Catch::Matchers::Contains;
using test::reportOn;
using test::sectionText;

namespace {

calibration::WorstWords freshCount(std::int64_t kept) {
    return {10'000, {{7, "worst0", 4, kept}, {8, "worst1", 3, 100}}};
}

std::vector<std::string> keysOf(const std::vector<report::Section>& sections) {
    std::vector<std::string> keys;
    keys.reserve(sections.size());
    for (const report::Section& section : sections) {
        keys.push_back(section.key);
    }
    return keys;
}

/// What the memo says of a setting with these shares.
std::string saidOfShares(double kept, double near, double far) {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells.front().kept = kept;
    summary.cells.front().near = near;
    summary.cells.front().far = far;
    return sectionText(reportOn(summary), "summary");
}

}  // namespace

TEST_CASE("The memo tells what survives of the analyst's own texts, where that was measured") {
    document::Report report = test::exampleReport();
    CHECK_THAT(sectionText(report, "summary"),
               !Contains("common ones counted") && Contains("a different share of it survives"));
    report.settings.texts =
        document::TextShares{"letters.csv", 1'234, 100, 0.394, 0.105, 0.501, 0.31};
    CHECK_THAT(
        sectionText(report, "summary"),
        Contains("Of the words of letters.csv, common ones counted as often as they occur, "
                 "39 of 100 survive, 11 become a near word and 50 a far one (1,234 known "
                 "words, 100 draws of each); the embedding does not know 31 of 100 words of "
                 "these texts, which stay as they are.") &&
            Contains(
                "released word at face value is right for 39 of 100 known words of letters.csv.") &&
            Contains("vocabulary counts once; of letters.csv 39 of 100 survive.") &&
            !Contains("a different share of it survives"));
    report.settings.unknownWords = "mask";
    CHECK_THAT(sectionText(report, "summary"),
               Contains("does not know 31 of 100 words of these texts, which are masked."));
}

TEST_CASE("The title names the texts that are judged, not what they say, and the embedding") {
    document::Report report = reportOn(test::exampleMahalanobis());
    const auto title = [&report] { return report::composeReport(report)->title; };
    CHECK(title() == "Privacy calibration of vectors");
    report.examples = {{"my own", {"my owl"}}};
    CHECK(title() == "Privacy of a typed sentence with vectors");
    report.evaluations.emplace_back().file = "letters.csv";
    CHECK(title() == "Privacy of letters.csv with vectors");
    report.settings.texts =
        document::TextShares{"notes.txt", 1'234, 100, 0.394, 0.105, 0.501, 0.31};
    CHECK(title() == "Privacy of notes.txt and letters.csv with vectors");
    report.settings.title = "My own";
    CHECK(title() == "My own");
}

TEST_CASE("The memo answers a reviewer's questions in their order, before the appendix") {
    document::Report report = test::exampleReport();
    const auto content = report::composeReport(report);
    REQUIRE(content);
    CHECK(keysOf(content->sections) ==
          std::vector<std::string>{"summary", "promised", "survives", "attacker", "lost", "limits",
                                   "unprotected", "purpose", "signOff"});
    CHECK(keysOf(content->appendix) ==
          std::vector<std::string>{"embedding", "mechanism", "privacyUnit", "results", "plots",
                                   "worstWords", "alternatives", "repeat"});
    for (const std::string& text : {report::reportText(*content), report::reportHtml(*content)}) {
        std::size_t place = 0;
        for (const report::Section& section : test::sectionsOf(*content)) {
            const std::size_t found =
                text.find(section.title + (text.front() == '<' ? "</h2>" : "\n"));
            REQUIRE(found != std::string::npos);
            CHECK(found > place);
            place = found;
        }
        CHECK(text.find("Appendix") > text.find("Sign-off"));
        CHECK(text.find("Appendix") < text.find("A Embedding"));
    }
    // Without a setting nothing is promised, kept or lost.
    report.settings.choice.reset();
    CHECK(keysOf(report::composeReport(report)->sections) ==
          std::vector<std::string>{"summary", "limits", "unprotected", "purpose", "signOff"});
    const auto memo = report::composeReport(report, false);
    CHECK(memo->appendix.empty());
    CHECK_THAT(report::reportHtml(*memo), !Contains("Appendix"));
}

// Bound 1: ln 2 = 0.6931, ln 10 = 2.3026, ln 1000 = 6.9078, ln 10^6 = 13.8155, all rounded down;
// e^0.875 = 2.39888 is rounded up.
TEST_CASE("The memo says how far the promise reaches and what it is for pairs of words") {
    document::Report report = reportOn(test::exampleMahalanobis());
    const std::string text = sectionText(report, "summary");
    CHECK_THAT(sectionText(report, "mechanism"),
               Contains("the odds change by at most ×2 for words at most 0.693 apart, ×10 "
                        "for words at most 2.30 apart, ×1,000 for words at most 6.90 apart, "
                        "×1,000,000 for words at most 13.8 apart."));
    CHECK_THAT(
        text,
        Contains("!Verdict: open, because no limits were set.\nPromised, whoever attacks: the "
                 "odds of two words at most 13.8 apart change by at most ×1,000,000. For "
                 "words farther apart, as the pair below is not, no bound is of any use.\n"));
    CHECK_THAT(text, Contains("paris against london|0.875|×2.40|"));
    // 1000 / ln 10 = 434.3: a power of ten beyond the range of double, rounded up.
    for (calibration::PairDistance& pair : report.run.pairs) {
        pair.distance = 1000;
    }
    CHECK_THAT(sectionText(report, "summary"), Contains("|10⁴³⁵: no useful bound|"));
}

TEST_CASE("The memo explains a distance whose name few readers know") {
    CHECK_THAT(sectionText(reportOn(test::exampleMahalanobis()), "summary"),
               Contains("grows with the regularized Mahalanobis distance between the two (the "
                        "usual distance, with differences counting less in directions in which "
                        "the whole vocabulary varies more)."));
    CHECK_THAT(sectionText(reportOn(test::exampleLaplace()), "summary"),
               Contains("grows with the Euclidean distance between the two."));
    CHECK_THAT(sectionText(reportOn(test::exampleMahalanobis()), "mechanism"),
               Contains("regularized Mahalanobis, written ‖·‖_RM: the usual distance"));
}

TEST_CASE("The analyst's own sentences are shown before built-in ones") {
    document::Report report = reportOn(test::exampleMahalanobis());
    report.run.examples.assign(report.run.summary->cells.size(),
                               {{"built in", {"bulls in"}}, {"second", {"record"}}});
    CHECK_THAT(sectionText(report, "summary"), Contains("“built in” could become any of") &&
                                                   Contains("bulls in") && Contains("record"));
    report.examples = {{"my own", {"my owl"}}};
    CHECK_THAT(sectionText(report, "summary"), Contains("“my own” could become any of") &&
                                                   Contains("my owl") && Contains("bulls in") &&
                                                   !Contains("record"));
    report.examples.push_back({"mine too", {"mind too"}});
    CHECK_THAT(sectionText(report, "summary"),
               Contains("my owl") && Contains("mind too") && !Contains("bulls in"));
}

// The most that the odds can change, e^2 = 7.389, is reached at distance 2: within ×10 whatever the
// distance, and within ×2 up to ln 2.
TEST_CASE("Under a cap the promise has no end") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.guarantees.front().cap = 2;
    const std::string text = sectionText(reportOn(summary), "summary");
    CHECK_THAT(sectionText(reportOn(summary), "mechanism"),
               Contains("×2 for words at most 0.693 apart, ×10 for any words."));
    CHECK_THAT(text, Contains("the odds of any two words change by at most ×7.39."));
}

TEST_CASE("Of 100 words as many are kept, near and far as the shares say, and not one more") {
    CHECK_THAT(
        saidOfShares(0.1, 0.2, 0.7),
        Contains("10 of 100 words survive, 20 become a near word and 70 a far one.") &&
            Contains(
                "released word at face value is right for 10 of 100 words of the vocabulary. A") &&
            Contains("Of 100 vocabulary words 90 are replaced, 20 by a near word and 70 by a "
                     "far"));
    CHECK_THAT(saidOfShares(0.336, 0.332, 0.332), Contains("34 of 100 words survive, 33 become a "
                                                           "near word and 33 a far one."));
    CHECK_THAT(saidOfShares(0.001, 0, 0.999), Contains("fewer than 1 of 100 words survive"));
    CHECK_THAT(saidOfShares(0.999, 0.001, 0), Contains("more than 99 of 100 words survive"));
    CHECK_THAT(saidOfShares(0, 0, 1), Contains("0 of 100 words survive"));
}

TEST_CASE("The memo says what was not measured") {
    const std::string text = sectionText(reportOn(test::exampleMahalanobis()), "summary");
    CHECK_THAT(text, Contains("A better attacker gets more.") &&
                         Contains("similar texts was not measured for this report"));
    CHECK_THAT(text, Contains("still good for its purpose was not measured for this report"));
}

TEST_CASE("The memo's sentences name no identifier of the program") {
    const std::string text =
        report::reportText(*report::composeReport(test::exampleReport(), false));
    for (const char* identifier : {"nw.p95", "sw.p5", "N_w", "S_w", "mahalanobis", "Pr["}) {
        CHECK_THAT(text, !Contains(identifier));
    }
}

TEST_CASE("S_w is what the draws return, the word itself among it") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells.front().nw.mean = 4;
    summary.cells.front().nw.ci95.reset();
    summary.cells.front().sw.mean = 1;
    const std::string text = sectionText(reportOn(summary), "summary");
    CHECK_THAT(text, Contains("Out of 4 draws a word is kept 4 times on average") &&
                         Contains("On average 4 draws of a word return 1 different word, the word "
                                  "itself included"));
    summary.cells.front().sw.mean = 1.16;
    CHECK_THAT(sectionText(reportOn(summary), "summary"), Contains("1.16 different words"));
    CHECK_THAT(sectionText(reportOn(summary), "results"),
               Contains("itself included if it occurs") && !Contains("stand in for"));
}

TEST_CASE("The memo says by whom epsilon was chosen") {
    document::Report told = reportOn(test::exampleMahalanobis());
    told.settings.epsilonOrigin = "The program found it under the limit.";
    CHECK_THAT(sectionText(told, "summary"), Contains("The program found it under the limit."));
}

TEST_CASE("What is never kept is said in words") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    statistics::Summary& kept = summary.cells.front().nw;
    kept = {};
    kept.mean = 1;
    kept.max = 3;
    kept.p95 = 2;
    CHECK_THAT(sectionText(reportOn(summary), "summary"),
               Contains("is kept once on average; half of the words are never kept, 95 of 100 "
                        "words at most 2 times."));
    kept.p95 = 0;
    CHECK_THAT(sectionText(reportOn(summary), "summary"),
               Contains("on average; 95 of 100 words are never kept."));
    kept.max = 0;
    kept.mean = 0;
    CHECK_THAT(sectionText(reportOn(summary), "summary"),
               Contains("No word that was measured is kept in any of its 4 draws."));
}

TEST_CASE("The memo of an interrupted run says so before anything else") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    document::Report whole = reportOn(summary);
    whole.settings.limits = {*calibration::parseLimit("nw.p95<=90000")};
    CHECK_THAT(sectionText(whole, "summary"),
               !Contains("PARTIAL") && Contains("All limits are met on the 3 words measured:"));
    summary.partial = true;
    summary.wordsAsked = 500;
    document::Report report = reportOn(summary);
    report.settings.limits = whole.settings.limits;
    const std::string text = sectionText(report, "summary");
    CHECK_THAT(text, Catch::Matchers::StartsWith("!PARTIAL: 3 of 500 words"));
    CHECK_THAT(text, Contains("All limits are met on the 3 words done before the interruption:"));
    CHECK_THAT(sectionText(report, "results"), Contains("!PARTIAL: 3 of 500 words"));
    // Interrupted while the worst words were counted again.
    summary.wordsAsked = 3;
    CHECK_THAT(sectionText(reportOn(summary), "summary"),
               Contains("!PARTIAL: the calibration was interrupted before its end"));
}

TEST_CASE("The memo says over how many words it speaks, and how they were chosen") {
    const calibration::CalibrationSummary summary = test::exampleMahalanobis();
    document::Report report = reportOn(summary);
    const auto said = [&report] { return sectionText(report, "summary"); };
    const std::string measured = "Measured on 3 of the 12,345 words of the vocabulary. ";
    CHECK_THAT(said(), Contains(measured + "They are words of a list."));
    report.run.request.options.words = {};
    CHECK_THAT(said(), Contains(measured + "They were drawn at random, seed 9007199254740993."));
    report.run.provenance.selection = calibration::SelectionDescription{"sparsest:3", {}, {}, 0};
    CHECK_THAT(said(), Contains(measured + "Words chosen: sparsest:3."));
    report.run.provenance.embedding.words = 3;
    report.settings.limits = {*calibration::parseLimit("nw.p95<=90000")};
    CHECK_THAT(said(), Contains("Measured on all 3 words of the vocabulary.") &&
                           Contains("All limits are met:"));
    CHECK_THAT(sectionText(reportOn(test::exampleTem()), "summary"),
               Contains("Computed for 2 of the"));
}

TEST_CASE("A limit on the largest of sampled words says what it leaves open") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells.front().nw.max = 2;  // of 4 draws
    document::Report report = reportOn(summary);
    const std::string open =
        "largest or smallest value is that of the 3 words measured; it "
        "says nothing about the other words.";
    report.settings.limits = {*calibration::parseLimit("nw.p95<=50%")};
    CHECK_THAT(sectionText(report, "summary"), !Contains(open) && !Contains("counted again"));
    report.settings.limits = {*calibration::parseLimit("sw.min>=1")};
    CHECK_THAT(sectionText(report, "summary"), Contains(open) && !Contains("counted again"));
    report.settings.limits = {*calibration::parseLimit("nw.max<=50%")};
    CHECK_THAT(sectionText(report, "summary"),
               Contains(open) && Contains("were not counted again with fresh draws"));
    // 20% and 60% of 10,000 draws against a limit of 50%
    for (const auto& [kept, isBeyond] : {std::pair{2'000, false}, std::pair{6'000, true}}) {
        summary.cells.front().worst = freshCount(kept);
        report.run = test::exampleRun(summary);
        for (const char* limit : {"nw.max<=50%", "nw.max<=2", "kept.max<=50%"}) {
            CAPTURE(limit, kept);
            report.settings.limits = {*calibration::parseLimit(limit)};
            const std::string text = sectionText(report, "summary");
            CHECK_THAT(text, Contains("counted again with 10,000 fresh draws each"));
            CHECK_THAT(text, Contains(isBeyond ? "kept 6,000 times at most, which is MORE than"
                                               : "kept 2,000 times at most."));
        }
    }
    // All words, exact: nothing is open.
    document::Report exact = reportOn(test::exampleTem());
    exact.run.provenance.embedding.words = 2;
    exact.settings.limits = {*calibration::parseLimit("nw.max<=50%")};
    CHECK_THAT(sectionText(exact, "summary"),
               !Contains("says nothing") && !Contains("counted again"));
}
