#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/document/report_document.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/core/report/report_text.h"

// Who signs reads the verdict first: it says what was decided, on what that rests, and what nobody
// promises.

using namespace epsilens;
using Catch::Matchers::Contains;
using test::reportOn;
using test::sectionText;

namespace {

std::string verdictOf(const document::Report& report) {
    const std::string text = sectionText(report, "summary");
    return text.substr(0, text.find("\nWith ε = "));
}

/// A report on Mahalanobis noise with one pair of words, whose promise is of use up to
/// ln 10^6 = 13.8155.
document::Report reportWithPair(double distance, const std::vector<const char*>& limits) {
    document::Report report = reportOn(test::exampleMahalanobis());
    report.run.pairs.front().distance = distance;
    for (const char* limit : limits) {
        report.settings.limits.push_back(calibration::parseLimit(limit).value());
    }
    return report;
}

document::StoredFigure figure(const char* name, double mean) {
    return {name, {mean, std::array{mean - 0.01, mean + 0.01}, 0.005}};
}

/// What attackers and a classifier achieve at the chosen setting, without a share of usefulness
/// retained: that figure does not exist.
document::StoredEvaluation evaluationOf(const document::Report& report) {
    const calibration::Cell& cell = report.run.summary->cells.front();
    document::StoredEvaluation measured;
    measured.embeddingFile = "vectors.txt.gz";
    measured.file = "letters.csv";
    measured.repeats = 2;
    measured.testText = "protected";
    for (const char* name : {"original", "ceiling", "floor"}) {
        measured.baselines.push_back({name, {}, {figure("classify.linear.accuracy", 0.79)}});
    }
    measured.cells.push_back({"chosen",
                              {cell.epsilon, cell.lambda},
                              {figure("classify.linear.accuracy", 0.71),
                               figure("reconstruct.prior", 0.05), figure("reconstruct.echo", 0.14),
                               figure("reconstruct.best", 0.15), figure("reconstruct.gain", 0.1)}});
    measured.assumptions = {{"reconstruct", {"first", "second"}}};
    return measured;
}

}  // namespace

TEST_CASE("A verdict within the limits says on what the choice rests") {
    document::Report report = reportWithPair(13.9, {"nw.p95<=90000", "sw.p5>=0"});
    CHECK(verdictOf(report) ==
          "!Verdict: within both limits. The choice rests on measurements, not on a promise.\n"
          "The limits protect, as far as measured, against words kept too often and outputs of "
          "too little variety; none is on what an attacker guesses. Promised, whoever attacks: the "
          "odds of two words at most 13.8 apart change by at most ×1,000,000. For words farther "
          "apart, as the pair below is, no bound is of any use.");
    report = reportWithPair(13.7, {"nw.p95<=90000"});
    CHECK_THAT(verdictOf(report),
               Contains("!Verdict: within the limit. The choice rests on measurements, and on a "
                        "promise only for words at most 13.8 apart.\n") &&
                   Contains("For words farther apart, as the pair below is not, no bound"));
    // Without pairs nobody can say that the promise covers none.
    report.run.pairs.clear();
    CHECK_THAT(verdictOf(report), Contains("a promise only for words at most 13.8 apart.\n") &&
                                      Contains("For words farther apart no bound is of any use."));
}

TEST_CASE("The verdict counts the pairs of words that the promise is of no use for") {
    document::Report report = reportWithPair(13.7, {"nw.p95<=90000"});
    report.run.pairs.push_back(report.run.pairs.front());
    const auto said = [&](double first, double second) {
        report.run.pairs.front().distance = first;
        report.run.pairs.back().distance = second;
        return verdictOf(report);
    };
    CHECK_THAT(said(13.7, 13.7),
               Contains("farther apart, as none of the 2 pairs below is, no bound") &&
                   Contains("and on a promise only for"));
    CHECK_THAT(said(13.7, 13.9),
               Contains("farther apart, as 1 of the 2 pairs below is, no bound") &&
                   Contains("and on a promise only for"));
    CHECK_THAT(said(13.9, 13.9),
               Contains("farther apart, as all of the 2 pairs below are, no bound") &&
                   Contains("not on a promise."));
}

