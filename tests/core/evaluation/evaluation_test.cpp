#include "core/evaluation/evaluation_run.h"

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/report/evaluation_report.h"
#include "core/report/report_model.h"
#include "tests/core/evaluation/two_clusters.h"
#include "tests/core/release/release_support.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using Catch::Matchers::Contains;

namespace {

using test::clusteredDocuments;
using test::clusteredOptions;
using test::evaluated;
using test::resultsJson;
using test::twoClusters;

/// Of the linear classifier.
const Figure& figureOf(const Findings& findings, const char* measure) {
    const Figure* figure = figureAt(findings, std::string("linear.") + measure);
    REQUIRE(figure != nullptr);
    return *figure;
}

struct Cell {
    double accuracy;
    double best;
};

Figure share(const char* path, double value) {
    return {{value, std::array{value - 0.01, value + 0.01}}, path};
}

/// Lambda 0 and 0.5 at epsilons given as 8, 2, 4, the first three cells of lambda 0; every attacker
/// without the release guesses 0.06.
EvaluationSummary summaryOf(const std::array<Cell, 6>& cells) {
    EvaluationSummary summary;
    summary.options.grid.mechanism = mechanism::Mechanism::named("mahalanobis").value();
    summary.options.grid.epsilons = {8.0, 2.0, 4.0};
    summary.options.grid.lambdas = {0.0, 0.5};
    AttackResults attack;
    attack.risk = "gain";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        EvaluationCell cell;
        cell.epsilon = summary.options.grid.epsilons[i % 3];
        cell.lambda = summary.options.grid.lambdas[i / 3];
        const std::array interval{cells[i].accuracy - 0.02, cells[i].accuracy + 0.02};
        cell.classify.add("linear.accuracy", Measured{cells[i].accuracy, interval});
        summary.cells.push_back(std::move(cell));
        Findings findings;
        findings.figures = {share("best", cells[i].best), share("prior", 0.06),
                            share("gain", cells[i].best - 0.06)};
        attack.cells.emplace_back(std::move(findings));
    }
    summary.original.add("linear.accuracy", Measured{0.81, {}});
    summary.ceiling = summary.floor = summary.original;
    summary.attacks.push_back(std::move(attack));
    return summary;
}

const std::array<Cell, 6> kCells{
    {{0.78, 0.30}, {0.60, 0.10}, {0.70, 0.20}, {0.79, 0.40}, {0.58, 0.10}, {0.70, 0.15}}};

}  // namespace

TEST_CASE("Accuracy runs from the floor to the ceiling as epsilon rises") {
    const char* mechanism = GENERATE("mahalanobis", "tem");
    CAPTURE(mechanism);
    const DataSet data = clusteredDocuments(300);
    const EvaluationSummary summary = evaluated(data, clusteredOptions(mechanism));
    const double floor = figureOf(summary.floor, "accuracy").value;
    const double ceiling = figureOf(summary.ceiling, "accuracy").value;
    CHECK(floor < 0.8);
    CHECK(ceiling > 0.95);
    CHECK(figureOf(summary.original, "accuracy").value == ceiling);  // all words are known
    CHECK(std::abs(summary.majority - 0.5) < 0.15);
    for (const EvaluationCell& cell : summary.cells) {
        CAPTURE(cell.epsilon, cell.lambda);
        const double accuracy = figureOf(cell.classify, "accuracy").value;
        const Figure& retained = figureOf(cell.classify, "retained");
        REQUIRE(retained.kind == Figure::Kind::share);
        if (cell.epsilon > 1.0) {
            CHECK(accuracy > ceiling - 0.03);
            CHECK(retained.value > 0.85);
        } else {
            CHECK(accuracy < ceiling - 0.1);
        }
        const Figure& auc = figureOf(cell.classify, "auc");
        REQUIRE(auc.repeats.size() == 3);
        const bool varies = std::ranges::count(auc.repeats, auc.repeats.front()) < 3;
        CHECK(auc.ci95.has_value() == varies);
    }
    CHECK(summary.guarantees.size() == summary.cells.size());
}

