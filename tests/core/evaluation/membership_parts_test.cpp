#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/evaluation/evaluation.h"
#include "core/report/evaluation_report.h"
#include "core/report/report_text.h"
#include "tests/core/evaluation/two_clusters.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;

namespace {

std::string textOf(const document::EvaluationRecord& record) {
    return report::reportText(report::evaluationPage(record));
}

}  // namespace
using Catch::Matchers::Contains;

TEST_CASE("Membership leaves test texts out that are among the training texts") {
    DataSet data = test::clusteredDocuments(90);
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        data.documents[i].split = i < 50 ? Split::training : Split::test;
    }
    // A training and a test document repeat a training document, a test document a test document.
    for (const auto& [copy, first] : {std::pair(30, 0), std::pair(50, 31), std::pair(74, 51)}) {
        data.documents[static_cast<std::size_t>(copy)].twin = first;
    }
    EvaluationOptions options = test::clusteredOptions("laplace");
    options.tasks = {Task::membership, Task::classify};
    options.grid.epsilons = {2.0};
    options.repeats = 1;
    const EvaluationSummary summary =
        Evaluation::create(test::twoClusters(), data, options).value().run().value();
    CHECK_THAT(summary.attacks.front().sentences.back(),
               Contains("in two parts: 1 of the test documents"));
    CHECK(summary.data.repeatedTestDocuments == 1);
    CHECK_THAT(textOf({{}, summary}),
               Contains("1 of the test documents repeat a training document"));
}
