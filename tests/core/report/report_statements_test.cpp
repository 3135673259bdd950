#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/report/report_json.h"
#include "core/report/report_model.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"

// A report must claim no more than math.md proves and the run measured.

using namespace epsilens;
using Catch::Matchers::Contains;
using document::SectionId;

namespace {

struct WholeText {
    std::string operator()(const report::Paragraph& paragraph) const {
        return (paragraph.emphasised ? "!" : "") + paragraph.text + "\n";
    }
    std::string operator()(const report::BulletList& list) const {
        std::string text;
        for (const std::string& item : list.items) {
            text.append("* ").append(item).append("\n");
        }
        return text;
    }
    std::string operator()(const report::Facts& facts) const {
        std::string text;
        for (const auto& [name, value] : facts.items) {
            text.append(name).append(": ").append(value).append("\n");
        }
        return text;
    }
    std::string operator()(const report::Table& table) const {
        std::string text = table.caption + "\n";
        for (const std::string& title : table.titles) {
            text.append(title).append("|");
        }
        for (const auto& row : table.rows) {
            text += "\n";
            for (const std::string& field : row) {
                text += field + "|";
            }
        }
        return text + "\n";
    }
    std::string operator()(const report::Figure& figure) const {
        return figure.caption + "\n" + (*this)(figure.table);
    }
    template <typename Other>
    std::string operator()(const Other&) const {
        return {};
    }
};

std::string sectionText(document::Report report, SectionId section) {
    report.settings.sections = {section};
    const auto content = report::composeReport(report);
    REQUIRE(content);
    REQUIRE(content->sections.size() == 1);
    std::string text;
    for (const report::Block& block : content->sections.front().blocks) {
        text += std::visit(WholeText{}, block);
    }
    return text;
}

document::Report reportOn(const calibration::CalibrationSummary& summary) {
    document::Report report{{}, test::exampleRun(summary)};
    report.settings.choice = calibration::Choice{summary.cells.front().epsilon,
                                                 summary.cells.front().lambda, std::nullopt};
    return report;
}

calibration::CalibrationSummary hyperbolicSummary(mechanism::RadialLaw law,
                                                  mechanism::Placement placement) {
    calibration::CalibrationSummary summary = test::exampleLaplace();
    summary.grid.mechanism = mechanism::Hyperbolic{law, placement};
    summary.guarantees.front().metric = mechanism::Metric::poincare;
    if (placement == mechanism::Placement::additive) {
        summary.guarantees.front().bound.reset();
        summary.guarantees.front().statement = "none";
    }
    return summary;
}

calibration::WorstWords freshCount(std::int64_t kept) {
    return {10'000, {{7, "worst0", 4, kept}, {8, "worst1", 3, 100}}};
}

}  // namespace

TEST_CASE("S_w is what the draws return, the word itself among it") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells.front().nw.mean = 4;
    summary.cells.front().sw.mean = 1;
    const std::string text = sectionText(reportOn(summary), SectionId::summary);
    CHECK_THAT(text,
               Contains("A word is kept 4 times of 4 on average; the draws return 1 different "
                        "word, the word itself counted"));
    CHECK_THAT(text, !Contains("replaced"));
    summary.cells.front().sw.mean = 1.16;
    CHECK_THAT(sectionText(reportOn(summary), SectionId::summary),
               Contains("1.160 different words"));
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results),
               Contains("itself counted when it occurs") && !Contains("stand in for"));
}

TEST_CASE("The summary of an interrupted run says so before anything else") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    document::Report whole = reportOn(summary);
    whole.settings.limits = {*calibration::parseLimit("nw.p95<=90000")};
    CHECK_THAT(sectionText(whole, SectionId::summary),
               !Contains("PARTIAL") && Contains("All limits are met on the 3 words measured:"));
    summary.partial = true;
    summary.wordsAsked = 500;
    document::Report report = reportOn(summary);
    report.settings.limits = whole.settings.limits;
    const std::string text = sectionText(report, SectionId::summary);
    CHECK_THAT(text, Catch::Matchers::StartsWith("!PARTIAL: 3 of 500 words"));
    CHECK_THAT(text, Contains("All limits are met on the 3 words done before the interruption:"));
    CHECK_THAT(sectionText(report, SectionId::results), Contains("!PARTIAL: 3 of 500 words"));
    // Interrupted while the worst words were counted again.
    summary.wordsAsked = 3;
    CHECK_THAT(sectionText(reportOn(summary), SectionId::summary),
               Contains("!PARTIAL: the calibration was interrupted before its end"));
}

TEST_CASE("The summary says over how many words it speaks, and how they were chosen") {
    const calibration::CalibrationSummary summary = test::exampleMahalanobis();
    document::Report report = reportOn(summary);
    const auto said = [&report] { return sectionText(report, SectionId::summary); };
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
    CHECK_THAT(sectionText(reportOn(test::exampleTem()), SectionId::summary),
               Contains("Computed for 2 of the"));
}

