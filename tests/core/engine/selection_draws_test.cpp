#include "core/engine/selection_draws.h"

#include <numeric>

#include <catch2/catch.hpp>

#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;
using mechanism::TruncatedExponential;
using metric::Metric;

namespace {

MetricSpace spaceOf(Eigen::Index words, Metric metric) {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(words, 4, 91));
    return MetricSpace::create(metric::WordMetric::create(handle, metric, 0.5).value()).value();
}

}  // namespace

TEST_CASE("Every bit of a seed changes the draws of a selection") {
    const std::vector<double> draws = selectionQuantiles(5, 3);
    CHECK(selectionQuantiles(5, 3) == draws);
    for (unsigned bit = 0; bit < 64; ++bit) {
        CHECK(selectionQuantiles(5 ^ (std::uint64_t{1} << bit), 3) != draws);
    }
}

TEST_CASE("Drawn outputs follow the closed form (chi-square, rate 1e-6 each)") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    const MetricSpace space = spaceOf(25, metric);
    const std::vector<TruncatedExponential> mechanisms{
        TruncatedExponential::create(0.7, 1.0).value(),
        TruncatedExponential::create(2.0, 5.0).value()};
    constexpr int kDraws = 20'000;
    const std::vector<Row> words{3, 11};
    const auto drawn = drawSelections(space, words, mechanisms, {kDraws, 5, 3, 1}).value();
    for (std::size_t w = 0; w < words.size(); ++w) {
        const std::vector<double> distances = test::distancesFrom(space.metric(), words[w]);
        for (std::size_t k = 0; k < mechanisms.size(); ++k) {
            const std::vector<double> law = mechanisms[k].probabilities(distances);
            std::vector<int> counts(25);
            for (const Row output : drawn[w].outputs[k]) {
                ++counts[static_cast<std::size_t>(output)];
            }
            CHECK(test::misfit(counts, test::vectorOf(law), 1e-6) < 1.0);
        }
    }
}

TEST_CASE("Draws do not depend on threads or on the other words") {
    const MetricSpace space = spaceOf(200, Metric::euclidean);
    const std::vector<TruncatedExponential> mechanisms{
        TruncatedExponential::create(3.0, 2.0).value()};
    std::vector<Row> words(40);
    std::iota(words.begin(), words.end(), Row{0});
    const auto one = drawSelections(space, words, mechanisms, {50, 1, 10, 1}).value();
    const auto two = drawSelections(space, words, mechanisms, {50, 1, 10, 2}).value();
    const auto alone =
        drawSelections(space, std::vector<Row>{17}, mechanisms, {50, 1, 10, 1}).value();
    for (std::size_t w = 0; w < words.size(); ++w) {
        CHECK(one[w].outputs == two[w].outputs);
        CHECK(one[w].neighbours.rows == two[w].neighbours.rows);
        CHECK(one[w].neighbours.rows.size() == 10);
    }
    CHECK(alone[0].outputs == one[17].outputs);
    CHECK(selectionQuantiles(1, 50) != selectionQuantiles(2, 50));
    // The first draws are those of a shorter run.
    const std::vector<double> quantiles = selectionQuantiles(1, 50);
    CHECK(selectionQuantiles(1, 20) ==
          std::vector<double>(quantiles.begin(), quantiles.begin() + 20));
}

TEST_CASE("Cancelled draws are not handed out") {
    test::checkRefused(drawSelections(spaceOf(30, Metric::euclidean), std::vector<Row>{1}, {},
                                      {10, 1, 5, 1}, test::stoppedJob()),
                       ErrorCode::cancelled);
}
