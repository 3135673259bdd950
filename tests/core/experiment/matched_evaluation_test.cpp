#include "core/experiment/matched_evaluation.h"

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/evaluation_document.h"
#include "core/experiment/figure_reader.h"
#include "core/experiment/limited_recommendation.h"
#include "core/experiment/study_text.h"
#include "core/report/evaluation_report.h"
#include "core/report/match_report.h"
#include "core/report/report_html.h"
#include "core/report/report_text.h"
#include "tests/core/calibration/limits_of.h"
#include "tests/core/experiment/two_clusters.h"

// Reference: one evaluation of all mechanisms at all epsilons of a scan, which shares neither the
// order nor the grouping of the search.

using namespace epsilens;
using namespace epsilens::experiment;
using Catch::Matchers::Contains;
using test::clusteredDocuments;
using test::clusteredOptions;
using test::twoClusters;

namespace {

EvaluationOptions attackOptions(const char* mechanism) {
    EvaluationOptions options = clusteredOptions(mechanism);
    options.attack.prior = PriorKind::uniform;
    options.tasks = {Task::reconstruct};
    options.grid.epsilons = {0.2, 30.0};
    return options;
}

/// All epsilons of a scan, and values of a figure there, by mechanism.
std::vector<std::vector<FigureValue>> scanned(const DataSet& data, EvaluationOptions options,
                                              const FigureName& figure,
                                              const std::vector<double>& epsilons) {
    options = optionsFor({figure}, std::move(options));
    options.grid.epsilons = epsilons;
    const EvaluationSummary summary =
        Evaluation::create(twoClusters(), data, options).value().run().value();
    std::vector<std::vector<FigureValue>> values(summary.cells.size() / epsilons.size());
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        values[cell / epsilons.size()].push_back(figureOf(summary, cell, figure));
    }
    return values;
}

std::string textOf(const document::EvaluationRecord& record) {
    return report::reportText(report::evaluationPage(record));
}

std::string htmlOf(const document::EvaluationRecord& record) {
    return report::reportHtml(report::evaluationPage(record));
}

}  // namespace

TEST_CASE("Settings are matched where a whole scan finds them, and evaluated there") {
    const char* mechanism = GENERATE("mahalanobis", "tem");
    CAPTURE(mechanism);
    const DataSet data = clusteredDocuments(150);
    EvaluationOptions options = attackOptions(mechanism);
    const FigureLimit limit = parseFigureMatch("attack.best=30%").value();
    const MatchedEvaluation matched = evaluateMatched(twoClusters(), data, options, limit).value();
    const std::vector<double> epsilons = scanEpsilons({0.2, 30.0}, 0.0);
    const auto values = scanned(data, options, limit.figure, epsilons);
    REQUIRE(matched.match.settings.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const MatchFound& found = matched.match.settings[i].found;
        const auto first = static_cast<std::size_t>(
            std::find_if(values[i].begin(), values[i].end(),
                         [&](const FigureValue& figure) { return figure.value > 0.3; }) -
            values[i].begin());
        REQUIRE(first > 0);
        REQUIRE(first < epsilons.size());
        REQUIRE(found.epsilon);
        CHECK(*found.epsilon >= epsilons[first - 1]);
        CHECK(*found.epsilon < epsilons[first]);
        CHECK(found.figure.value <= 0.3);
        // What the evaluation says there is what the search read.
        const std::size_t cell = matched.match.settings[i].cell.value();
        CHECK(matched.summary->cells[cell].epsilon == *found.epsilon);
        CHECK(figureOf(*matched.summary, cell, limit.figure).value == found.figure.value);
    }
}

