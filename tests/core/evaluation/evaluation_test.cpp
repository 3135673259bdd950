#include "core/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/evaluation/evaluation_parts.h"
#include "core/report/evaluation_report.h"
#include "core/report/report_model.h"
#include "tests/core/evaluation/two_clusters.h"
#include "tests/core/release/word_space.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using Catch::Matchers::Contains;

namespace {

using test::clusteredDocuments;
using test::clusteredOptions;
using test::resultsJson;
using test::twoClusters;

EvaluationSummary evaluated(const DataSet& data, const EvaluationOptions& options,
                            const JobContext& job = {}) {
    return Evaluation::create(twoClusters(), data, options).value().run(job).value();
}

}  // namespace

TEST_CASE("Accuracy runs from the floor to the ceiling as epsilon rises") {
    const char* mechanism = GENERATE("mahalanobis", "tem");
    CAPTURE(mechanism);
    const DataSet data = clusteredDocuments(300);
    const EvaluationSummary summary = evaluated(data, clusteredOptions(mechanism));
    const double floor = summary.floor.front().of(Measure::accuracy).mean;
    const double ceiling = summary.ceiling.front().of(Measure::accuracy).mean;
    CHECK(floor < 0.8);
    CHECK(ceiling > 0.95);
    CHECK(summary.original.front().of(Measure::accuracy).mean == ceiling);  // all words are known
    CHECK(std::abs(summary.majority - 0.5) < 0.15);
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        const ClassifierResults& results = summary.cells[cell].classify.front();
        CAPTURE(cell);
        REQUIRE(results.retained.has_value());
        if (summary.cells[cell].epsilon > 1.0) {
            CHECK(results.of(Measure::accuracy).mean > ceiling - 0.03);
            CHECK(results.retained->mean > 0.85);
        } else {
            CHECK(results.of(Measure::accuracy).mean < ceiling - 0.1);
        }
        const auto aucOf = [](const Scores& scores) {
            return scores.at(static_cast<std::size_t>(Measure::auc));
        };
        const bool varies = std::any_of(
            results.repeats.begin(), results.repeats.end(),
            [&](const Scores& repeat) { return aucOf(repeat) != aucOf(results.repeats.front()); });
        CHECK(results.of(Measure::auc).ci95.has_value() == varies);
    }
    CHECK(summary.guarantees.size() == summary.cells.size());
}

TEST_CASE("Results do not depend on threads, nor on how many settings are drawn at once") {
    const DataSet data = clusteredDocuments(120);
    EvaluationOptions options = clusteredOptions();
    options.classifiers = {ClassifierKind::linear, ClassifierKind::fasttext};
    options.perturbTest = true;
    options.threads = 1;
    const std::string one = resultsJson(evaluated(data, options));
    options.threads = 3;
    CHECK(resultsJson(evaluated(data, options)) == one);
}

TEST_CASE("An own split is used in every repeat, and its test documents widen the intervals") {
    DataSet data = clusteredDocuments(200);
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].split = i % 4 == 0 ? Split::test : Split::training;
    }
    const EvaluationSummary summary = evaluated(data, clusteredOptions());
    CHECK(summary.data.hasOwnSplit);
    CHECK(summary.data.trainingDocuments == 150);
    const Estimate& original = summary.original.front().of(Measure::accuracy);
    // The three repeats are equal, and right on all of 50 documents: Wilson's interval, by its
    // formula.
    REQUIRE(original.mean == 1.0);
    CHECK((*original.ci95)[0] == Approx(50.0 / (50.0 + 1.96 * 1.96)));
    CHECK((*original.ci95)[1] == 1.0);
}

TEST_CASE("Resampled test documents are the same for every setting") {
    // Of the accuracy they have the variance of the mean over documents, and of the difference of
    // two settings that of the mean difference, which is smaller than for samples of their own.
    // Estimates from 100 resamples are within a factor of 1.7 but for a false alarm of 1e-5.
    DataSet data = clusteredDocuments(400);
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].split = i % 2 == 0 ? Split::test : Split::training;
    }
    EvaluationOptions options = clusteredOptions();
    options.grid.epsilons = {0.8, 0.85};
    const EvaluationSummary summary = evaluated(data, options);
    const ClassifierResults& first = summary.cells[0].classify.front();
    const ClassifierResults& second = summary.cells[1].classify.front();
    REQUIRE(first.of(Measure::accuracy).mean < 0.97);
    REQUIRE(first.resampled.size() == 100);
    std::vector<double> accuracies;
    std::vector<double> differences;
    for (std::size_t i = 0; i < 100; ++i) {
        accuracies.push_back(first.resampled[i].front());
        differences.push_back(second.resampled[i].front() - first.resampled[i].front());
    }
    std::vector<double> byDocument;
    for (std::size_t i = 0; i < first.correct.size(); ++i) {
        byDocument.push_back(second.correct[i] - first.correct[i]);
    }
    const double ofOne = varianceOf(accuracies).value() / varianceOfMean(first.correct);
    const double ofDifference = varianceOf(differences).value() / varianceOfMean(byDocument);
    CAPTURE(ofOne, ofDifference);
    CHECK(ofOne > 1.0 / 1.7);
    CHECK(ofOne < 1.7);
    CHECK(ofDifference > 1.0 / 1.7);
    CHECK(ofDifference < 1.7);
    CHECK(1.7 * varianceOfMean(byDocument) <
          varianceOfMean(first.correct) + varianceOfMean(second.correct));
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
    CHECK_FALSE(summary.cells.front().classify.front().of(Measure::accuracy).ci95.has_value());
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
    options.tasks = {Task::classify, Task::reconstruct};
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
    // Each task has the same share of the progress.
    CHECK(progress[3] == Approx(0.5));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        CAPTURE(i);
        CHECK(shown[i].partial);
        CHECK(shown[i].repeats == std::min<int>(static_cast<int>(i) + 1, 3));
        CHECK(shown[i].cells.front().classify.size() == 1);
    }
    CHECK_FALSE(shown.front().cells.front().classify.front().of(Measure::accuracy).ci95);
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
    const auto problem = [](const DataSet& data, const EvaluationOptions& options) {
        return Evaluation::create(twoClusters(), data, options).error().message;
    };
    DataSet one = clusteredDocuments(50);
    one.classes = {"no"};
    CHECK_THAT(problem(one, clusteredOptions()), Contains("one class only, no"));
    DataSet none = clusteredDocuments(50);
    none.classes.clear();
    none.labelColumn.reset();
    CHECK_THAT(problem(none, clusteredOptions()), Contains("no labels"));
    EvaluationOptions positive = clusteredOptions();
    positive.positive = "maybe";
    CHECK_THAT(problem(clusteredDocuments(50), positive),
               Contains("\"maybe\"") && Contains("no, yes"));
    CHECK_THAT(problem(clusteredDocuments(1), clusteredOptions()), Contains("too few"));
    DataSet foreign = clusteredDocuments(20);
    for (Document& document : foreign.documents) {
        document.text = "völlig fremd";
    }
    CHECK_THAT(problem(foreign, clusteredOptions()), Contains("no word of the data set"));
    EvaluationOptions wrong = clusteredOptions();
    wrong.grid.epsilons = {-1.0};
    CHECK_FALSE(problem(clusteredDocuments(50), wrong).empty());
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
        const EvaluationParts parts{
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
        const LabelledTokens tokens =
            parts.released(documents, perturber->unperturbed({0, documents}));
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
