#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/document/report_document.h"
#include "core/report/report_model.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/core/report/report_text.h"

// A report must claim no more than math.md proves and the run measured.

using namespace epsilens;
using Catch::Matchers::Contains;
using test::reportOn;
using test::sectionText;

namespace {

calibration::CalibrationSummary hyperbolicSummary(mechanism::RadialLaw law) {
    calibration::CalibrationSummary summary = test::exampleLaplace();
    summary.grid.mechanism = mechanism::Hyperbolic{law};
    // In 300 dimensions riemannian noise exists for epsilon > 299.
    summary.grid.epsilons = {310.0};
    summary.cells.front().epsilon = 310.0;
    summary.guarantees.front().epsilon = 310.0;
    summary.guarantees.front().metric = mechanism::Metric::poincare;
    return summary;
}

calibration::WorstWords freshCount(std::int64_t kept) {
    return {10'000, {{7, "worst0", 4, kept}, {8, "worst1", 3, 100}}};
}

}  // namespace

TEST_CASE("The words protected least are called those of the words measured") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    const std::string some = sectionText(reportOn(summary), "worstWords");
    CHECK_THAT(some,
               Contains("Of the 3 words measured, those that are kept most often") &&
                   Contains("This says nothing about the other 12,342 words of the vocabulary"));
    CHECK_THAT(some, Contains("were not counted again with fresh draws"));
    CHECK_THAT(some, !Contains("kept in none of"));
    summary.cells.front().worst = freshCount(2'000);
    document::Report report = reportOn(summary);
    report.run.provenance.embedding.words = 3;
    report.run.worstWords.front().back().nw = 0;
    const std::string all = sectionText(report, "worstWords");
    CHECK_THAT(all, Contains("The words of the vocabulary that are kept most often") &&
                        !Contains("says nothing") && !Contains("not counted again"));
    // 1 - 0.05^(1/4) = 52.71%
    CHECK_THAT(
        all, Contains("A word kept in none of its 4 draws is kept with probability ≤ 53% (95%)."));
}

TEST_CASE("A report writes the law of a hyperbolic mechanism") {
    using mechanism::RadialLaw;
    const auto said = [](RadialLaw law, const char* section) {
        return sectionText(reportOn(hyperbolicSummary(law)), section);
    };
    const std::string riemannian = said(RadialLaw::riemannian, "mechanism");
    CHECK_THAT(riemannian, Contains("at hyperbolic distance r from φ(w) in the direction X"));
    CHECK_THAT(riemannian, Contains("sinh^(m−1)(r) · exp(−εr), which needs ε > m − 1"));
    CHECK_THAT(said(RadialLaw::eq7, "mechanism"),
               Contains("tanh^(m−1)(r/2) · sech²(r/2) · exp(−εr)"));
    CHECK_THAT(said(RadialLaw::eq7, "privacyUnit"),
               Contains("Σ over the positions of bound · d(w, w')."));
}

TEST_CASE("Losses under a cap add up to the caps at most") {
    calibration::CalibrationSummary summary = test::exampleTem();
    REQUIRE(summary.guarantees.front().cap);
    CHECK_THAT(sectionText(reportOn(summary), "privacyUnit"),
               Contains("Σ over the positions of min(bound · d(w, w'), cap)."));
    CHECK_THAT(sectionText(reportOn(summary), "mechanism"), Contains("and by at most e^cap"));
}

TEST_CASE("Bounds of a report are rounded up, an ε as typed stays") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    mechanism::Guarantee& guarantee = summary.guarantees.front();
    guarantee.euclidean = {0.19237, 1.24245};
    guarantee.cap = 6.33333;
    guarantee.epsilon = 1.00004;
    guarantee.bound = 1.00004;
    const std::string text = sectionText(reportOn(summary), "mechanism");
    CHECK_THAT(text,
               Contains("|bound|cap|Euclidean factor|lower Euclidean factor (no guarantee)|"));
    CHECK_THAT(text, Contains("|1.00004|6.334|1.243|0.1923|"));
    CHECK_THAT(text, Contains("The lower factor is no guarantee"));
    guarantee.bound = 6.00004;  // epsilon + m
    CHECK_THAT(sectionText(reportOn(summary), "mechanism"), Contains("|6.001|6.334|"));
}

TEST_CASE("Wherever λ are compared, equal ε is called no equal guarantee") {
    const std::string note =
        "Equal ε across λ means equal noise power, not an equal Euclidean "
        "guarantee.";
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    for (const char* section : {"mechanism", "results", "plots", "alternatives"}) {
        CAPTURE(section);
        CHECK_THAT(sectionText(reportOn(summary), section), Contains(note));
    }
    summary.grid.lambdas = {0.5};
    for (const char* section : {"mechanism", "results", "plots", "alternatives"}) {
        CHECK_THAT(sectionText(reportOn(summary), section), !Contains("Equal ε"));
    }
}

