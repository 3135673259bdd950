#include "core/experiment/evaluation_cost.h"

#include <array>
#include <cmath>
#include <stop_token>
#include <string>

#include <catch2/catch.hpp>

#include "core/document/evaluation_document.h"
#include "core/experiment/attack/stage_clock.h"
#include "tests/core/experiment/two_clusters.h"

// How well costs are foretold is for the benchmark; here, that every task can be tried on a part of
// its documents, and that trying leaves no trace.

using namespace epsilens;
using namespace epsilens::experiment;

namespace {

constexpr std::array kTasks{Task::classify, Task::membership, Task::authorship, Task::audit,
                            Task::reconstruct};

/// Documents by four authors in turn.
DataSet authored(int documents) {
    DataSet data = test::clusteredDocuments(documents);
    data.authors = {"a", "b", "c", "d"};
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].author = static_cast<std::int32_t>(i % data.authors.size());
    }
    return data;
}

EvaluationOptions optionsOf(Task task, const char* mechanism = "mahalanobis") {
    EvaluationOptions options = test::clusteredOptions(mechanism);
    options.tasks = {task};
    options.threads = 2;
    return options;
}

Evaluation evaluationOf(const DataSet& data, const EvaluationOptions& options) {
    return Evaluation::create(test::twoClusters(), data, options).value();
}

std::string jsonOf(EvaluationSummary summary) {
    summary.perturbSeconds = 0.0;
    summary.classifySeconds = 0.0;
    for (AttackResults& attack : summary.attacks) {
        attack.seconds = 0.0;
    }
    return document::evaluationJson({{}, std::move(summary)});
}

}  // namespace

TEST_CASE("Every task is estimated, and an estimate leaves the results as they are") {
    const Task task = GENERATE(from_range(kTasks));
    const char* mechanism = GENERATE("mahalanobis", "tem");
    CAPTURE(taskName(task), mechanism);
    const DataSet data = authored(200);
    const Evaluation evaluation = evaluationOf(data, optionsOf(task, mechanism));
    const std::string before = jsonOf(evaluation.run().value());
    const EvaluationCost cost = evaluation.cost().value();
    CHECK(cost.seconds > 0.0);
    CHECK(std::isfinite(cost.seconds));
    CHECK(cost.bytes > 0);
    CHECK((cost.models > 0) == (task == Task::classify));
    CHECK(StageClock::current() == nullptr);
    CHECK(jsonOf(evaluation.run().value()) == before);
}

TEST_CASE("The cost of several tasks counts all of them") {
    const DataSet data = authored(200);
    EvaluationOptions options = optionsOf(Task::classify);
    options.tasks.assign(kTasks.begin(), kTasks.end());
    const EvaluationCost cost = evaluationOf(data, options).cost().value();
    // 3 repeats x (3 conditions + 4 settings); 140 training documents of 4 words.
    CHECK(cost.models == 21);
    CHECK(cost.substitutions == 3 * 4 * 140 * 4);
}

TEST_CASE("A part of the documents with too few classes or authors is enlarged") {
    // 40,000 words are tried on every fourth document first, which one author wrote, of one class.
    DataSet data = authored(10'000);
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].label = i % 4 == 0 ? 0 : 1;
    }
    const Task task = GENERATE(Task::classify, Task::membership, Task::authorship);
    CAPTURE(taskName(task));
    EvaluationOptions options = optionsOf(task);
    options.grid.lambdas = {0.5};
    CHECK(evaluationOf(data, options).cost().has_value());
}

TEST_CASE("An estimate can be cancelled") {
    const Task task = GENERATE(from_range(kTasks));
    CAPTURE(taskName(task));
    const DataSet data = authored(200);
    std::stop_source source;
    source.request_stop();
    const auto cost = evaluationOf(data, optionsOf(task)).cost({source.get_token(), {}});
    REQUIRE_FALSE(cost.has_value());
    CHECK(cost.error().code == ErrorCode::cancelled);
}