TEST_CASE("What limits do not protect against is not said of them") {
    CHECK_THAT(verdictOf(reportWithPair(1, {"far.mean<=100%"})),
               Contains("The limits keep the text useful; none protects against an attacker."));
    CHECK_THAT(verdictOf(reportWithPair(1, {"nw.p95>=0"})), Contains("none protects against"));
    document::Report report = reportWithPair(1, {});
    report.settings.figureLimits = {experiment::parseFigureLimit("attack.gain<=20%").value()};
    report.evaluations = {evaluationOf(report)};
    CHECK_THAT(verdictOf(report), Contains("against the attackers that were measured; a better "
                                           "attacker may learn more."));
}

TEST_CASE("A verdict outside the limits, or open, says nothing of what the choice rests on") {
    document::Report report = reportWithPair(1, {"nw.p95<=90000", "sw.p5>=90000"});
    CHECK_THAT(verdictOf(report), Contains("!Verdict: outside the limits: 1 of 2 is NOT met.\n") &&
                                      !Contains("rests on") && !Contains("protect"));
    // What is not missed is not met by that.
    report.settings.figureLimits = {experiment::parseFigureLimit("attack.gain<=20%").value()};
    CHECK_THAT(verdictOf(report),
               Contains("!Verdict: outside the limits: 1 of 3 is NOT met, 1 of 3 limits was not "
                        "measured at this setting.\n"));
    report.settings.figureLimits.clear();
    report.settings.limits.clear();
    CHECK_THAT(verdictOf(report), Contains("!Verdict: open, because no limits were set.\n") &&
                                      !Contains("rests on") && !Contains("protect"));
}

TEST_CASE("A promise for any two words is called so") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.guarantees.front().cap = 2;  // e^2 = 7.389, rounded up
    document::Report report = reportOn(summary);
    report.settings.limits = {calibration::parseLimit("nw.p95<=90000").value()};
    CHECK_THAT(
        verdictOf(report),
        Contains("The choice rests on measurements and on a promise for any two words.") &&
            Contains("Promised, whoever attacks: the odds of any two words change by at most "
                     "×7.39."));
}

TEST_CASE("A limit without a measurement is told from one without a figure") {
    document::Report report = reportWithPair(1, {"nw.p95<=90000"});
    report.settings.figureLimits = {
        experiment::parseFigureLimit("classify.linear.retained>=80%").value()};
    const auto said = [&] { return sectionText(report, "summary"); };
    CHECK_THAT(said(), Contains("open, because 1 of 2 limits was not measured at this setting.") &&
                           Contains("– Limit 2: a linear classifier of the words keeps at least "
                                    "80% of its usefulness: not measured at this setting"));
    report.evaluations = {evaluationOf(report)};
    CHECK_THAT(said(), Contains("open, because 1 of 2 limits could not be judged by what was "
                                "measured."));
    report.settings.figureLimits = {experiment::parseFigureLimit("attack.gain<=20%").value()};
    CHECK_THAT(said(), Contains("within both limits."));
}

