#include "core/report/steps_csv.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/options.h"
#include "core/calibration/step_functions.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"
#include "tests/support/toy_embedding.h"

namespace epsilens {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;

struct Measured {
    engine::SearchSpaceHandle space{};
    std::vector<calibration::WordSteps> words{};
    int draws = 0;
};

Measured measured() {
    Measured result;
    result.space = std::make_shared<engine::SearchSpace>(
        test::toyEmbedding(test::clusteredVectors(400, 8, 3)));
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.draws = 200;
    result.draws = options.draws;
    result.words = calibration::stepsOfSetting(*result.space, options, 0.5).value();
    return result;
}

}  // namespace

TEST_CASE("Steps of words are handed on in whole lines, by pieces of about a mebibyte") {
    const Measured run = measured();
    std::vector<std::size_t> sizes;
    std::string joined;
    const auto take = [&](std::string_view text) -> Result<void> {
        CHECK((text.empty() || text.back() == '\n'));
        sizes.push_back(text.size());
        joined += text;
        return {};
    };
    REQUIRE(report::writeWordSteps(take, run.words, run.draws, "0.5",
                                   run.space->embedding().vocabulary(), io::CsvWords::raw));
    REQUIRE(joined.size() > 3 * kMebibyte);
    for (const std::size_t size : sizes) {
        CHECK(size < kMebibyte + 1000);
    }
    std::size_t lines = 0;
    for (const calibration::WordSteps& word : run.words) {
        REQUIRE(calibration::stepsOfWord(word, run.draws,
                                         [&](const calibration::StepValue&) -> Result<void> {
                                             ++lines;
                                             return {};
                                         }));
    }
    CHECK(static_cast<std::size_t>(std::count(joined.begin(), joined.end(), '\n')) == lines);
    // By rising rows, whatever the order in which the words were drawn.
    std::vector<int> rows;
    std::istringstream all(joined);
    for (std::string line; std::getline(all, line);) {
        const std::size_t row = line.find(',') + 1;
        rows.push_back(std::stoi(line.substr(row, line.find(',', row) - row)));
    }
    CHECK(std::is_sorted(rows.begin(), rows.end()));
    CHECK(rows.front() == 0);
    CHECK(rows.back() == 399);
}

TEST_CASE("A piece that cannot be written ends the writing of steps") {
    const Measured run = measured();
    int pieces = 0;
    const auto take = [&](std::string_view) -> Result<void> {
        return ++pieces < 2 ? Result<void>() : fail(ErrorCode::ioFailed, "the disk is full");
    };
    const auto written = report::writeWordSteps(
        take, run.words, run.draws, "0.5", run.space->embedding().vocabulary(), io::CsvWords::raw);
    REQUIRE_FALSE(written);
    CHECK(written.error().message == "the disk is full");
    CHECK(pieces == 2);
}

}  // namespace epsilens
