#include <cmath>
#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/attack/prior.h"
#include "core/base/random_stream.h"
#include "core/evaluation/evaluation_run.h"
#include "core/report/evaluation_report.h"
#include "core/report/report_model.h"
#include "tests/core/evaluation/two_clusters.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/toy_embedding.h"

// References: the channel of TEM as a float64 matrix; made-up authors and classes; chance.

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using Catch::Matchers::Contains;

namespace {

constexpr int kWords = 40;

const engine::SearchSpace& space() {
    static const engine::SearchSpace space(
        test::toyEmbedding(test::anisotropicVectors(kWords, 3, 5)));
    return space;
}

/// Documents of eight words: of the first or the second half of the vocabulary, by their class, and
/// every author has ten words that the others use less.
DataSet madeUp(int documents, int authors = 4) {
    DataSet data;
    data.classes = {"no", "yes"};
    data.labelColumn = Column{"label", false};
    for (int author = 0; author < authors; ++author) {
        data.authors.push_back("a" + std::to_string(author));
    }
    SeededStream stream({1, StreamPurpose::wordSelection, 0, 0});
    for (int i = 0; i < documents; ++i) {
        const int author = i % authors;
        Document document;
        document.label = author % 2;
        document.author = author;
        for (int word = 0; word < 8; ++word) {
            const std::uint64_t own = static_cast<std::uint64_t>(10 * author) + stream.below(10);
            document.text += "w" + std::to_string(word < 7 ? own : stream.below(kWords)) + " ";
        }
        document.twin = i;
        data.documents.push_back(document);
    }
    return data;
}

EvaluationOptions optionsFor(std::vector<Task> tasks, const char* mechanism) {
    EvaluationOptions options;
    options.tasks = std::move(tasks);
    options.grid.mechanism = mechanism::Mechanism::named(mechanism).value();
    options.grid.epsilons = {0.5, 60.0};
    options.repeats = 1;
    return options;
}

EvaluationSummary attacked(const DataSet& data, const EvaluationOptions& options,
                           const JobContext& job = {}) {
    return test::evaluated(data, options, job, space());
}

double valueAt(const std::optional<Findings>& findings, const std::string& path) {
    const Figure* figure = figureAt(findings.value(), path);
    INFO(path);
    REQUIRE(figure != nullptr);
    return figure->value;
}

std::string textOf(const document::EvaluationRecord& record) {
    return report::reportText(report::evaluationPage(record));
}

}  // namespace

TEST_CASE("Reconstruction of a data set agrees with the channel as a matrix") {
    EvaluationOptions options = optionsFor({Task::reconstruct}, "tem");
    options.grid.epsilons = {3.0};
    options.attack.prior = PriorKind::uniform;
    const EvaluationSummary summary = attacked(madeUp(1200), options);
    REQUIRE(summary.attacks.size() == 1);
    const AttackResults& attack = summary.attacks.front();
    // Under a uniform prior a word w is guessed with the sum of its column entries over the outputs
    // u where C(w, u) is the largest of all words; the text has its words as often as it has them.
    const auto metric =
        metric::WordMetric::create(space().handle(), metric::Metric::euclidean).value();
    const auto law =
        mechanism::TruncatedExponential::create(3.0, *summary.cells.front().gamma).value();
    const RowMatrixD channel = test::channelMatrix(metric, law);
    VectorD guessed = VectorD::Zero(kWords);
    for (Row output = 0; output < kWords; ++output) {
        Row best = 0;
        channel.col(output).maxCoeff(&best);
        guessed[best] += channel(best, output);
    }
    // Over all words alike, as no text leans far to any: the interval of the text takes in the
    // rest.
    const Figure* map = figureAt(*attack.cells.front(), "map");
    REQUIRE(map != nullptr);
    const double error = ((*map->ci95)[1] - (*map->ci95)[0]) / 2.0;
    CHECK(map->value == Approx(guessed.mean()).margin(3.0 * error));
    CHECK(valueAt(attack.original, "map") == 1.0);
    CHECK(valueAt(attack.original, "echo") == 1.0);
    // Random words: 1/V, with a false alarm of 1e-6 for 360 documents of 8 words.
    CHECK(valueAt(attack.floor, "echo") < 0.1);
    CHECK(figureAt(*attack.cells.front(), "upper") == nullptr);
    CHECK(summary.classified().empty());  // nothing was classified
}

