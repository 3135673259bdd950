#include "core/evaluation/evaluation.h"

#include <catch2/catch.hpp>

#include "core/report/evaluation_report.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;

namespace {

struct Cell {
    double accuracy;
    double best;
};

Figure share(const char* path, double value) {
    return {path, value, std::array{value - 0.01, value + 0.01}};
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

TEST_CASE("Families hold the settings of a shape, epsilon rising") {
    const EvaluationSummary summary = summaryOf(kCells);
    const auto families = familiesOf(summary);
    REQUIRE(families.size() == 2);
    CHECK(families[0].mechanism.lambda() == 0.0);
    CHECK(families[0].cells == std::vector<std::size_t>{1, 2, 0});
    CHECK(families[1].cells == std::vector<std::size_t>{4, 5, 3});
    CHECK(nearestFamily(families, mechanism::Mahalanobis{0.2}) == 0);
    CHECK(nearestFamily(families, mechanism::Mahalanobis{0.3}) == 1);
}

TEST_CASE("A setting is read at the measured epsilon of the least ratio, and not beyond them") {
    const EvaluationSummary summary = summaryOf(kCells);
    const auto families = familiesOf(summary);
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
    std::vector<std::pair<std::size_t, bool>> found;
    found.reserve(points.size());
    for (const TradeOffPoint& point : points) {
        found.emplace_back(point.cell, point.isDominated);
    }
    // Cell 2 is as useful as 5 at a higher risk; cell 4 is less useful than 1 at the same risk.
    CHECK(found == std::vector<std::pair<std::size_t, bool>>{
                       {1, false}, {2, true}, {0, false}, {4, true}, {5, false}, {3, false}});
    CHECK(points[0].utility == 0.60);
    CHECK(points[0].risk == Approx(0.04));
}

TEST_CASE("Equal settings do not dominate each other") {
    std::array<Cell, 6> cells{};
    cells.fill({0.7, 0.2});
    for (const TradeOffPoint& point : tradeOffOf(summaryOf(cells))) {
        CHECK_FALSE(point.isDominated);
    }
}

TEST_CASE("There is no trade-off without both sides, or of settings not reached") {
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