TEST_CASE("An interval without spread is none, and no hit is told with what it allows") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(sectionText(reportOn(summary), "results"),
               Contains("95% interval|1003 to 1004|") && !Contains("kept in none of its"));
    summary.cells.front().nw.ci95 = {0, 0};
    summary.cells.front().sw.ci95 = {100, 100};
    summary.cells.front().nw.min = 0;
    summary.draws = 100;
    const std::string text = sectionText(reportOn(summary), "results");
    CHECK_THAT(text, !Contains("0 to 0|") && !Contains("100 to 100"));
    CHECK_THAT(text, Contains("95% interval|–|–|"));
    CHECK_THAT(
        text,
        Contains("A word kept in none of its 100 draws is kept with probability ≤ 3% (95%)."));
    // 1 - 0.05^(1/200) = 1.487%: an upper bound is rounded up.
    summary.draws = 200;
    CHECK_THAT(sectionText(reportOn(summary), "results"), Contains("≤ 1.5% (95%)"));
    summary.cells.front().nw.max = 0;
    CHECK_THAT(sectionText(reportOn(summary), "summary"),
               Contains("A word kept in none of its 200"));
}

TEST_CASE("A report tells of words that share a vector") {
    document::Report report = reportOn(test::exampleMahalanobis());
    const auto said = [&report] { return sectionText(report, "embedding"); };
    CHECK_THAT(said(), Contains("Words with the vector of another word: not recorded"));
    report.run.provenance.embedding.sharedVectors =
        calibration::EmbeddingDescription::SharedVectors{5, 2};
    CHECK_THAT(said(), Contains("5 in 2 groups of one vector each") &&
                           Contains("the other 3 words are kept in no draw, whatever ε"));
    const auto read = document::readReport(*document::reportJson(report));
    REQUIRE(read);
    CHECK(read->run.provenance.embedding.sharedVectors->words == 5);
    CHECK(read->run.provenance.embedding.sharedVectors->groups == 2);
    report.run.provenance.embedding.sharedVectors =
        calibration::EmbeddingDescription::SharedVectors{0, 0};
    CHECK_THAT(said(), Contains("another word: 0\n"));
    // TEM keeps all words.
    report.run = test::exampleRun(test::exampleTem());
    report.settings.choice.reset();
    report.run.provenance.embedding.sharedVectors =
        calibration::EmbeddingDescription::SharedVectors{5, 2};
    CHECK_THAT(said(), Contains("another word: 5\n"));
}

TEST_CASE("The metric of the mechanism is the one of the chosen setting's guarantee") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.guarantees.front().metric = mechanism::Metric::euclidean;  // as of lambda 0
    document::Report report = reportOn(summary);
    const std::string euclidean(mechanism::metricName(mechanism::Metric::euclidean));
    const std::string mahalanobis(mechanism::metricName(mechanism::Metric::mahalanobis));
    CHECK_THAT(sectionText(report, "mechanism"),
               Contains("Metric of the guarantee: " + euclidean + "\n"));
    report.settings.choice.reset();
    CHECK_THAT(sectionText(report, "mechanism"), Contains("Metric of the guarantee: " + euclidean +
                                                          "; " + mahalanobis + ", written"));
}

TEST_CASE("Deniability is told with its odds") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(sectionText(reportOn(summary), "results"), !Contains("eniability"));
    summary.cells.front().deniability =
        calibration::Deniability{2.5, summary.cells.front().nw, 3, 1};
    CHECK_THAT(sectionText(reportOn(summary), "results"),
               Contains("odds of having given an output differ by at most g = 2.5"));
}

TEST_CASE("A choice that was not calibrated is named by the parameter that is not there") {
    calibration::CalibrationSummary summary = test::exampleTem();
    for (calibration::Cell& cell : summary.cells) {
        cell.gamma = 32.598361;
    }
    const double epsilon = summary.cells.front().epsilon;
    document::Report report{{}, test::exampleRun(summary)};
    const auto complaint = [&report](calibration::Choice choice) {
        const auto checked = calibration::checkChoice(report.run, choice);
        return checked ? std::string() : checked.error().message;
    };
    CHECK(complaint({epsilon, std::nullopt, 32.598361}).empty());
    CHECK(complaint({epsilon, std::nullopt, std::nullopt}).empty());
    CHECK_THAT(complaint({epsilon, std::nullopt, 32.6}),
               Contains("gamma 32.6 was chosen with epsilon 2, which is not among the calibrated "
                        "settings; there are 32.598361"));
    report.run = test::exampleRun(test::exampleMahalanobis());
    CHECK_THAT(complaint({10, 0.25, std::nullopt}),
               Contains("lambda 0.25 was chosen with epsilon 10") && Contains("there are 0.5, 1"));
    CHECK_THAT(complaint({10, 0.5, 3.0}),
               Contains("gamma 3 was chosen with epsilon 10 and lambda 0.5") &&
                   Contains("there are none"));
}

TEST_CASE("Of settings that differ in gamma alone the chosen one is reported") {
    calibration::CalibrationSummary summary = test::exampleTem();
    summary.cells[0].gamma = 3.0;
    summary.cells[1] = summary.cells[0];
    summary.cells[1].gamma = 5.0;
    const calibration::Run run = test::exampleRun(summary);
    for (const std::size_t cell : {std::size_t{0}, std::size_t{1}}) {
        const calibration::Choice choice{summary.cells[cell].epsilon, std::nullopt,
                                         summary.cells[cell].gamma};
        CHECK(calibration::findingsOf(run, {}, choice).value().cell == cell);
    }
}
