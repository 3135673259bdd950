#include "core/evaluation/figure_search.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/evaluation/evaluation.h"
#include "core/evaluation/evaluation_run.h"
#include "core/report/recommendation_report.h"
#include "tests/core/calibration/limits_of.h"
#include "tests/core/evaluation/two_clusters.h"

// Reference: one evaluation of all mechanisms at all epsilons of a scan, which shares neither the
// order nor the grouping of the search.

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
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
        values[cell / epsilons.size()].push_back(figureOf(summary, kBaselines + cell, figure));
    }
    return values;
}

/// A search for where the settings of attackOptions have a value.
LimitedOptions matchOptions(const char* mechanism, const char* match) {
    LimitedOptions options;
    options.evaluation = attackOptions(mechanism);
    options.figures = {parseFigureMatch(match).value()};
    options.search.calibration.grid = options.evaluation.grid;
    options.search.calibration.words = {calibration::WordSelection::Kind::all, 0, {}};
    return options;
}

}  // namespace

TEST_CASE("Settings are matched where a whole scan finds them") {
    const auto [mechanism, text] =
        GENERATE(std::pair("mahalanobis", "attack.best=30%"), std::pair("tem", "attack.best=30%"),
                 std::pair("mahalanobis", "attack.upper=50%"));
    CAPTURE(mechanism, text);
    const DataSet data = clusteredDocuments(150);
    const LimitedOptions options = matchOptions(mechanism, text);
    const LimitedRecommendation matched = recommendWithin(twoClusters(), data, options).value();
    const std::vector<double> epsilons = scanEpsilons({0.2, 30.0}, 0.0);
    const FigureLimit& match = options.figures.front();
    const auto values = scanned(data, options.evaluation, match.figure, epsilons);
    REQUIRE(matched.figures.settings.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const LimitsFound& found = matched.figures.settings[i];
        const auto first = static_cast<std::size_t>(
            std::find_if(values[i].begin(), values[i].end(),
                         [&](const FigureValue& figure) { return figure.value > match.share(); }) -
            values[i].begin());
        REQUIRE(first > 0);
        REQUIRE(first < epsilons.size());
        REQUIRE(found.epsilon);
        CHECK(*found.epsilon >= epsilons[first - 1]);
        CHECK(*found.epsilon < epsilons[first]);
        CHECK(found.checks.front().figure.value <= match.share());
        CHECK(matched.found.settings[i].epsilon == found.epsilon);
    }
}

TEST_CASE("A success below that of the prior, and one that no setting reaches, are told") {
    const DataSet data = clusteredDocuments(100);
    LimitedOptions options = matchOptions("tem", "attack.best=0.1%");
    // The commonest of 40 words makes up more than a thousandth of the text.
    options.evaluation.attack.prior = PriorKind::training;
    const auto refused = recommendWithin(twoClusters(), data, options);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::invalidArgument);
    CHECK_THAT(refused.error().message, Contains("by the prior"));
    options = matchOptions("tem", "attack.best=90%");
    options.search.calibration.grid.epsilons = {0.2, 0.3};
    const LimitedRecommendation never = recommendWithin(twoClusters(), data, options).value();
    CHECK_FALSE(never.found.best);
    CHECK_THAT(report::shortfallSentence(never.found, &never.figures),
               Contains("attack.best=90%") && Contains("ε = 0.3"));
    CHECK_THAT(recommendWithin(twoClusters(), data, matchOptions("tem", "attack.upper=50%"))
                   .error()
                   .message,
               Contains("tem has no noisy vector"));
    // Without a release one of 40 words is guessed.
    CHECK_THAT(recommendWithin(twoClusters(), data, matchOptions("laplace", "attack.upper=2.5%"))
                   .error()
                   .message,
               Contains("guesses 2.50% of"));
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
            CHECK(figureOf(*figures.again, kBaselines, check.limit.figure).value ==
                  check.figure.value);
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
            const FigureValue is = figureOf(best, kBaselines + cell, figure);
            const FigureValue expected = figureOf(all, kBaselines + cell, figure);
            CHECK(is.value == expected.value);
            CHECK(is.ci95 == expected.ci95);
        }
        CHECK(figureAt(best, kBaselines, "reconstruct.prior")->value ==
              figureAt(all, kBaselines, "reconstruct.prior")->value);
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
        return studyText(Evaluation::create(twoClusters(), data, options).value()).value();
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