TEST_CASE("Of several measurements of a setting the one that meets a limit least decides") {
    document::Report report = reportWithPair(1, {"nw.p95<=90000"});
    report.settings.figureLimits = {experiment::parseFigureLimit("attack.gain<=20%").value()};
    const document::StoredEvaluation measured = evaluationOf(report);
    const auto withGain = [&measured](double gain) {
        document::StoredEvaluation again = measured;
        ++again.seed;
        again.cells.front().figures.back() = figure("reconstruct.gain", gain);
        return again;
    };
    const auto said = [&] { return sectionText(report, "summary"); };
    const std::string item =
        "Limit 2: an attacker guesses at most 20 of 100 words more than without the release: ";
    const std::string missed = "outside the limits: 1 of 2 is NOT met.";
    // The draws of a search meet the limit, others at the setting that it found do not.
    report.evaluations = {measured, withGain(0.25)};
    CHECK_THAT(said(), Contains(missed) && Contains("✗ " + item + "NO, 25 (") &&
                           Contains("At this setting, with other random draws, the best attacker"));
    std::reverse(report.evaluations.begin(), report.evaluations.end());
    CHECK_THAT(said(), Contains(missed) && Contains("✗ " + item + "NO, 25 ("));
    report.evaluations = {measured, withGain(0.15)};
    CHECK_THAT(said(), Contains("within both limits.") && Contains("✓ " + item + "yes, 15 ("));

    // One that gives no figure does not hide another that misses the limit, and meets nothing.
    report.settings.figureLimits = {
        experiment::parseFigureLimit("classify.linear.retained>=80%").value()};
    const auto withRetained = [&measured](double retained) {
        document::StoredEvaluation again = measured;
        ++again.seed;
        again.cells.front().figures.push_back(figure("classify.linear.retained", retained));
        return again;
    };
    for (const bool isFirst : {true, false}) {
        report.evaluations = {measured};
        report.evaluations.insert(isFirst ? report.evaluations.begin() : report.evaluations.end(),
                                  withRetained(0.7));
        CHECK_THAT(said(), Contains(missed));
        report.evaluations[isFirst ? 0 : 1] = withRetained(0.9);
        CHECK_THAT(said(), Contains("open, because 1 of 2 limits could not be judged"));
    }
}

TEST_CASE("Reasons for an open verdict are counted one by one") {
    document::Report report = reportWithPair(1, {});
    report.settings.figureLimits = {
        experiment::parseFigureLimit("classify.vectors.retained>=80%").value(),
        experiment::parseFigureLimit("classify.fasttext.retained>=80%").value(),
        experiment::parseFigureLimit("classify.linear.retained>=80%").value()};
    report.evaluations = {evaluationOf(report)};
    CHECK_THAT(verdictOf(report),
               Contains("open, because 2 of 3 limits were not measured at this setting and 1 of 3 "
                        "limits could not be judged by what was measured."));
}

TEST_CASE("A pair of words that the memo leaves out is told of") {
    document::Report report = reportWithPair(1, {});
    const char* const said =
        "The analyst looked at a further pair of words, which may be "
        "confidential and is not shown.";
    CHECK_THAT(sectionText(report, "summary"), !Contains(said));
    report.hidesPair = true;
    CHECK_THAT(sectionText(report, "summary"), Contains(said));
}

// Of two words that are equally likely at first an attacker tells a share e^L / (1 + e^L) at most:
// e^0.875 = 2.39888 gives 0.705785, and e^10 = 22,026 gives 0.999955, no less than 100.0 of 100.
TEST_CASE("The memo says beside the measured attackers what none can exceed") {
    document::Report report = reportWithPair(0.875, {});
    const auto said = [&] { return sectionText(report, "summary"); };
    CHECK_THAT(said(), Contains("Between “paris” and “london”, equally likely beforehand, no "
                                "attacker can exceed 70.6 of 100 right guesses") &&
                           !Contains("as frequent as the attackers"));
    report.run.pairs.front().distance = 10;
    CHECK_THAT(said(),
               Contains("Between “paris” and “london”, equally likely beforehand, the promise "
                        "still allows an attacker more than 99.9 of 100 right guesses."));
    // ln 3 = 1.09861, rounded down.
    report.run.pairs.clear();
    CHECK_THAT(said(), Contains("Between two words at most 1.09 apart, equally likely beforehand, "
                                "no attacker can exceed 75 of 100 right guesses"));
    report.evaluations = {evaluationOf(report)};
    const std::string place = "Of words as frequent as the attackers assume, ";
    CHECK_THAT(said(), !Contains(place));
    auto& figures = report.evaluations.front().cells.front().figures;
    figures.push_back(figure("reconstruct.upper", 0.16));
    CHECK_THAT(said(), Contains(place + "no attacker who ignores context can guess more than 17.0 "
                                        "of 100 (95% bound)."));
    figures.back() = figure("reconstruct.upper", 0.995);
    CHECK_THAT(said(), Contains(place + "no useful bound is known for other attackers."));
}