TEST_CASE("A limit on the largest of sampled words says what it leaves open") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells.front().nw.max = 2;  // of 4 draws
    document::Report report = reportOn(summary);
    const std::string open =
        "largest or smallest value is that of the 3 words measured; of the "
        "other words it says nothing.";
    report.settings.limits = {*calibration::parseLimit("nw.p95<=50%")};
    CHECK_THAT(sectionText(report, SectionId::summary),
               !Contains(open) && !Contains("counted again"));
    report.settings.limits = {*calibration::parseLimit("sw.min>=1")};
    CHECK_THAT(sectionText(report, SectionId::summary),
               Contains(open) && !Contains("counted again"));
    report.settings.limits = {*calibration::parseLimit("nw.max<=50%")};
    CHECK_THAT(sectionText(report, SectionId::summary),
               Contains(open) && Contains("were not counted again with fresh draws"));
    // 20% and 60% of 10,000 draws against a limit of 50%
    for (const auto& [kept, isBeyond] : {std::pair{2'000, false}, std::pair{6'000, true}}) {
        summary.cells.front().worst = freshCount(kept);
        report.run = test::exampleRun(summary);
        for (const char* limit : {"nw.max<=50%", "nw.max<=2", "kept.max<=50%"}) {
            CAPTURE(limit, kept);
            report.settings.limits = {*calibration::parseLimit(limit)};
            const std::string text = sectionText(report, SectionId::summary);
            CHECK_THAT(text, Contains("counted again with 10,000 fresh draws each"));
            CHECK_THAT(text, Contains(isBeyond ? "kept 6,000 times at most, which is MORE than"
                                               : "kept 2,000 times at most."));
        }
    }
    // All words, exact: nothing is open.
    document::Report exact = reportOn(test::exampleTem());
    exact.run.provenance.embedding.words = 2;
    exact.settings.limits = {*calibration::parseLimit("nw.max<=50%")};
    CHECK_THAT(sectionText(exact, SectionId::summary),
               !Contains("says nothing") && !Contains("counted again"));
}

TEST_CASE("The words protected least are called those of the words measured") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    const std::string some = sectionText(reportOn(summary), SectionId::worstWords);
    CHECK_THAT(some, Contains("Of the 3 words measured, those that are kept most often") &&
                         Contains("Of the other 12,342 words of the vocabulary this says nothing"));
    CHECK_THAT(some, Contains("were not counted again with fresh draws"));
    CHECK_THAT(some, !Contains("N_w = 0"));
    summary.cells.front().worst = freshCount(2'000);
    document::Report report = reportOn(summary);
    report.run.provenance.embedding.words = 3;
    report.run.worstWords.front().back().nw = 0;
    const std::string all = sectionText(report, SectionId::worstWords);
    CHECK_THAT(all, Contains("The words of the vocabulary that are kept most often") &&
                        !Contains("says nothing") && !Contains("not counted again"));
    // 1 - 0.05^(1/4) = 52.71%
    CHECK_THAT(all, Contains("N_w = 0 of 4: the word is kept with probability ≤ 53% (95%)."));
}

TEST_CASE("A report writes the law of a hyperbolic mechanism and where the noise is put") {
    using mechanism::Placement;
    using mechanism::RadialLaw;
    const auto said = [](RadialLaw law, Placement placement, SectionId section) {
        return sectionText(reportOn(hyperbolicSummary(law, placement)), section);
    };
    const std::string translated =
        said(RadialLaw::riemannian, Placement::mobius, SectionId::mechanism);
    CHECK_THAT(translated, Contains("at hyperbolic distance r from φ(w) in the direction X"));
    CHECK_THAT(translated, Contains("sinh^(m−1)(r) · exp(−εr), which needs ε > m − 1"));
    const std::string added = said(RadialLaw::eq7, Placement::additive, SectionId::mechanism);
    CHECK_THAT(added, Contains("v = φ(w) + tanh(r/2) X, pulled back to norm 1 − 0.00001"));
    CHECK_THAT(added, !Contains("hyperbolic distance r from"));
    CHECK_THAT(added, Contains("tanh^(m−1)(r/2) · sech²(r/2) · exp(−εr)"));
    CHECK_THAT(added, Contains("Real guarantee of every calibrated setting: none.") &&
                          !Contains("at most e^"));
    CHECK_THAT(said(RadialLaw::eq7, Placement::mobius, SectionId::privacyUnit),
               Contains("Σ over the positions of bound · d(w, w')."));
    CHECK_THAT(said(RadialLaw::eq7, Placement::additive, SectionId::privacyUnit),
               Contains("no loss is bounded, so that none adds up") && !Contains("Σ"));
    CHECK_THAT(said(RadialLaw::eq7, Placement::additive, SectionId::summary),
               Contains("!Guarantee: nothing is guaranteed"));
    const auto document =
        report::reportJson(reportOn(hyperbolicSummary(RadialLaw::eq7, Placement::additive)));
    REQUIRE(document);
    CHECK_THAT(*document, Contains("no loss is bounded") && Contains("tanh(r/2) X"));
}

