#include <cstdint>
#include <fstream>
#include <string>

#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/embedding/load.h"
#include "tests/support/run_cli.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;

namespace {

/// Sanitizers find by themselves what is leaked, be it once.
constexpr int kLoads = test::kSanitized ? 30 : 100;
constexpr int kCancelledRuns = test::kSanitized ? 200 : 500;
constexpr int kWarmUp = 10;
/// What caches of the allocator and of its threads may still grow by; sanitizers keep freed memory.
constexpr std::int64_t kGrowthMiB = test::kSanitized ? 400 : 24;

/// Resident memory of this process.
std::int64_t residentMiB() {
    std::ifstream statistics("/proc/self/statm");
    std::int64_t total = 0;
    std::int64_t resident = 0;
    REQUIRE((statistics >> total >> resident).good());
    return resident * sysconf(_SC_PAGESIZE) >> 20;
}

void checkFlat(const std::string& what, std::int64_t first, std::int64_t last) {
    WARN(what << ": resident memory " << first << " MiB after warming up, " << last
              << " MiB at the end");
    CHECK(last <= first + kGrowthMiB);
}

}  // namespace

TEST_CASE("Many loads leave memory as it was") {
    const test::TemporaryFolder folder;
    embedding::LoadOptions options;
    options.path = folder.file("vectors.txt", test::madeUpGlove(3000, 50, 1));
    std::int64_t first = 0;
    for (int i = 0; i < kLoads; ++i) {
        const auto opened = embedding::openAndPrepare(options);
        REQUIRE(opened);
        const engine::SearchSpace space(*opened);
        REQUIRE(space.positions() == 3000);
        first = i == kWarmUp ? residentMiB() : first;
    }
    checkFlat("loads", first, residentMiB());
}

TEST_CASE("Cancelled calibrations leave memory as it was") {
    const test::TemporaryFolder folder;
    embedding::LoadOptions load;
    load.path = folder.file("vectors.txt", test::madeUpGlove(2000, 30, 1));
    const engine::SearchSpace space(embedding::openAndPrepare(load).value());
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {1.0, 2.0, 4.0, 8.0};
    options.grid.lambdas = {0.0, 0.5};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.draws = 200;
    const int runs = test::repetitions(kCancelledRuns);
    std::int64_t first = 0;
    int stopped = 0;
    for (int i = 0; i < runs; ++i) {
        std::stop_source source;
        int reports = 0;
        JobContext job{source.get_token(), [&](const Progress&) {
                           // At the begin, within a block, or later.
                           if (++reports > i % 3) {
                               source.request_stop();
                           }
                       }};
        const auto summary = calibration::calibrate(space, options, job);
        stopped += !summary || summary->partial ? 1 : 0;
        first = i == kWarmUp ? residentMiB() : first;
    }
    CHECK(stopped == runs);
    checkFlat("cancelled calibrations", first, residentMiB());
}
