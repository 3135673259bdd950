#include "core/report/evaluation_report.h"

#include <array>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "core/report/report_model.h"
#include "tests/core/report/report_text.h"

using namespace epsilens;
using namespace epsilens::attack;
using namespace epsilens::evaluation;

using Catch::Matchers::Contains;

namespace {

constexpr std::array kEpsilons{16.0, 2.0, 4.0, 8.0};

Figure share(const char* path, double value) {
    return {{value, {}}, path};
}

/// Lambda 0.5 at epsilons that do not rise. What is retained has these lower ends, in the order of
/// rising epsilon; an attacker's gain is epsilon / 20.
EvaluationSummary summaryOf(const std::array<double, 4>& retainedLow) {
    EvaluationSummary summary;
    summary.options.grid.mechanism = mechanism::Mechanism::named("mahalanobis").value();
    summary.options.grid.epsilons.assign(kEpsilons.begin(), kEpsilons.end());
    summary.options.grid.lambdas = {0.5};
    AttackResults words;
    words.task = Task::reconstruct;
    words.risk = "gain";
    AttackResults members;
    members.task = Task::membership;
    members.risk = "linear.threshold.advantage";
    for (const double epsilon : kEpsilons) {
        const std::size_t place = epsilon == 2.0 ? 0 : epsilon == 4.0 ? 1 : epsilon == 8.0 ? 2 : 3;
        EvaluationCell cell;
        cell.epsilon = epsilon;
        cell.lambda = 0.5;
        cell.classify.figures = {
            {{0.6 + 0.01 * epsilon, std::array{0.5, 0.9}}, "linear.accuracy"},
            {{retainedLow.at(place) + 0.05, std::array{retainedLow.at(place), 1.1}},
             "linear.retained"}};
        summary.cells.push_back(std::move(cell));
        mechanism::Guarantee guarantee;
        guarantee.epsilon = epsilon;
        guarantee.bound = epsilon;
        guarantee.metric = metric::Metric::mahalanobis;
        summary.guarantees.push_back(guarantee);
        Findings guessed;
        guessed.figures = {share("best", epsilon / 20.0 + 0.05), share("prior", 0.05),
                           share("gain", epsilon / 20.0)};
        words.cells.emplace_back(std::move(guessed));
        Findings told;
        told.figures = {share("linear.threshold.advantage", epsilon / 50.0)};
        members.cells.emplace_back(std::move(told));
    }
    summary.original.figures = {share("linear.accuracy", 0.9)};
    summary.ceiling = summary.original;
    summary.floor.figures = {share("linear.accuracy", 0.5)};
    summary.attacks = {words, members};
    return summary;
}

std::string answered(const EvaluationSummary& summary) {
    return report::reportText(report::evaluationPage({{}, summary, {}, {}}));
}

/// The epsilon from which on the task works; 0 where there is none.
double firstOf(const EvaluationSummary& summary) {
    const auto cell =
        report::firstThatWorks(summary, familiesOf(summary).front(), ClassifierKind::linear);
    return cell ? summary.cells[*cell].epsilon : 0.0;
}

}  // namespace

TEST_CASE("A task works from the epsilon on from which all larger ones surely keep nine tenths") {
    CHECK(firstOf(summaryOf({0.2, 0.95, 0.92, 0.91})) == 4.0);
    // At epsilon 8 it does not surely keep as much, so that 4 is luck.
    CHECK(firstOf(summaryOf({0.2, 0.95, 0.89, 0.91})) == 16.0);
    CHECK(firstOf(summaryOf({0.9, 0.9, 0.9, 0.9})) == 2.0);
    CHECK(firstOf(summaryOf({0.95, 0.95, 0.95, 0.899})) == 0.0);
    // With the ceiling's accuracy in every repeat it works, whatever its interval.
    EvaluationSummary summary = summaryOf({0.2, 0.4, 0.95, 0.76});
    summary.ceiling.figures.front().repeats = {0.9, 0.9};
    CHECK(firstOf(summary) == 0.0);
    summary.cells[0].classify.figures.front().repeats = {0.9, 0.9};
    CHECK(firstOf(summary) == 8.0);
    summary.cells[3].classify.figures.back().ci95 = std::array{0.7, 1.1};
    CHECK(firstOf(summary) == 16.0);
}

TEST_CASE("The page of an evaluation is the one that was approved") {
    document::EvaluationRecord record{{}, summaryOf({0.2, 0.95, 0.92, 0.91}), {}, {}};
    // At epsilon 16 no more is right than at 8, and more is guessed.
    for (const std::size_t cell : {0U, 3U}) {
        record.summary.cells[cell].classify.figures.front().value = 0.68;
    }
    record.survival = document::Survival{500, 100, {}};
    for (const double epsilon : kEpsilons) {
        calibration::Cell cell;
        cell.nw.mean = 5.0 * epsilon;
        cell.nw.ci95 = std::array{5.0 * epsilon - 1.0, 5.0 * epsilon + 1.0};
        cell.sw.mean = 40.0 / epsilon;
        record.survival->cells.push_back(cell);
    }
    record.summary.attacks.front().cells.front()->words = {{"word", 0, 0.25, 12}};
    test::checkApproved("evaluation.txt", report::reportText(report::evaluationPage(record)));
}

TEST_CASE("The answer says first that a run is partial, and that an attack proves nothing") {
    EvaluationSummary summary = summaryOf({0.2, 0.95, 0.92, 0.91});
    CHECK_THAT(answered(summary), !Contains("Partial") && !Contains("it says nothing about"));
    summary.partial = true;
    Findings original;
    original.figures = {{{0.1, std::array{-0.1, 0.3}}, "linear.threshold.advantage"}};
    summary.attacks.back().original = original;
    const std::string text = answered(summary);
    CHECK(text.find("Partial:") < text.find("linear"));
    CHECK_THAT(text, Contains("Even on the original text this attack is not told from chance "
                              "(advantage, linear 0.100, chance is 0.000): it says "
                              "nothing about the settings."));
    (*summary.attacks.back().original->figures.front().ci95)[0] = 0.05;
    CHECK_THAT(answered(summary), !Contains("it says nothing about"));
}

TEST_CASE("The answer says where a task does not work, and what was not measured") {
    EvaluationSummary summary = summaryOf({0.2, 0.3, 0.4, 0.5});
    CHECK_THAT(answered(summary), Contains("no ε on the grid reliably keeps 90% of the difference, "
                                           "ε = 16 keeps 55.0% (50.0% to 110%)"));
    for (EvaluationCell& cell : summary.cells) {
        cell.classify.figures.pop_back();
    }
    CHECK_THAT(answered(summary), Contains("differ too little to tell what the replaced words"));
    EvaluationSummary unattacked = summaryOf({0.2, 0.95, 0.92, 0.91});
    unattacked.attacks.clear();
    CHECK_THAT(answered(unattacked), Contains("No attacker was measured"));
}
