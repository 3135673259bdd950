#include <numeric>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/block_run.h"
#include "core/engine/hyperbolic_series.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;
using mechanism::Placement;

// Under addition a draw that returns its word at one epsilon may leave it again at a larger one, so
// that no epsilon may be skipped; under Möbius placement none of the skipped ones would differ.
TEST_CASE("A block of hyperbolic draws counts what each search returns") {
    const Placement placement = GENERATE(Placement::mobius, Placement::additive);
    const engine::SearchSpace space(test::toyEmbedding(test::poincareVectors(120, 2, 0.97, 61)));
    const auto series =
        engine::HyperbolicSeries::create(space, mechanism::RadialLaw::eq7, placement).value();
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
    int returns = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        search->setWord(static_cast<std::int64_t>(i));
        std::vector<std::vector<bool>> kept(options.grid.epsilons.size());
        for (std::size_t e = 0; e < options.grid.epsilons.size(); ++e) {
            std::set<std::int32_t> outputs;
            int count = 0;
            for (int draw = 0; draw < options.draws; ++draw) {
                search->setDraw(0, draw);
                const std::int32_t output = search->nearest(e, 0);
                outputs.insert(output);
                kept[e].push_back(output == search->wordPosition());
                count += kept[e].back() ? 1 : 0;
            }
            CAPTURE(i, options.grid.epsilons[e]);
            CHECK(results.front().statistics[e][i].kept == count);
            CHECK(results.front().statistics[e][i].distinct == static_cast<int>(outputs.size()));
        }
        for (std::size_t draw = 0; draw < kept[1].size(); ++draw) {
            // Kept at 0.1 but not at 0.5, or at 2 but not at 4.
            returns +=
                (kept[1][draw] && !kept[4][draw]) || (kept[2][draw] && !kept[5][draw]) ? 1 : 0;
        }
    }
    // The case that tells the placements apart does occur.
    CHECK((returns > 0) == (placement == Placement::additive));
}