TEST_CASE("An own split is used in every repeat, and its test documents widen the intervals") {
    DataSet data = clusteredDocuments(200);
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].split = i % 4 == 0 ? Split::test : Split::training;
    }
    const EvaluationSummary summary = evaluated(data, clusteredOptions());
    CHECK(summary.data.hasOwnSplit);
    CHECK(summary.data.trainingDocuments == 150);
    const Figure& original = figureOf(summary.original, "accuracy");
    // The three repeats are equal, and right on all of 50 documents: Wilson's interval, by its
    // formula.
    REQUIRE(original.value == 1.0);
    CHECK((*original.ci95)[0] == Approx(50.0 / (50.0 + 1.96 * 1.96)));
    CHECK((*original.ci95)[1] == 1.0);

    // Ten test documents of another class than their words: equal repeats again, of which other
    // test documents would tell another macro F1, with two balanced classes about as the share that
    // is right. From 100 resamples within a factor of 1.7 but for a false alarm of 1e-5.
    for (std::size_t i = 0; i < data.documents.size(); i += 20) {
        data.documents[i].label = 1 - data.documents[i].label;
    }
    const Figure again = figureOf(evaluated(data, clusteredOptions()).original, "macroF1");
    REQUIRE(again.value == Approx(0.8).margin(0.02));
    REQUIRE(again.ci95);
    const double ratio = (again.value - (*again.ci95)[0]) / (1.96 * std::sqrt(0.8 * 0.2 / 50.0));
    CHECK(ratio > 1.0 / 1.7);
    CHECK(ratio < 1.7);
}

TEST_CASE("A run that is cancelled keeps the repeats that were finished") {
    const DataSet data = clusteredDocuments(100);
    std::stop_source source;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             // While the second of three repeats is perturbed.
                             if (progress.fraction > 0.4) {
                                 source.request_stop();
                             }
                         }};
    const EvaluationSummary summary = evaluated(data, clusteredOptions(), job);
    CHECK(summary.partial);
    CHECK(summary.repeats == 1);
    CHECK_FALSE(figureOf(summary.cells.front().classify, "accuracy").ci95.has_value());
    std::stop_source atOnce;
    atOnce.request_stop();
    CHECK(Evaluation::create(twoClusters(), data, clusteredOptions())
              .value()
              .run({atOnce.get_token(), {}})
              .error()
              .code == ErrorCode::cancelled);
}

TEST_CASE("What is finished is shown while a run goes on, and shown does not change the end") {
    const DataSet data = clusteredDocuments(100);
    EvaluationOptions options = clusteredOptions("laplace");
    options.tasks = {Task::classify, Task::membership};
    std::vector<EvaluationSummary> shown;
    const auto evaluation = Evaluation::create(twoClusters(), data, options).value();
    std::vector<double> progress;
    double latest = 0.0;
    const JobContext job{{}, [&](const Progress& now) { latest = now.fraction; }};
    const auto summary = evaluation
                             .run(job,
                                  [&](const EvaluationSummary& soFar) {
                                      shown.push_back(soFar);
                                      progress.push_back(latest);
                                  })
                             .value();
    // Three repeats, the whole classification, and each of the two settings of the attack.
    REQUIRE(shown.size() == 6);
    // Each task has the same share of the progress. That of the attack is a fifth for the noise,
    // and half of the rest for each setting.
    CHECK(progress[3] == Approx(0.5));
    CHECK(progress[4] == Approx(0.8));
    CHECK(progress[5] == Approx(1.0));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        CAPTURE(i);
        CHECK(shown[i].partial);
        CHECK(shown[i].repeats == std::min<int>(static_cast<int>(i) + 1, 3));
        CHECK(figureAt(shown[i].cells.front().classify, "linear.accuracy") != nullptr);
    }
    CHECK_FALSE(figureOf(shown.front().cells.front().classify, "accuracy").ci95);
    REQUIRE(shown.back().attacks.size() == 1);
    CHECK(shown[4].attacks.front().cells.front().has_value());
    CHECK_FALSE(shown[4].attacks.front().cells.back().has_value());
    CHECK(shown.back().attacks.front().cells.back().has_value());
    // The first repeat is the evaluation of one repeat.
    options.repeats = 1;
    options.tasks = {Task::classify};
    EvaluationSummary one = evaluated(data, options);
    one.options = shown.front().options;
    one.partial = true;
    CHECK(resultsJson(shown.front()) == resultsJson(one));
    CHECK(resultsJson(summary) == resultsJson(evaluation.run().value()));
}