TEST_CASE("Noise can be matched by a bound for all attackers, what has no noisy vector not") {
    const DataSet data = clusteredDocuments(100);
    EvaluationOptions options = attackOptions("mahalanobis");
    const FigureLimit limit = parseFigureMatch("attack.upper=50%").value();
    const MatchedEvaluation matched = evaluateMatched(twoClusters(), data, options, limit).value();
    const std::vector<double> epsilons = scanEpsilons({0.2, 30.0}, 0.0);
    const auto values = scanned(data, options, limit.figure, epsilons);
    REQUIRE(matched.match.settings.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto first = static_cast<std::size_t>(
            std::find_if(values[i].begin(), values[i].end(),
                         [&](const FigureValue& figure) { return !(figure.value <= 0.5); }) -
            values[i].begin());
        REQUIRE(first > 0);
        REQUIRE(first < epsilons.size());
        const MatchFound& found = matched.match.settings[i].found;
        REQUIRE(found.epsilon);
        CHECK(*found.epsilon >= epsilons[first - 1]);
        CHECK(*found.epsilon < epsilons[first]);
        // Who sees outputs does no better there; false alarms as of two intervals of 95 %.
        const std::size_t cell = matched.match.settings[i].cell.value();
        const Findings& findings = matched.summary->attacks.front().cells[cell].value();
        CHECK(figureAt(findings, "bracket.upper")->value == found.figure.value);
        CHECK((*figureAt(findings, "bracket.lower")->ci95)[0] <= (*found.figure.ci95)[1]);
    }
    const auto problem = [&](const mechanism::Mechanism& mechanism, const char* text) {
        EvaluationOptions other = options;
        other.grid = mechanism::Grid::of(mechanism);
        other.grid.epsilons = options.grid.epsilons;
        return evaluateMatched(twoClusters(), data, other, parseFigureMatch(text).value())
            .error()
            .message;
    };
    CHECK_THAT(problem(mechanism::Tem{}, "attack.upper=50%"), Contains("tem has no noisy vector"));
    // Without a release one of 40 words is guessed.
    CHECK_THAT(problem(mechanism::Laplace{}, "attack.upper=2.5%"), Contains("guesses 2.50% of"));
}

TEST_CASE("A matched evaluation also has the tasks asked for, their differences and its reports") {
    const DataSet data = clusteredDocuments(150);
    EvaluationOptions options = attackOptions("mahalanobis");
    options.tasks = {Task::classify};
    const FigureLimit limit = parseFigureMatch("attack.best=30%").value();
    MatchedEvaluation matched = evaluateMatched(twoClusters(), data, options, limit).value();
    REQUIRE(matched.summary);
    CHECK(matched.summary->options.has(Task::reconstruct));
    REQUIRE(matched.summary->cells.size() == 2);
    REQUIRE(matched.summary->differences.size() == 1);
    const auto& cells = matched.summary->cells;
    CHECK(matched.summary->differences.front().accuracy.difference.mean ==
          Approx(cells[0].classify[0].of(Measure::accuracy).mean -
                 cells[1].classify[0].of(Measure::accuracy).mean));
    const document::EvaluationRecord record{{}, *matched.summary, matched.match};
    const auto json = nlohmann::json::parse(document::evaluationJson(record));
    CHECK(json["match"]["figure"] == "attack.best");
    CHECK(json["match"]["settings"].size() == 2);
    CHECK(json["cells"][1]["epsilon"] == json["match"]["settings"][1]["epsilon"]);
    CHECK(json["cells"][1]["reconstruct"]["best"]["mean"] ==
          json["match"]["settings"][1]["figure"]["mean"]);
    CHECK_THAT(textOf(record), Contains("attack.best=30%") && Contains("were tried") &&
                                   Contains("1 comparisons at matched ε"));
    CHECK_THAT(htmlOf(record), Contains("Where are the settings equal?"));
}

TEST_CASE("Matched settings are compared on an own split too, over its test documents") {
    DataSet data = clusteredDocuments(150);
    data.splitColumn = Column{"split", false};
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].split = i % 3 == 0 ? Split::test : Split::training;
    }
    EvaluationOptions options = attackOptions("mahalanobis");
    options.tasks = {Task::classify};
    const MatchedEvaluation matched =
        evaluateMatched(twoClusters(), data, options, parseFigureMatch("attack.best=50%").value())
            .value();
    REQUIRE(matched.summary);
    REQUIRE(matched.summary->differences.size() == 1);
    const ClassifierResults& first = matched.summary->cells[0].classify[0];
    const ClassifierResults& second = matched.summary->cells[1].classify[0];
    // The standard error by its definition (utility.md): the variance of the difference over the
    // repeats, and over the documents that all of them share.
    const auto squaredError = [](const std::vector<double>& differences) {
        const auto n = static_cast<double>(differences.size());
        double mean = 0.0;
        for (const double difference : differences) {
            mean += difference / n;
        }
        double sum = 0.0;
        for (const double difference : differences) {
            sum += (difference - mean) * (difference - mean);
        }
        return sum / (n - 1.0) / n;
    };
    std::vector<double> ofRepeats;
    for (std::size_t i = 0; i < first.repeats.size(); ++i) {
        ofRepeats.push_back(first.repeats[i][0] - second.repeats[i][0]);
    }
    std::vector<double> ofDocuments;
    double right = 0.0;
    REQUIRE(first.correct.size() == 50);
    for (std::size_t i = 0; i < first.correct.size(); ++i) {
        ofDocuments.push_back(first.correct[i] - second.correct[i]);
        right += first.correct[i] / 50.0;
    }
    CHECK(right == Approx(first.of(Measure::accuracy).mean));
    CHECK(matched.summary->differences[0].accuracy.difference.standardError ==
          Approx(std::sqrt(squaredError(ofRepeats) + squaredError(ofDocuments))));
}