TEST_CASE("Attackers of noise lie between the prior and whoever sees the noisy vectors") {
    using mechanism::RadialLaw;
    const engine::SearchSpace ball(test::toyEmbedding(test::poincareVectors(kWords, 3, 0.9, 84)));
    const auto [mechanism, epsilons] = GENERATE(table<mechanism::Mechanism, std::vector<double>>(
        {{mechanism::Laplace{}, {0.01, 200.0}},
         {mechanism::Hyperbolic{RadialLaw::riemannian}, {3.0, 500.0}},
         {mechanism::Hyperbolic{RadialLaw::eq7}, {3.0, 500.0}}}));
    CAPTURE(mechanism.name(), epsilons);
    const bool isFlat = mechanism.name() == "laplace";
    EvaluationOptions options = optionsFor({Task::reconstruct}, "laplace");
    options.grid.mechanism = mechanism;
    options.grid.epsilons = epsilons;
    const AttackResults attack =
        test::evaluated(madeUp(120), options, {}, isFlat ? space() : ball).attacks.front();
    // No word moves at the largest epsilon; at the smallest the noise hides some, or nearly all.
    CHECK(valueAt(attack.cells[1], "echo") > 0.99);
    CHECK(valueAt(attack.cells[1], "map") > 0.99);
    CHECK(valueAt(attack.cells[1], "upper") > 0.99);
    CHECK(valueAt(attack.cells[0], "echo") < 0.9);
    CHECK((!isFlat || valueAt(attack.cells[0], "upper") < 0.2));
    CHECK(valueAt(attack.original, "upper") == 1.0);
    CHECK(valueAt(attack.original, "context") == 1.0);
    // Random words: the noisy vector tells no more than the commonest word of the training part.
    CHECK(valueAt(attack.floor, "map") == valueAt(attack.floor, "prior"));
    CHECK(valueAt(attack.floor, "upper") > 1.0 / kWords);
    CHECK(valueAt(attack.floor, "upper") < valueAt(attack.cells[1], "upper"));
    for (const auto& cell : attack.cells) {
        CHECK((*figureAt(*cell, "map")->ci95)[0] <= (*figureAt(*cell, "noisyVector")->ci95)[1]);
        CHECK(figureAt(*cell, "noisyVectorContext") != nullptr);
        CHECK(valueAt(cell, "best") >= valueAt(cell, "prior") - 0.1);
    }
}

TEST_CASE("The prior may come from a file of counts or a text") {
    const test::TemporaryFolder folder;
    const embedding::Vocabulary& vocabulary = space().embedding().vocabulary();
    const auto read = [&](const std::string& name, const std::string& content) {
        return readReferenceText(folder.file(name, content), vocabulary,
                                 text::CasePolicy::automatic);
    };
    const auto counts = read("counts.txt", "w1\t5\nw2\t3\nnone\t9\n").value();
    CHECK(counts->counts[1] == 5);
    CHECK(counts->knownWords == 8);
    CHECK(counts->bigrams.followers().empty());
    const auto text = read("text.txt", "w1 w2 w1\nw2\n").value();
    CHECK(text->counts[1] == 2);
    CHECK(text->counts[2] == 2);
    CHECK(text->bigrams.followers().size() == 2);  // within lines only
    // One line that is no count makes it a text: the 5 is then a word, and unknown.
    CHECK(read("mixed.txt", "w1\t5\nw1 w2\n").value()->counts[1] == 2);
    CHECK(read("foreign.txt", "völlig fremd\n").error().code == ErrorCode::badFile);

    // Noise that hides everything: whoever sees the vector guesses the commonest word of the prior,
    // (5 + 1) / (8 + 40) of words that follow it.
    EvaluationOptions options = optionsFor({Task::reconstruct}, "laplace");
    options.grid.epsilons = {1e-4};
    options.attack.prior = PriorKind::file;
    options.attack.reference = counts;
    const EvaluationSummary summary = attacked(madeUp(60), options);
    const double error = std::sqrt(0.125 * 0.875 / 5000.0);
    CHECK(valueAt(summary.attacks.front().cells[0], "upper") ==
          Approx(6.0 / 48.0).margin(test::normalCritical(test::kFalseAlarmRate) * error));
}

