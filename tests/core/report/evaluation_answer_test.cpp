#include "core/report/evaluation_answer.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

using namespace epsilens;
using namespace epsilens::experiment;
using Catch::Matchers::Contains;

namespace {

constexpr std::array kEpsilons{16.0, 2.0, 4.0, 8.0};

Figure share(const char* path, const char* title, double value) {
    return {path, title, value, std::nullopt, Figure::Kind::share};
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
        ClassifierResults results;
        results.measures[0] = {0.6 + 0.01 * epsilon, std::array{0.5, 0.9}, 0.01};
        results.retained =
            Estimate{retainedLow.at(place) + 0.05, std::array{retainedLow.at(place), 1.1}, 0.01};
        cell.classify.push_back(results);
        summary.cells.push_back(std::move(cell));
        mechanism::Guarantee guarantee;
        guarantee.epsilon = epsilon;
        guarantee.bound = epsilon;
        guarantee.metric = metric::Metric::mahalanobis;
        summary.guarantees.push_back(guarantee);
        Findings guessed;
        guessed.figures = {share("best", "best", epsilon / 20.0 + 0.05),
                           share("prior", "prior", 0.05),
                           share("gain", "gain over prior", epsilon / 20.0)};
        words.cells.emplace_back(std::move(guessed));
        Findings told;
        told.figures = {share("linear.threshold.advantage", "advantage", epsilon / 50.0)};
        members.cells.emplace_back(std::move(told));
    }
    ClassifierResults baseline;
    baseline.measures[0].mean = 0.9;
    summary.original = summary.ceiling = {baseline};
    baseline.measures[0].mean = 0.5;
    summary.floor = {baseline};
    summary.attacks = {words, members};
    return summary;
}

std::string answered(const EvaluationSummary& summary) {
    std::string text;
    for (const auto& sentences : report::answers(summary)) {
        text += fmt::format("{}\n", fmt::join(sentences, "\n"));
    }
    return text;
}

}  // namespace

TEST_CASE("A task works from the epsilon on from which all larger ones surely keep nine tenths") {
    const auto firstOf = [](const std::array<double, 4>& retainedLow) {
        const EvaluationSummary summary = summaryOf(retainedLow);
        const auto cell =
            report::firstThatWorks(summary, experiment::familiesOf(summary).front(), 0);
        return cell ? summary.cells[*cell].epsilon : 0.0;
    };
    CHECK(firstOf({0.2, 0.95, 0.92, 0.91}) == 4.0);
    // At epsilon 8 it does not surely keep as much, so that 4 is luck.
    CHECK(firstOf({0.2, 0.95, 0.89, 0.91}) == 16.0);
    CHECK(firstOf({0.9, 0.9, 0.9, 0.9}) == 2.0);
    CHECK(firstOf({0.95, 0.95, 0.95, 0.899}) == 0.0);
}

TEST_CASE("A setting with the ceiling's accuracy in every repeat works, whatever its interval") {
    EvaluationSummary summary = summaryOf({0.2, 0.4, 0.95, 0.76});
    const experiment::Scores scores{0.9, 0.9, 0.9, 0.9, 0.9};
    summary.ceiling.front().repeats = {scores, scores};
    const auto first = [&] {
        const auto cell =
            report::firstThatWorks(summary, experiment::familiesOf(summary).front(), 0);
        return cell ? summary.cells[*cell].epsilon : 0.0;
    };
    CHECK(first() == 0.0);
    for (EvaluationCell& cell : summary.cells) {
        if (cell.epsilon == 16.0) {
            cell.classify.front().repeats = summary.ceiling.front().repeats;
        }
    }
    CHECK(first() == 8.0);
    for (EvaluationCell& cell : summary.cells) {
        if (cell.epsilon == 8.0) {
            cell.classify.front().retained = Estimate{0.9, std::array{0.7, 1.1}, 0.1};
        }
    }
    CHECK(first() == 16.0);
    CHECK_THAT(
        answered(summary),
        Contains("ε = 16 has the accuracy of no noise, 0.900, in every repeat; with random"));
}

TEST_CASE("The answer says first that a run is partial, and that an attack proves nothing") {
    EvaluationSummary summary = summaryOf({0.2, 0.95, 0.92, 0.91});
    CHECK_THAT(answered(summary), !Contains("Partial") && !Contains("says nothing about"));
    summary.partial = true;
    Findings original;
    original.figures = {{"linear.threshold.advantage", "advantage", 0.1, std::array{-0.1, 0.3},
                         Figure::Kind::share}};
    summary.attacks.back().original = original;
    const std::string text = answered(summary);
    CHECK(text.starts_with("Partial:"));
    CHECK_THAT(text, Contains("Even on the original text this attack is not told from chance "
                              "(advantage 0.100, chance is 0.000): it says nothing about the "
                              "settings."));
    (*summary.attacks.back().original->figures.front().ci95)[0] = 0.05;
    CHECK_THAT(answered(summary), !Contains("says nothing about"));
}