TEST_CASE("A success below that of the prior, and one that no setting reaches, are told") {
    const DataSet data = clusteredDocuments(100);
    EvaluationOptions options = attackOptions("tem");
    const auto match = [&](const char* text) {
        return evaluateMatched(twoClusters(), data, options, parseFigureMatch(text).value());
    };
    // The commonest of 40 words makes up more than a thousandth of the text.
    options.attack.prior = PriorKind::training;
    const auto refused = match("attack.best=0.1%");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::invalidArgument);
    CHECK_THAT(refused.error().message, Contains("by the prior"));
    options.grid.epsilons = {0.2, 0.3};
    const MatchedEvaluation never = match("attack.best=90%").value();
    CHECK_FALSE(never.summary);
    CHECK_THAT(report::noMatchSentence(never.match),
               Contains("attack.best=90%") && Contains("at ε = 0.3"));
    options.grid.epsilons = {5.0};
    CHECK_THAT(match("attack.best=20%").error().message, Contains("a smallest and a largest"));
}

TEST_CASE("A match does not depend on threads, and keeps the settings that were reached") {
    const DataSet data = clusteredDocuments(80);
    EvaluationOptions options = attackOptions("tem");
    options.grid.mechanism =
        mechanism::Mechanism(mechanism::Tem{.distance = metric::Metric::mahalanobis});
    const FigureLimit limit = parseFigureMatch("attack.best=30%").value();
    options.threads = 1;
    const MatchedEvaluation one = evaluateMatched(twoClusters(), data, options, limit).value();
    REQUIRE(one.match.settings.size() == 2);
    options.threads = 3;
    std::stop_source source;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             if (progress.fraction > 0.6) {
                                 source.request_stop();
                             }
                         }};
    const MatchedEvaluation cut = evaluateMatched(twoClusters(), data, options, limit, job).value();
    REQUIRE(cut.match.settings.size() == 1);
    CHECK(cut.match.settingsAsked == 2);
    CHECK(cut.summary->partial);
    CHECK(cut.match.settings[0].found.epsilon == one.match.settings[0].found.epsilon);
    CHECK(cut.match.settings[0].found.figure.value == one.match.settings[0].found.figure.value);
    CHECK_THAT(report::matchSentences(cut.match)[1], Contains("1 of 2 settings"));
    std::stop_source atOnce;
    atOnce.request_stop();
    CHECK(evaluateMatched(twoClusters(), data, options, limit, {atOnce.get_token(), {}})
              .error()
              .code == ErrorCode::cancelled);
}

TEST_CASE("Limits on figures hold where a whole scan says that they do") {
    const DataSet data = clusteredDocuments(150);
    LimitedOptions options;
    options.evaluation = attackOptions("mahalanobis");
    options.figures = {parseFigureLimit("attack.best<=60%").value(),
                       parseFigureLimit("classify.linear.accuracy>=60%").value()};
    calibration::CalibrationOptions& calibration = options.search.calibration;
    calibration.grid = options.evaluation.grid;
    calibration.words = {calibration::WordSelection::Kind::all, 0, {}};
    const LimitedRecommendation found = recommendWithin(twoClusters(), data, options).value();
    const std::vector<double> epsilons = scanEpsilons({0.2, 30.0}, 0.0);
    const auto risk = scanned(data, options.evaluation, options.figures[0].figure, epsilons);
    const auto use = scanned(data, options.evaluation, options.figures[1].figure, epsilons);
    REQUIRE(found.figures.settings.size() == 2);
    for (std::size_t setting = 0; setting < 2; ++setting) {
        std::optional<std::size_t> last;
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            if (!checkFigure(options.figures[0], risk[setting][i]).met()) {
                break;
            }
            last = checkFigure(options.figures[1], use[setting][i]).met() ? i : last;
        }
        REQUIRE(last);
        const calibration::SettingRecommendation& is = found.found.settings[setting];
        REQUIRE(is.epsilon);
        CHECK(*is.epsilon >= epsilons[*last]);
        CHECK(*is.epsilon < epsilons[*last + 1]);
        CHECK(is.cell.epsilon == *is.epsilon);
        CHECK(found.figures.settings[setting].epsilon == is.epsilon);
        // Fresh: the evaluation with the next seed.
        EvaluationOptions next = options.evaluation;
        ++next.seed;
        const auto fresh = scanned(data, next, options.figures[1].figure, {*is.epsilon});
        const LimitsFound& figures = found.figures.settings[setting];
        CHECK(figures.fresh[1].figure.value == fresh[setting].front().value);
        // It is whole, so that the command line gives the same.
        const EvaluationOptions& again = figures.again.value().options;
        CHECK(again.seed == next.seed);
        CHECK(again.grid.epsilons == std::vector{*is.epsilon});
        CHECK_FALSE(again.attack.bestAlone);
        for (const FigureCheck& check : figures.fresh) {
            CHECK(figureOf(*figures.again, 0, check.limit.figure).value == check.figure.value);
        }
    }
    CHECK(found.found.best.has_value());

    // A limit on words below that one holds as well.
    options.search.limits = test::limitsOf({"nw.mean<=20%"});
    const LimitedRecommendation both = recommendWithin(twoClusters(), data, options).value();
    for (std::size_t setting = 0; setting < 2; ++setting) {
        const calibration::SettingRecommendation& is = both.found.settings[setting];
        if (is.epsilon) {
            CHECK(is.checks.front().met());
            CHECK(*is.epsilon <= *found.found.settings[setting].epsilon);
        }
    }
}

