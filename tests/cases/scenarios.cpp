#include "tests/cases/scenarios.h"

#include "tests/support/made_up_embedding.h"

namespace epsilens::test {
namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;

CalibrationOptions grid(const mechanism::Mechanism& kind, std::vector<double> epsilons,
                        std::vector<double> lambdas, WordSelection words, int draws,
                        std::uint64_t seed) {
    CalibrationOptions options;
    options.grid.mechanism = kind;
    options.grid.epsilons = std::move(epsilons);
    options.grid.lambdas = std::move(lambdas);
    options.words = std::move(words);
    options.draws = draws;
    options.seed = seed;
    options.criticalEpsilons = true;
    return options;
}

CalibrationOptions temGrid(metric::Metric metric, CalibrationOptions options,
                           std::vector<double> gammas) {
    options.grid.mechanism = mechanism::Tem{metric};
    options.grid.gammas = std::move(gammas);
    return options;
}

WordSelection random(std::int64_t count) {
    return {WordSelection::Kind::random, count, {}};
}

WordSelection listed(std::vector<embedding::Row> rows) {
    return {WordSelection::Kind::list, 0, std::move(rows)};
}

const WordSelection kAll{WordSelection::Kind::all, 0, {}};

}  // namespace

std::vector<CalibrationScenario> calibrationScenarios() {
    const ScenarioFile wide{"wide.txt", madeUpGlove(300, 20, 1)};
    const ScenarioFile few{"few.txt", madeUpGlove(8, 12, 2)};
    const ScenarioFile line{"line.txt", "a 0 0\nb 1 0\nc 1 0\nd 3 1\ne 9 2\n"};
    const double large = 9e18;
    return {
        {"laplace", wide, grid(mechanism::Laplace{}, {0.5, 5, 50}, {0.0}, random(150), 60, 1)},
        {"mahalanobis grid", wide,
         grid(mechanism::Mahalanobis{}, {2, 6.25, 18}, {0, 0.3, 1}, random(200), 40, 42)},
        {"all words", wide, grid(mechanism::Mahalanobis{}, {7.5}, {0.5}, kAll, 25, 3)},
        {"a list", wide,
         grid(mechanism::Mahalanobis{}, {0.1, 9}, {0.75}, listed({299, 0, 17}), 200, 4)},
        {"one word, one draw", wide, grid(mechanism::Laplace{}, {4}, {0.0}, listed({5}), 1, 5)},
        {"identical rows", line, grid(mechanism::Mahalanobis{}, {0.3, 3}, {0, 0.9}, kAll, 100, 6)},
        {"fewer words than dimensions", few,
         grid(mechanism::Mahalanobis{}, {3}, {0.99}, kAll, 50, 7)},
        {"tem", wide,
         temGrid(metric::Metric::euclidean,
                 grid(mechanism::Tem{}, {2, 9}, {0.0}, random(90), 60, 8), {})},
        {"tem in a Mahalanobis metric", wide,
         temGrid(metric::Metric::mahalanobis,
                 grid(mechanism::Tem{}, {1, 3, 20}, {0, 0.75}, random(40), 7, 9), {0, 1.5})},
        {"tem by angle, identical rows", few,
         temGrid(metric::Metric::angular, grid(mechanism::Tem{}, {5}, {0.0}, kAll, 1, 10), {0.5})},
        {"large seed", few,
         grid(mechanism::Laplace{}, {3}, {0.0}, kAll, 50, static_cast<std::uint64_t>(large))},
    };
}

std::vector<SampleScenario> sampleScenarios() {
    const ScenarioFile wide{"wide.txt", madeUpGlove(300, 20, 1)};
    return {
        {"laplace", wide, "W1, w2 and w3: blorp w1.", mechanism::Laplace{}, 0.0, 6.5, 4, 1},
        {"mahalanobis", wide, "w10 w11 w12", mechanism::Mahalanobis{}, 0.6, 12, 7, 99},
    };
}

}  // namespace epsilens::test