TEST_CASE("What cannot be evaluated is refused with one sentence") {
    const auto problem = [](const auto& change) {
        DataSet data = clusteredDocuments(50);
        EvaluationOptions options = clusteredOptions();
        change(data, options);
        return Evaluation::create(twoClusters(), data, options).error().message;
    };
    CHECK_THAT(problem([](DataSet& data, auto&) { data.classes = {"no"}; }),
               Contains("one class only, no"));
    CHECK_THAT(problem([](DataSet& data, auto&) {
                   data.classes.clear();
                   data.labelColumn.reset();
               }),
               Contains("no labels"));
    CHECK_THAT(problem([](auto&, EvaluationOptions& options) { options.positive = "maybe"; }),
               Contains("\"maybe\"") && Contains("no, yes"));
    CHECK_THAT(problem([](DataSet& data, auto&) { data.documents.resize(1); }),
               Contains("too few"));
    CHECK_THAT(problem([](DataSet& data, auto&) {
                   for (Document& document : data.documents) {
                       document.text = "völlig fremd";
                   }
               }),
               Contains("no word of the data set"));
    CHECK_THAT(problem([](auto&, EvaluationOptions& options) { options.grid.epsilons = {-1.0}; }),
               Contains("epsilon"));
}

// Three known words are rows 0 to 2; typed, "what" and "else" are the spellings behind them, and
// the mask is behind all of these.
TEST_CASE("A classifier learns from texts what is released of them") {
    const auto space = test::wordSpace({"a", "b", "c"});
    DataSet data;
    data.documents = {{"a what b what", 1}, {"else c", 0}};
    const std::vector<std::size_t> documents{0, 1};
    const auto released = [&](release::UnknownPolicy unknown) {
        EvaluationOptions options;
        options.policies.unknown = unknown;
        options.grid.epsilons = {1.0};
        const Evaluation parts{
            *space,
            data,
            options,
            std::make_shared<const TokenisedDocuments>(
                tokeniseDocuments(data.documents, space->embedding().vocabulary(), options.policies)
                    .value()),
            {}};
        const auto perturber =
            Perturber::create(*space, *parts.words, options.policies, options.grid, 1).value();
        CHECK(parts.typed(documents).tokens == std::vector<Row>{0, 3, 1, 3, 4, 2});
        const DrawPool pool{0, documents};
        const LabelledTokens tokens = parts.released(pool, perturber->unperturbed(pool));
        CHECK(tokens.labels == std::vector<std::int32_t>{1, 0});
        CHECK(tokens.size() == 2);
        return std::vector{std::vector<Row>(tokens.document(0).begin(), tokens.document(0).end()),
                           std::vector<Row>(tokens.document(1).begin(), tokens.document(1).end())};
    };
    CHECK(released(release::UnknownPolicy::mask) ==
          std::vector<std::vector<Row>>{{0, 5, 1, 5}, {5, 2}});
    CHECK(released(release::UnknownPolicy::keep) ==
          std::vector<std::vector<Row>>{{0, 3, 1, 3}, {4, 2}});
    CHECK(released(release::UnknownPolicy::drop) == std::vector<std::vector<Row>>{{0, 1}, {2}});
}