TEST_CASE("Authors, members and users are found in original text and not in random words") {
    const DataSet data = madeUp(240);
    const EvaluationSummary summary = attacked(
        data,
        optionsFor({Task::authorship, Task::membership, Task::audit, Task::classify}, "laplace"));
    REQUIRE(summary.attacks.size() == 3);
    const AttackResults& authorship = summary.attacks[0];
    CHECK(valueAt(authorship.original, "correct") > 0.95);
    CHECK(valueAt(authorship.original, authorship.risk) == valueAt(authorship.original, "correct"));
    CHECK(valueAt(authorship.floor, authorship.risk) < 0.5);
    CHECK(valueAt(authorship.floor, "correct") < 0.5);  // chance is 1/4, 72 documents
    CHECK(valueAt(authorship.cells[1], "correct") > valueAt(authorship.cells[0], "correct"));
    CHECK(valueAt(authorship.cells[1], "chance") == 0.25);
    const AttackResults& membership = summary.attacks[1];
    CHECK(valueAt(membership.original, "linear.threshold.auc") > 0.4);
    const Figure* null = figureAt(membership.floor.value(), "linear.threshold.auc");
    REQUIRE(null != nullptr);
    CHECK(null->ci95.has_value());
    const AttackResults& audit = summary.attacks[2];
    CHECK(valueAt(audit.original, "users") > 0.0);
    CHECK(audit.cells[0].has_value());
    CHECK(summary.classified() == std::vector{ClassifierKind::linear});
}

TEST_CASE("Random words that tell of authors by their signs are told from chance in a sentence") {
    // Reference: every author writes an unknown word of their own, which is kept, so that who holds
    // texts of all names them whatever stands for the known words.
    DataSet data = madeUp(120);
    EvaluationOptions options = optionsFor({Task::authorship}, "laplace");
    options.grid.epsilons = {1.0};
    options.policies.unknown = release::UnknownPolicy::keep;
    CHECK_THAT(textOf({{}, attacked(data, options)}), !Contains("told from chance"));
    for (Document& document : data.documents) {
        document.text += " sign" + std::string(1, "abcd"[document.author]);
    }
    const EvaluationSummary summary = attacked(data, options);
    // Not always: a round sees a random half of the pieces.
    REQUIRE(valueAt(summary.attacks.front().floor, "adaptive.correct") > 0.9);
    CHECK_THAT(textOf({{}, summary}), Contains("On random words this attack is told from chance") &&
                                          Contains("chance is 0.250"));
}

TEST_CASE("Results do not depend on threads") {
    const DataSet data = madeUp(80);
    for (const char* mechanism : {"tem", "mahalanobis"}) {
        EvaluationOptions options = optionsFor(
            {Task::classify, Task::reconstruct, Task::membership, Task::authorship, Task::audit},
            mechanism);
        options.classifiers = {ClassifierKind::linear, ClassifierKind::fasttext};
        options.grid.lambdas = {0.0, 0.5};
        options.perturbTest = true;
        options.repeats = 2;
        const auto jsonWith = [&](int threads) {
            options.threads = threads;
            return test::resultsJson(attacked(data, options));
        };
        CHECK(jsonWith(1) == jsonWith(3));
    }
}

TEST_CASE("A cancelled attack keeps the settings that were reached") {
    const DataSet data = madeUp(80);
    EvaluationOptions options = optionsFor({Task::audit}, "laplace");
    options.grid.epsilons = {1.0, 2.0, 4.0, 8.0};
    std::stop_source source;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             if (progress.fraction > 0.26) {
                                 source.request_stop();
                             }
                         }};
    const EvaluationSummary summary = attacked(data, options, job);
    CHECK(summary.partial);
    CHECK(summary.attacks.front().cells.front().has_value());
    CHECK_FALSE(summary.attacks.front().cells.back().has_value());
    CHECK_THAT(textOf({{}, summary}), Contains("Partial: it was interrupted"));
    const auto json = nlohmann::json::parse(test::evaluationJson({{}, summary}));
    CHECK(json["cells"][3]["audit"].is_null());
}

TEST_CASE("What attackers cannot be tried on is refused with one sentence") {
    const auto problem = [](const DataSet& data, const EvaluationOptions& options) {
        auto evaluation = Evaluation::create(space(), data, options);
        return evaluation ? evaluation->run().error().message : evaluation.error().message;
    };
    DataSet anonymous = madeUp(40);
    anonymous.authors.clear();
    CHECK_THAT(problem(anonymous, optionsFor({Task::authorship}, "tem")),
               Contains("--author-column"));
    CHECK_THAT(problem(madeUp(40, 1), optionsFor({Task::audit}, "tem")), Contains("one author"));
    CHECK_THAT(problem(madeUp(20), optionsFor({Task::audit}, "tem")), Contains("users of 10"));
    // No classes are needed to guess words.
    DataSet unlabelled = madeUp(60);
    unlabelled.classes.clear();
    unlabelled.labelColumn.reset();
    for (Document& document : unlabelled.documents) {
        document.label = kNone;
    }
    CHECK(Evaluation::create(space(), unlabelled, optionsFor({Task::reconstruct}, "tem"))
              .value()
              .run()
              .has_value());
}
