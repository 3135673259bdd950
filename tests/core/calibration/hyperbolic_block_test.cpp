#include <numeric>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/block_run.h"
#include "core/engine/hyperbolic_series.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

TEST_CASE("A block of hyperbolic draws counts what each search returns") {
    const engine::SearchSpace space(test::toyEmbedding(test::poincareVectors(120, 2, 0.97, 61)));
    const auto series = engine::HyperbolicSeries::create(space, mechanism::RadialLaw::eq7).value();
    CalibrationOptions options;
    options.grid.epsilons = {8.0, 0.1, 2.0, 30.0, 0.5, 4.0};
    options.draws = 80;
    const JobContext job;
    const auto batch = series->batch(options.grid.epsilons, 1, job);
    std::vector<Row> words(20);
    std::iota(words.begin(), words.end(), 30);
    const auto results = runBlock({*series, options, *batch}, 5, words, job, [](double) {});

    batch->setWords(words);
    batch->setDraws({options.seed, StreamPurpose::unitDraws, 5}, 0, options.draws);
    const auto search = batch->search();
    for (std::size_t i = 0; i < words.size(); ++i) {
        search->setWord(static_cast<std::int64_t>(i));
        for (std::size_t e = 0; e < options.grid.epsilons.size(); ++e) {
            std::set<std::int32_t> outputs;
            int count = 0;
            for (int draw = 0; draw < options.draws; ++draw) {
                search->setDraw(0, draw);
                const std::int32_t output = search->nearest(e, 0);
                outputs.insert(output);
                count += output == search->wordPosition() ? 1 : 0;
            }
            CAPTURE(i, options.grid.epsilons[e]);
            CHECK(results.front().statistics[e][i].kept == count);
            CHECK(results.front().statistics[e][i].distinct == static_cast<int>(outputs.size()));
        }
    }
}