TEST_CASE("The answer speaks of task, attackers and promise at one epsilon") {
    const std::string works = answered(summaryOf({0.2, 0.95, 0.92, 0.91}));
    CHECK_THAT(
        works,
        Contains("linear, λ 0.5: ε = 4 and all larger ones on the grid reliably keep 90% of "
                 "the accuracy gained over random words (0.500 with them, 0.900 without noise): "
                 "100% (95 to 110%)") &&
            Contains("the best attacker guesses 25.0 of 100 words (5.0 without the release") &&
            Contains("recognises 8.0 more than of 100 others (0 is chance) at ε 4, λ 0.5.") &&
            Contains("Promised there: ") && Contains("e^(4·d(w, w'))"));
    const std::string fails = answered(summaryOf({0.2, 0.3, 0.4, 0.5}));
    CHECK_THAT(fails,
               Contains("no ε on the grid reliably keeps 90% of the accuracy") &&
                   Contains("ε = 16 keeps 55% (50 to 110%)") &&
                   Contains("recognises 32.0 more than of 100 others (0 is chance) at ε 16"));

    EvaluationSummary alike = summaryOf({0.2, 0.3, 0.4, 0.5});
    for (EvaluationCell& cell : alike.cells) {
        cell.classify.front().retained.reset();
    }
    CHECK_THAT(answered(alike), Contains("differ too little to tell what the replaced words"));
    EvaluationSummary unattacked = summaryOf({0.2, 0.95, 0.92, 0.91});
    unattacked.attacks.clear();
    CHECK_THAT(answered(unattacked), Contains("No attacker was measured"));
    EvaluationSummary unclassified = summaryOf({0.2, 0.95, 0.92, 0.91});
    unclassified.original.clear();
    CHECK_THAT(answered(unclassified), Contains("No task was measured") &&
                                           Contains("the best attacker guesses 85.0 of 100"));
}

TEST_CASE("Usefulness against risk is drawn for each task that attacks") {
    EvaluationSummary summary = summaryOf({0.2, 0.95, 0.92, 0.91});
    // At epsilon 16 no more is right than at 8, and more is guessed.
    for (const std::size_t cell : {0U, 3U}) {
        summary.cells[cell].classify.front().measures[0].mean = 0.68;
    }
    const auto figures = report::frontierFigures(summary);
    REQUIRE(figures.size() == 2);
    CHECK_THAT(figures[0].svg, Contains("Usefulness against risk: Guessing the words") &&
                                   Contains("gain over prior") && Contains("beaten by another") &&
                                   Contains(">ε 2</text>") && Contains(">ε 8</text>"));
    REQUIRE(figures[0].table);
    CHECK(figures[0].table->rows ==
          std::vector<std::vector<std::string>>{{"ε 2, λ 0.5", "0.100", "0.620", "no"},
                                                {"ε 4, λ 0.5", "0.200", "0.640", "no"},
                                                {"ε 8, λ 0.5", "0.400", "0.680", "no"},
                                                {"ε 16, λ 0.5", "0.800", "0.680", "yes"}});
    CHECK_THAT(figures[1].svg,
               Contains("Usefulness against risk: Telling what") && Contains("advantage"));
    summary.attacks.clear();
    CHECK(report::frontierFigures(summary).empty());
}

TEST_CASE("How many words survive stands in a table where it was measured") {
    document::EvaluationRecord record{{}, summaryOf({0.2, 0.3, 0.4, 0.5}), {}, {}};
    CHECK_FALSE(report::survivalTable(record));
    record.survival = document::Survival{500, 100, {}};
    for (const double epsilon : kEpsilons) {
        calibration::Cell cell;
        cell.nw.mean = 5.0 * epsilon;
        cell.nw.ci95 = std::array{5.0 * epsilon - 1.0, 5.0 * epsilon + 1.0};
        cell.sw.mean = 40.0 / epsilon;
        record.survival->cells.push_back(cell);
    }
    const auto table = report::survivalTable(record);
    REQUIRE(table);
    CHECK_THAT(table->caption, Contains("500 words") && Contains("100 draws"));
    CHECK(table->rows.at(1) ==
          std::vector<std::string>{"ε 2, λ 0.5", "10.0 (9.0 to 11.0)", "20.0"});
}