TEST_CASE("Losses under a cap add up to the caps at most") {
    calibration::CalibrationSummary summary = test::exampleTem();
    REQUIRE(summary.guarantees.front().cap);
    CHECK_THAT(sectionText(reportOn(summary), SectionId::privacyUnit),
               Contains("Σ over the positions of min(bound · d(w, w'), cap)."));
    CHECK_THAT(sectionText(reportOn(summary), SectionId::mechanism),
               Contains("and by at most e^cap"));
}

TEST_CASE("Bounds of a report are rounded up, an ε as typed stays") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    mechanism::Guarantee& guarantee = summary.guarantees.front();
    guarantee.euclidean = {0.19237, 1.24245};
    guarantee.cap = 6.33333;
    guarantee.epsilon = 1.00004;
    guarantee.bound = 1.00004;
    const std::string text = sectionText(reportOn(summary), SectionId::mechanism);
    CHECK_THAT(text,
               Contains("|bound|cap|Euclidean factor|lower Euclidean factor (no guarantee)|"));
    CHECK_THAT(text, Contains("|1.00004|6.334|1.243|0.1923|"));
    CHECK_THAT(text, Contains("The lower factor is no guarantee"));
    guarantee.bound = 6.00004;  // epsilon + m
    CHECK_THAT(sectionText(reportOn(summary), SectionId::mechanism), Contains("|6.001|6.334|"));
}

TEST_CASE("Wherever λ are compared, equal ε is called no equal guarantee") {
    const std::string note =
        "Equal ε across λ means equal noise power, not an equal Euclidean "
        "guarantee.";
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    for (const SectionId section :
         {SectionId::mechanism, SectionId::results, SectionId::plots, SectionId::alternatives}) {
        CAPTURE(document::sectionKey(section));
        CHECK_THAT(sectionText(reportOn(summary), section), Contains(note));
    }
    summary.grid.lambdas = {0.5};
    for (const SectionId section :
         {SectionId::mechanism, SectionId::results, SectionId::plots, SectionId::alternatives}) {
        CHECK_THAT(sectionText(reportOn(summary), section), !Contains("Equal ε"));
    }
}

TEST_CASE("An interval without spread is none, and no hit is told with what it allows") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results),
               Contains("|1003 to 1004|") && !Contains("N_w = 0 of"));
    summary.cells.front().nw.ci95 = {0, 0};
    summary.cells.front().sw.ci95 = {100, 100};
    summary.cells.front().nw.min = 0;
    summary.draws = 100;
    const std::string text = sectionText(reportOn(summary), SectionId::results);
    CHECK_THAT(text, !Contains("0 to 0|") && !Contains("100 to 100"));
    CHECK_THAT(text, Contains("|1000|–|"));
    CHECK_THAT(text, Contains("N_w = 0 of 100: the word is kept with probability ≤ 3% (95%)."));
    // 1 - 0.05^(1/200) = 1.487%: an upper bound is rounded up.
    summary.draws = 200;
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results), Contains("≤ 1.5% (95%)"));
    summary.cells.front().nw.max = 0;
    CHECK_THAT(sectionText(reportOn(summary), SectionId::summary), Contains("N_w = 0 of 200"));
}

TEST_CASE("A report tells of words that share a vector") {
    document::Report report = reportOn(test::exampleMahalanobis());
    const auto said = [&report] { return sectionText(report, SectionId::embedding); };
    CHECK_THAT(said(), Contains("Words with the vector of another word: not recorded"));
    report.run.provenance.embedding.sharedVectors =
        calibration::EmbeddingDescription::SharedVectors{5, 2};
    CHECK_THAT(said(), Contains("5 in 2 groups of one vector each") &&
                           Contains("the other 3 words have N_w = 0 at every ε"));
    const auto read = document::readReport(*report::reportJson(report));
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

TEST_CASE("The metric of section 4 is the one of the chosen setting's guarantee") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.guarantees.front().metric = mechanism::Metric::euclidean;  // as of lambda 0
    document::Report report = reportOn(summary);
    const std::string euclidean(mechanism::metricName(mechanism::Metric::euclidean));
    const std::string mahalanobis(mechanism::metricName(mechanism::Metric::mahalanobis));
    CHECK_THAT(sectionText(report, SectionId::mechanism),
               Contains("Metric of the guarantee: " + euclidean + "\n"));
    report.settings.choice.reset();
    CHECK_THAT(sectionText(report, SectionId::mechanism),
               Contains("Metric of the guarantee: " + euclidean + ", " + mahalanobis + "\n"));
}

TEST_CASE("The table of deniability states its odds") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results), !Contains("Deniability"));
    summary.cells.back().deniability = calibration::Deniability{2.5, summary.cells.back().nw, 3, 1};
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results),
               Contains("odds to have given an output differ by at most g = 2.5"));
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