TEST_CASE("Membership leaves test texts out that are among the training texts") {
    DataSet data = clusteredDocuments(90);
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].split = i < 50 ? Split::training : Split::test;
    }
    // A training and a test document repeat a training document, a test document a test document.
    for (const auto& [copy, first] : {std::pair(30, 0), std::pair(50, 31), std::pair(74, 51)}) {
        data.documents[static_cast<std::size_t>(copy)].twin = first;
    }
    EvaluationOptions options = clusteredOptions("laplace");
    options.tasks = {Task::membership, Task::classify};
    options.grid.epsilons = {2.0};
    options.repeats = 1;
    const EvaluationSummary summary = evaluated(data, options);
    CHECK_THAT(summary.attacks.front().sentences.back(),
               Contains("in two parts: 1 of the test documents"));
    CHECK(summary.data.repeatedTestDocuments == 1);
    CHECK_THAT(report::reportText(report::evaluationPage({{}, summary})),
               Contains("1 of the test documents repeat a training document"));
}

TEST_CASE(
    "Families hold the settings of a shape, read at the measured epsilon of the least ratio") {
    const EvaluationSummary summary = summaryOf(kCells);
    const auto families = familiesOf(summary);
    REQUIRE(families.size() == 2);
    CHECK(families[0].mechanism.lambda() == 0.0);
    CHECK(families[0].cells == std::vector<std::size_t>{1, 2, 0});
    CHECK(families[1].cells == std::vector<std::size_t>{4, 5, 3});
    CHECK(nearestFamily(families, mechanism::Mahalanobis{0.2}) == 0);
    CHECK(nearestFamily(families, mechanism::Mahalanobis{0.3}) == 1);
    CHECK(nearestCell(summary, families[0], 2.0) == 1U);
    CHECK(nearestCell(summary, families[0], 2.8) == 1U);  // 2 sqrt(2) = 2.83 is halfway
    CHECK(nearestCell(summary, families[0], 2.9) == 2U);
    CHECK(nearestCell(summary, families[1], 8.0) == 3U);
    CHECK_FALSE(nearestCell(summary, families[0], 1.9));
    CHECK_FALSE(nearestCell(summary, families[0], 8.1));
}

TEST_CASE("A setting is dominated where another one is no riskier and no less useful") {
    const auto points = tradeOffOf(summaryOf(kCells));
    REQUIRE(points.size() == 6);
    std::vector<std::pair<std::size_t, bool>> found(points.size());
    std::ranges::transform(points, found.begin(), [](const TradeOffPoint& point) {
        return std::pair(point.cell, point.isDominated);
    });
    // Cell 2 is as useful as 5 at a higher risk; cell 4 is less useful than 1 at the same risk.
    CHECK(found == std::vector<std::pair<std::size_t, bool>>{
                       {1, false}, {2, true}, {0, false}, {4, true}, {5, false}, {3, false}});
    CHECK(points[0].utility == 0.60);
    CHECK(points[0].risk == Approx(0.04));
    // Equal settings do not beat each other.
    std::array<Cell, 6> equal{};
    equal.fill({0.7, 0.2});
    CHECK(std::ranges::none_of(tradeOffOf(summaryOf(equal)), &TradeOffPoint::isDominated));
    // There is no trade-off without both sides, or of settings not reached.
    EvaluationSummary summary = summaryOf(kCells);
    summary.attacks.front().cells[3].reset();
    CHECK(tradeOffOf(summary).size() == 5);
    CHECK(tradeOffOf(summary, Task::audit).empty());
    summary.options.classifiers = {ClassifierKind::vectors};
    CHECK(tradeOffOf(summary).empty());
}

TEST_CASE("The sentence says what both sides found, with intervals") {
    EvaluationSummary summary = summaryOf(kCells);
    summary.data.commonest = "ham";
    summary.majority = 0.55;
    CHECK(report::tradeOffSentence(summary, 0) ==
          "At ε 8, λ 0: 78 of 100 texts (95% interval 76 to 80) still get the right class by a "
          "linear classifier of the words; always saying \"ham\" would be right for 55, without "
          "protection 81 are right; the best attacker guesses 30 of 100 words (95% interval 29 to "
          "31), 6.0 without the release.");
    summary.attacks.front().cells[0].reset();
    CHECK(report::tradeOffSentence(summary, 0, false).empty());
    summary.cells[0].classify = {};
    CHECK(report::tradeOffSentence(summary, 0).empty());
}