// Reference: the whole evaluation, which measures everything at once.
TEST_CASE("The best attacker alone is the one of a whole evaluation") {
    const char* mechanism = GENERATE("mahalanobis", "tem", "laplace");
    CAPTURE(mechanism);
    const DataSet data = clusteredDocuments(120);
    EvaluationOptions whole = attackOptions(mechanism);
    whole.attack.prior = PriorKind::training;
    whole.tasks = {Task::classify, Task::reconstruct};
    whole.grid.epsilons = {0.2, 1.0, 3.0, 30.0};
    const EvaluationSummary all =
        Evaluation::create(twoClusters(), data, whole).value().run().value();
    for (const FigureName::Kind kind : {FigureName::Kind::best, FigureName::Kind::gain}) {
        const FigureName figure{kind, {}};
        const EvaluationOptions alone = optionsFor({figure}, whole);
        REQUIRE(alone.attack.bestAlone);
        const EvaluationSummary best =
            Evaluation::create(twoClusters(), data, alone).value().run().value();
        REQUIRE(best.cells.size() == all.cells.size());
        for (std::size_t cell = 0; cell < all.cells.size(); ++cell) {
            const FigureValue is = figureOf(best, cell, figure);
            const FigureValue expected = figureOf(all, cell, figure);
            CHECK(is.value == expected.value);
            CHECK(is.ci95 == expected.ci95);
        }
        CHECK(priorSuccess(best) == priorSuccess(all));
    }
    CHECK_FALSE(optionsFor({{FigureName::Kind::upper, {}}}, whole).attack.bestAlone);
}

TEST_CASE("Limits on figures that cannot be judged are refused") {
    const DataSet data = clusteredDocuments(60);
    LimitedOptions options;
    options.evaluation = attackOptions("mahalanobis");
    options.evaluation.repeats = 1;
    options.search.calibration.grid = options.evaluation.grid;
    options.figures = {parseFigureLimit("classify.linear.accuracy>=60%").value()};
    CHECK_THAT(recommendWithin(twoClusters(), data, options).error().message,
               Contains("two repeats"));
    DataSet unlabelled = data;
    unlabelled.labelColumn.reset();
    unlabelled.classes.clear();
    options.evaluation.repeats = 2;
    CHECK_THAT(recommendWithin(twoClusters(), unlabelled, options).error().message,
               Contains("--label-column"));
}

TEST_CASE("Study text is what a setting makes of the documents, and does not depend on threads") {
    const DataSet data = clusteredDocuments(30);
    EvaluationOptions options = clusteredOptions("laplace");
    // No word moves at the second epsilon.
    options.grid.epsilons = {0.5, 500.0};
    const auto textOf = [&](int threads) {
        options.threads = threads;
        StudyText study(data);
        REQUIRE(study.append(Evaluation::create(twoClusters(), data, options).value()));
        return study.csv();
    };
    const std::string csv = textOf(1);
    CHECK(textOf(3) == csv);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 2 * 30);
    int kept = 0;
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        const Document& document = data.documents[i];
        const std::string start = "laplace,500,,,," + std::to_string(i + 1) + ",";
        const std::string end = "," + data.classes[static_cast<std::size_t>(document.label)] + "," +
                                document.text + "\n";
        const std::size_t line = csv.find("\n" + start);
        REQUIRE(line != std::string::npos);
        kept += csv.substr(line + 1, csv.find('\n', line + 1) - line).ends_with(end) ? 1 : 0;
    }
    CHECK(kept == 30);
    CHECK(checkStudyName("folder/texts.study.csv").has_value());
    CHECK_FALSE(checkStudyName("study/texts.csv").has_value());
}
