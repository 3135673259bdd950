#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/experiment/data_set.h"
#include "core/experiment/evaluation.h"
#include "core/experiment/split.h"
#include "core/report/evaluation_report.h"
#include "tests/core/experiment/two_clusters.h"
#include "tests/support/temporary_folder.h"

// References: the sizes of parts that a table gives, counted by hand; a run without noise.

using namespace epsilens;
using namespace epsilens::experiment;
using Catch::Matchers::Contains;

namespace {

/// Documents of four parts, 30, 20, 24 and 16 of them.
DataSet inFourParts() {
    DataSet data = test::clusteredDocuments(90);
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        Document& document = data.documents[i];
        document.text += "x" + std::to_string(i);
        document.split = i < 50 ? Split::training : Split::test;
        document.half = i < 30 ? 0 : i < 50 ? 1 : i < 74 ? 0 : 1;
    }
    return data;
}

AttackResults membershipOf(const DataSet& data, int repeats) {
    EvaluationOptions options = test::clusteredOptions("laplace");
    options.tasks = {Task::membership};
    options.grid.epsilons = {2.0};
    options.repeats = repeats;
    return Evaluation::create(test::twoClusters(), data, options)
        .value()
        .run()
        .value()
        .attacks.front();
}

}  // namespace

TEST_CASE("A split column may name four parts in several ways") {
    const test::TemporaryFolder folder;
    DataSetOptions options;
    const auto read = [&](const std::vector<std::string>& names) {
        std::string csv = "label,text,split\n";
        for (std::size_t i = 0; i < names.size(); ++i) {
            csv += fmt::format("{},text {},{}\n", i % 2 == 0 ? "a" : "b", i, names[i]);
        }
        options.path = folder.file("data.csv", csv);
        return readDataSet(options).value();
    };
    const DataSet four = read({"train1", "Train 2", "TEST_1", "test-2", "dev"});
    CHECK(four.hasFourParts());
    const std::vector<std::int32_t> halves{0, 1, 0, 1, kNone};
    for (std::size_t i = 0; i < halves.size(); ++i) {
        CHECK(four.documents[i].half == halves[i]);
    }
    CHECK(four.documents[1].split == Split::training);
    CHECK(four.documents[2].split == Split::test);
    // A part is missing, or a document is of no half.
    CHECK_FALSE(read({"train1", "train2", "test1"}).hasFourParts());
    CHECK_FALSE(read({"train1", "train2", "test1", "test2", "train"}).hasFourParts());
    CHECK_FALSE(read({"train1", "train2", "test1", "test3"}).hasFourParts());
}

TEST_CASE("Membership takes the four parts of a split column in every repeat") {
    const DataSet data = inFourParts();
    const AttackResults once = membershipOf(data, 1);
    CHECK_THAT(once.sentences[0],
               Contains("trained on 30 released texts") && Contains("from 20 other texts"));
    CHECK_THAT(once.sentences[1], Contains("on 16 of them") && Contains("to 24 others"));
    // Without noise all repeats are the same, and the documents alone leave something open.
    const AttackResults thrice = membershipOf(data, 3);
    const Figure* first = figureAt(*once.original, "linear.threshold.auc");
    const Figure* mean = figureAt(*thrice.original, "linear.threshold.auc");
    CHECK(mean->value == Approx(first->value).epsilon(1e-12));
    CHECK((*mean->ci95)[1] - (*mean->ci95)[0] > 0.05);
    CHECK_THAT(thrice.sentences[0], Contains("differ in noise alone"));
}

TEST_CASE("Membership leaves texts out that a part before has") {
    DataSet data = inFourParts();
    // Of train 2 one text of train 1; of test 1 one of train 2; of test 2 one of test 1.
    for (const auto& [copy, first] : {std::pair(30, 0), std::pair(50, 31), std::pair(74, 51)}) {
        data.documents[static_cast<std::size_t>(copy)].twin = first;
    }
    const AttackResults given = membershipOf(data, 1);
    CHECK_THAT(given.sentences[0], Contains("trained on 30") && Contains("from 19 other"));
    CHECK_THAT(given.sentences[1], Contains("on 15 of them") && Contains("to 23 others"));
    CHECK_THAT(given.sentences.back(), Contains("in two parts: 3 of the documents"));
    // The same with two parts: only the test document that repeats a training document goes.
    for (Document& document : data.documents) {
        document.half = kNone;
    }
    CHECK_THAT(membershipOf(data, 1).sentences.back(),
               Contains("in two parts: 1 of the test documents"));
    EvaluationOptions options = test::clusteredOptions("laplace");
    const EvaluationSummary summary =
        Evaluation::create(test::twoClusters(), data, options).value().run().value();
    CHECK(summary.data.repeatedTestDocuments == 1);
    CHECK_THAT(report::evaluationText({{}, summary}),
               Contains("1 of the test documents repeat a training document"));
}
