#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/document/session.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"
#include "tests/support/example_evaluation.h"

// The memo answers a reviewer's questions in words and claims no more than math.md proves and the
// run measured. Who signs reads the verdict first: it says what was decided, on what that rests,
// and what nobody promises.

using namespace epsilens;
using Catch::Matchers::Contains;
using test::memoOf;
using test::reportOn;

namespace {

using Limits = std::vector<const char*>;

/// A report on Mahalanobis noise with one pair of words, whose promise is of use up to
/// ln 10^6 = 13.8155.
document::Report memoWith(const Limits& limits, const Limits& figureLimits = {},
                          double distance = 1.0) {
    document::Report report = reportOn(test::exampleMahalanobis());
    report.run.pairs.front().distance = distance;
    for (const char* limit : limits) {
        report.settings.limits.push_back(calibration::parseLimit(limit).value());
    }
    for (const char* limit : figureLimits) {
        report.settings.figureLimits.push_back(evaluation::parseFigureLimit(limit).value());
    }
    return report;
}

/// What attackers and a classifier achieve at the chosen setting, without a share of usefulness
/// retained: that figure does not exist.
document::EvaluationRecord evaluationOf(const document::Report& report, double gain = 0.1) {
    auto record = test::exampleEvaluation(report.run, "letters.csv",
                                          {{"classify.linear.accuracy", 0.71},
                                           {"reconstruct.prior", 0.05},
                                           {"reconstruct.best", 0.15},
                                           {"reconstruct.gain", gain},
                                           {"membership.linear.threshold.auc", 0.6},
                                           {"authorship.adaptive.correct", 0.3},
                                           {"audit.adaptive.auc", 0.8}});
    record.summary.options.seed = static_cast<std::uint64_t>(1000 * gain);
    record.summary.attacks.front().sentences = {"first", "second"};
    return record;
}

calibration::WorstWords freshCount(std::int64_t kept) {
    return {10'000, {{7, "worst0", 4, kept}, {8, "worst1", 3, 100}}};
}

}  // namespace

TEST_CASE("Reports are those that were approved") {
    document::Report report = test::exampleReport();
    test::checkApproved("report.txt", test::pageOf(report));
    report.settings.texts =
        document::TextShares{"notes.txt", 1'234, 100, 0.394, 0.105, 0.501, 0.31};
    report.settings.epsilonOrigin = "The program found it under the limit.";
    report.settings.figureLimits = {evaluation::parseFigureLimit("attack.gain<=20%").value()};
    report.settings.choice = calibration::Choice{1, 0.5, std::nullopt};
    report.settings.title.clear();
    report.examples = {{"my own", {"my owl"}}};
    report.hidesPair = true;
    report.beyondLimits = {"111 of 200 words of notes.txt", "3 of 7 words of the typed text"};
    document::KeptSearch search;  // that found nothing
    search.options.grid = mechanism::Grid::of(mechanism::Mahalanobis{0.5});
    search.limits = report.settings.limits;
    search.figureLimits = report.settings.figureLimits;
    report.search = std::make_shared<document::KeptSearch>(search);
    report.evaluations = {evaluationOf(report)};
    test::checkApproved("report_with_texts.txt", test::pageOf(report));
    report = {{}, test::exampleRun(test::exampleTem())};
    report.settings.limits = {*calibration::parseLimit("nw.mean<=3500")};
    test::checkApproved("report_without_choice.txt", test::pageOf(report));
}

TEST_CASE("The verdict counts limits on words and on texts behind the promise") {
    struct Case {
        Limits limits;
        Limits figureLimits;
        bool isMeasured;
        const char* said;
    };
    const char* const met = "nw.p95<=90000";
    const char* const missed = "sw.p5>=90000";
    const char* const gain = "attack.gain<=20%";
    const char* const useless = ", and none protects against an attacker";
    for (const Case& one :
         std::vector<Case>{{{}, {}, false, "none"},
                           {{met, "sw.p5>=0"}, {}, false, "2 of 2 met"},
                           {{}, {gain}, true, "1 of 1 met"},
                           {{met}, {gain}, true, "2 of 2 met"},
                           {{missed, missed}, {}, false, "2 of 2 not met"},
                           {{met, missed}, {gain}, false, "1 of 3 not met, 1 not measured"},
                           {{met}, {gain}, false, "1 of 2 not measured"}}) {
        document::Report report = memoWith(one.limits, one.figureLimits);
        if (one.isMeasured) {
            report.evaluations = {evaluationOf(report)};
        }
        CHECK_THAT(memoOf(report),
                   Contains(std::string("Verdict: the odds of two words at most 13.8 apart change "
                                        "by at most ×1,000,000, whoever attacks, and beyond that "
                                        "no bound is of use; limits: ") +
                            one.said + ".\n"));
    }
    // These keep the text useful.
    for (const char* limit : {"far.mean<=100%", "nw.p95>=0"}) {
        CHECK_THAT(memoOf(memoWith({limit})), Contains(std::string("1 of 1 met") + useless));
    }
    document::Report report =
        memoWith({}, {"classify.vectors.retained>=80%", "classify.linear.retained>=80%"});
    report.evaluations = {evaluationOf(report)};
    CHECK_THAT(memoOf(report), Contains(std::string("2 of 2 not measured") + useless));
}

TEST_CASE("The verdict says where the promise is of use for none of the pairs") {
    document::Report report = memoWith({"nw.p95<=90000"});
    report.run.pairs.push_back(report.run.pairs.front());
    const auto said = [&](double first, double second) {
        report.run.pairs.front().distance = first;
        report.run.pairs.back().distance = second;
        return memoOf(report);
    };
    const char* const some = "Verdict: the odds of two words at most 13.8 apart change";
    const char* const none =
        "Verdict: no useful bound is promised for any pair of words below, only for words at most "
        "13.8 apart, so the choice rests on measurements; limits: 1 of 1 met.";
    CHECK_THAT(said(13.7, 13.7), Contains(some) && !Contains(none));
    CHECK_THAT(said(13.7, 13.9), Contains(some) && !Contains(none));
    CHECK_THAT(said(13.9, 13.9), Contains(none) && !Contains(some));
    // 1000 / ln 10 = 434.3: a power of ten beyond the range of double, rounded up.
    CHECK_THAT(said(1.0, 1000.0), Contains("10⁴³⁵: no useful bound"));
    // Without pairs nobody can say that the promise covers none.
    report.run.pairs.clear();
    CHECK_THAT(memoOf(report), Contains(some) && !Contains(none));
    // The most that the odds can change, e^2 = 7.389, is reached at distance 2.
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.guarantees.front().cap = 2;
    CHECK_THAT(memoOf(reportOn(summary)),
               Contains("Verdict: the odds of any two words change by at most ×7.39, whoever "
                        "attacks; limits: none."));
}

// Losses of words add up: of the pair 0.5 apart e^0.5 = 1.649, of 12 such words e^6 = 403.4, of 40
// e^20 = 4.9e8.
TEST_CASE("The memo promises for the median and longest text, or else for its examples") {
    document::Report report = memoWith({}, {}, 0.5);
    report.run.examples.assign(report.run.summary->cells.size(), {{"one two", {"one ▇▇▇"}}});
    CHECK_THAT(memoOf(report), Contains("the first example, 2 words") && Contains("2 × 0.5") &&
                                   Contains("×2.72\n") && Contains("as paris from london"));
    report.evaluations = {evaluationOf(report)};
    report.evaluations.front().summary.data.lengths = {12, 40};
    CHECK_THAT(memoOf(report), Contains("the median text of letters.csv, 12 replaced words") &&
                                   Contains("×404\n") && Contains("the longest text of letters") &&
                                   Contains("10⁹: no useful bound") && !Contains("first example"));
    report.settings.texts = document::TextShares{"own.txt", 9, 100, 0.4, 0.1, 0.5, 0.0, {1, 2}};
    CHECK_THAT(memoOf(report), Contains("the median text of own.txt, 1 replaced word ") &&
                                   Contains("×1.65\n") && !Contains("longest text of letters"));
}

TEST_CASE("The memo shows other mechanisms beside the chosen one, or says that it cannot") {
    document::Report report = memoWith({});
    CHECK_THAT(memoOf(report), Contains("What other mechanisms promise where they keep as many "
                                        "words was not measured"));
    report.compared = document::ComparedChoice{
        200, 100, 0.53, {{"Mahalanobis", 7.4, 0.07, 31.3}, {"TEM", 2.65, 0.12, 10.4}}};
    CHECK_THAT(memoOf(report),
               Contains("Where they keep 53 of 100 words, too; 200 of the words measured") &&
                   Contains("odds, paris against london") && Contains("chosen: Mahalanobis") &&
                   Contains("10¹⁴: no useful bound") && Contains("TEM") && Contains("2.65"));
    report.compared->rows.resize(1);
    CHECK_THAT(memoOf(report), Contains("No other mechanism runs on these vectors"));
}

// Of a limit on what an attacker gains the search tried ε from 1/20 to 3/2 of the chosen one, which
// is 1; there is a setting with ε = 10, too.
TEST_CASE("The appendix has what the search for epsilon tried beside the chosen one") {
    document::Report report = memoWith({}, {"attack.gain<=20%"});
    document::KeptSearch search;
    search.figureLimits = report.settings.figureLimits;
    search.options.grid = report.run.summary->grid;
    for (int i = 1; i <= 30; ++i) {
        const double epsilon = report.run.summary->cells.front().epsilon * i / 20.0;
        search.found.tried.push_back(
            {epsilon,
             {evaluation::checkFigure(search.figureLimits.front(), {0.01 * i, std::nullopt})}});
    }
    report.search = std::make_shared<const document::KeptSearch>(search);
    const std::string page = test::pageOf(report);
    CHECK_THAT(page, Contains("0.9500") && Contains("19.0  ✓\n") && Contains("20.0  ✓\n") &&
                         Contains("21.0  ✗ 1\n") && !Contains("18.0") && !Contains("22.0"));
    // By another mechanism, or by limits that were not searched by: it says nothing.
    search.options.grid.mechanism = mechanism::Tem();
    report.search = std::make_shared<const document::KeptSearch>(search);
    CHECK_THAT(test::pageOf(report), !Contains("19.0"));
    search.options.grid = report.run.summary->grid;
    report.search = std::make_shared<const document::KeptSearch>(search);
    CHECK_THAT(test::pageOf(report), Contains("19.0"));
    report.settings.figureLimits = {evaluation::parseFigureLimit("attack.gain<=21%").value()};
    CHECK_THAT(test::pageOf(report), !Contains("19.0"));
}

// Of 30 settings that evaluations measured ten are told: the ends and those around the chosen one.
TEST_CASE("The appendix has one table of ten ε, on words and on texts") {
    document::Report report = memoWith({"nw.mean<=1500"}, {"attack.gain<=20%"});
    report.evaluations = {evaluationOf(report)};
    evaluation::EvaluationSummary& summary = report.evaluations.front().summary;
    for (int i = 2; i <= 30; ++i) {
        summary.cells.push_back(summary.cells.front());
        summary.cells.back().epsilon = i;
        for (attack::AttackResults& attack : summary.attacks) {
            attack.cells.push_back(attack.cells.front());
            for (attack::Figure& figure : attack.cells.back()->figures) {
                figure.value = 0.01 * i;
                figure.ci95.reset();
            }
        }
    }
    const std::string page = test::pageOf(report);
    const auto row = [&page](const std::string& begin) {
        const std::size_t at = page.find("\n" + begin + " ");
        return at == std::string::npos ? std::string()
                                       : page.substr(at + 1, page.find('\n', at + 1) - at - 1);
    };
    CHECK_THAT(row("▸ 1"), Contains("1000") && Contains("71") && Contains("✓"));
    // On texts only: that a limit on words is met is not known, that the other is missed is.
    CHECK_THAT(row("9"), Contains(" 9.0  –") && !Contains("✓") && !Contains("✗"));
    CHECK_THAT(row("30"), Contains("30.0  ✗ 2"));
    for (const char* shown : {"2", "3", "8"}) {
        CHECK_FALSE(row(shown).empty());
    }
    for (const char* left : {"10", "11", "15", "29"}) {
        CHECK(row(left).empty());
    }
}

TEST_CASE("Of evaluations that ask the same the nearest speaks, of others each") {
    document::Report report = memoWith({});
    const document::EvaluationRecord near = evaluationOf(report);
    document::EvaluationRecord far = near;
    far.summary.cells.front().epsilon *= 2.0;
    const auto told = [&](bool isOtherTask) {
        far.summary.options.tasks = near.summary.options.tasks;
        if (isOtherTask) {
            far.summary.options.tasks.push_back(attack::Task::audit);
        }
        for (const auto& evaluations : {std::vector{near, far}, std::vector{far, near}}) {
            report.evaluations = evaluations;
            const std::string memo = memoOf(report);
            CHECK_THAT(memo, Contains("At this setting, on the texts of letters.csv"));
            CHECK((memo.find("the nearest setting that was evaluated") != std::string::npos) ==
                  isOtherTask);
        }
    };
    told(false);
    told(true);
}

TEST_CASE("Of several measurements of a setting the one that meets a limit least decides") {
    document::Report report = memoWith({"nw.p95<=90000"}, {"attack.gain<=20%"});
    const std::string missed = "limits: 1 of 2 not met.";
    // The draws of a search meet the limit, others at the setting that it found do not.
    report.evaluations = {evaluationOf(report), evaluationOf(report, 0.25)};
    CHECK_THAT(memoOf(report),
               Contains(missed) && Contains("25 (24 to 26)") && Contains("✗ NO") &&
                   Contains("on the texts of letters.csv, with other random draws, the best"));
    std::ranges::reverse(report.evaluations);
    CHECK_THAT(memoOf(report), Contains(missed) && Contains("25 (24 to 26)"));
    report.evaluations.front() = evaluationOf(report, 0.15);
    CHECK_THAT(memoOf(report), Contains("limits: 2 of 2 met") && Contains("15 (14 to 16)"));

    // One that gives no figure does not hide another that misses the limit, and meets nothing.
    report.settings.figureLimits = {
        evaluation::parseFigureLimit("classify.linear.retained>=80%").value()};
    CHECK_THAT(memoOf(report), Contains("undetermined; the gap") && Contains("– open"));
    for (const std::size_t place : {0U, 1U}) {
        evaluation::EvaluationSummary& summary = report.evaluations[place].summary;
        test::setFigure(summary, "classify.linear.retained", 0.7);
        CHECK_THAT(memoOf(report), Contains(missed));
        test::setFigure(summary, "classify.linear.retained", 0.9);
        CHECK_THAT(memoOf(report), Contains("limits: 1 of 2 not measured"));
        std::erase_if(summary.cells.front().classify.figures, [](const attack::Figure& figure) {
            return figure.path.ends_with("retained");
        });
    }
}

// Of two words that are equally likely at first an attacker tells a share e^L / (1 + e^L) at most:
// e^0.875 = 2.39888 gives 0.705785, and e^10 = 22,026 gives 0.999955, no less than 100.0 of 100.
TEST_CASE("The memo says beside the measured attackers what none can exceed") {
    document::Report report = memoWith({}, {}, 0.875);
    CHECK_THAT(memoOf(report), Contains("Between “paris” and “london”, equally likely beforehand, "
                                        "no attacker can exceed 70.6 of 100 right guesses") &&
                                   !Contains("as frequent as the attackers"));
    report.run.pairs.front().distance = 10;
    CHECK_THAT(
        memoOf(report),
        Contains("the promise still allows an attacker more than 99.9 of 100 right guesses."));
    report.run.pairs.clear();
    CHECK_THAT(memoOf(report), !Contains("equally likely beforehand"));
    report.evaluations = {evaluationOf(report)};
    CHECK_THAT(memoOf(report), !Contains("as frequent as the attackers"));
    test::setFigure(report.evaluations.front().summary, "reconstruct.upper", 0.16);
    CHECK_THAT(memoOf(report), Contains("no attacker who ignores context can guess more than 17.0 "
                                        "of 100 (95% bound)."));
    test::setFigure(report.evaluations.front().summary, "reconstruct.upper", 0.995);
    CHECK_THAT(memoOf(report), Contains("no useful bound is known for other attackers."));
}

TEST_CASE("The memo's sentences name no identifier of the program") {
    const std::string text = memoOf(test::exampleReport());
    for (const char* identifier : {"nw.p95", "sw.p5", "N_w", "S_w", "mahalanobis", "Pr["}) {
        CHECK_THAT(text, !Contains(identifier));
    }
}

TEST_CASE("The title names the texts that are judged, not what they say, and the embedding") {
    document::Report report = reportOn(test::exampleMahalanobis());
    const auto title = [&report] { return report::composeReport(report)->title; };
    CHECK(title() == "Privacy calibration of vectors");
    report.examples = {{"my own", {"my owl"}}};
    CHECK(title() == "Privacy of a typed sentence with vectors");
    report.evaluations.push_back(evaluationOf(report));
    CHECK(title() == "Privacy of letters.csv with vectors");
}

TEST_CASE("The analyst's own sentences are shown before built-in ones") {
    document::Report report = reportOn(test::exampleMahalanobis());
    report.run.examples.assign(report.run.summary->cells.size(),
                               {{"built in", {"bulls in"}}, {"second", {"record"}}});
    CHECK_THAT(memoOf(report), Contains("“built in” could become any of") && Contains("bulls in") &&
                                   Contains("record"));
    report.examples = {{"my own", {"my owl"}}};
    CHECK_THAT(memoOf(report), Contains("my owl") && Contains("bulls in") && !Contains("record"));
    report.examples.push_back({"mine too", {"mind too"}});
    CHECK_THAT(memoOf(report), Contains("my owl") && Contains("mind too") && !Contains("bulls in"));
}

TEST_CASE("The memo says over how many words it speaks, and that a run was interrupted") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    document::Report report = reportOn(summary);
    report.run.request.options.words = {};
    CHECK_THAT(memoOf(report),
               Contains("Measured on 3 of the 12,345 words of the vocabulary. They were drawn at "
                        "random, seed 9007199254740993.") &&
                   !Contains("PARTIAL"));
    report.run.provenance.selection = calibration::SelectionDescription{"sparsest:3", {}, {}, 0};
    CHECK_THAT(memoOf(report), Contains("of the vocabulary. Words chosen: sparsest:3."));
    report.run.provenance.embedding.words = 3;
    CHECK_THAT(memoOf(report), Contains("Measured on all 3 words of the vocabulary."));
    summary.partial = true;
    summary.wordsAsked = 500;
    const std::string partial = memoOf(reportOn(summary));
    CHECK(partial.find("PARTIAL: 3 of 500 words") < partial.find("Verdict"));
    // Interrupted while the worst words were counted again.
    summary.wordsAsked = 3;
    CHECK_THAT(memoOf(reportOn(summary)),
               Contains("PARTIAL: the calibration was interrupted before its end"));
}

TEST_CASE("A limit on the largest of sampled words says what it leaves open") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells.front().nw.max = 2;  // of 4 draws
    document::Report report = reportOn(summary);
    const auto said = [&report](const char* limit) {
        report.settings.limits = {*calibration::parseLimit(limit)};
        return memoOf(report);
    };
    const std::string open =
        "largest or smallest value is that of the 3 words measured; it says nothing about the "
        "other words.";
    CHECK_THAT(said("nw.p95<=50%"), !Contains(open) && !Contains("counted again"));
    CHECK_THAT(said("sw.min>=1"), Contains(open) && !Contains("counted again"));
    CHECK_THAT(said("nw.max<=50%"),
               Contains(open) && Contains("were not counted again with fresh draws"));
    // 20% and 60% of 10,000 draws against a limit of 50%
    for (const char* limit : {"nw.max<=50%", "nw.max<=2", "kept.max<=50%"}) {
        CAPTURE(limit);
        summary.cells.front().worst = freshCount(2'000);
        report.run = test::exampleRun(summary);
        CHECK_THAT(said(limit), Contains("kept 2,000 times at most."));
        summary.cells.front().worst = freshCount(6'000);
        report.run = test::exampleRun(summary);
        CHECK_THAT(said(limit), Contains("kept 6,000 times at most, which is MORE than the limit"));
    }
    // All words, exact: nothing is open.
    report = reportOn(test::exampleTem());
    report.run.provenance.embedding.words = 2;
    CHECK_THAT(said("nw.max<=50%"), !Contains("says nothing about") && !Contains("counted again"));
}
