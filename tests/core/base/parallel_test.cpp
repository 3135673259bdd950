#include "core/base/crew.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/parallel.h"
#include "tests/support/thread_crew.h"

using namespace epsilens;
using test::ThreadCrew;
using test::together;

namespace shape {

struct Found {
    std::string name{};
    std::vector<double> values{};
};

template <typename Archive>
void transfer(Archive& archive, Found& found) {
    archive(found.name, found.values);
}

}  // namespace shape

TEST_CASE("What is packed comes out as it was", "[base][crew]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<shape::Found> found{{"ä", {0.1, nan, -0.0}}, {"", {}}};
    std::optional<std::string> there = "here";
    std::optional<std::string> nothing;
    std::vector<std::uint8_t> flags{1, 0, 1};
    std::vector<std::vector<int>> nested{{1, 2}, {}, {3}};
    Archive packer;
    packer(found, there, nothing, flags, nested, ErrorCode::cancelled, std::array{1.5, 2.5});

    const std::string bytes = std::move(packer).bytes();
    Archive unpacker(bytes);
    std::vector<shape::Found> foundAgain{{"old", {1.0}}};
    std::optional<std::string> thereAgain;
    std::optional<std::string> nothingAgain = "old";
    std::vector<std::uint8_t> flagsAgain;
    std::vector<std::vector<int>> nestedAgain;
    ErrorCode code{};
    std::array<double, 2> pair{};
    unpacker(foundAgain, thereAgain, nothingAgain, flagsAgain, nestedAgain, code, pair);
    CHECK_THROWS_AS(unpacker(code), std::logic_error);  // nothing is left
    REQUIRE(foundAgain.size() == 2);
    CHECK(foundAgain[0].name == "ä");
    REQUIRE(foundAgain[0].values.size() == 3);
    CHECK(foundAgain[0].values[0] == 0.1);
    CHECK(std::isnan(foundAgain[0].values[1]));
    CHECK(std::signbit(foundAgain[0].values[2]));
    CHECK(foundAgain[1].values.empty());
    CHECK(thereAgain == there);
    CHECK(nothingAgain == nothing);
    CHECK(flagsAgain == flags);
    CHECK(nestedAgain == nested);
    CHECK(code == ErrorCode::cancelled);
    CHECK(pair == std::array{1.5, 2.5});

    Archive cut(std::string_view(bytes).substr(0, bytes.size() - 1));
    CHECK_THROWS_AS(cut(foundAgain, thereAgain, nothingAgain, flagsAgain, nestedAgain, code, pair),
                    std::logic_error);
}

TEST_CASE("Every unit is done once and known to all", "[base][crew]") {
    constexpr std::int64_t kUnits = 50;
    const int size = GENERATE(1, 2, 4);
    std::array<std::atomic<int>, kUnits> done{};
    together(size, [&](std::size_t /*rank*/, ThreadCrew& crew) {
        // Twice, as units are numbered anew after each exchange.
        for (int time = 0; time < 2; ++time) {
            std::vector<std::int64_t> squares(kUnits);
            const auto result = inUnits(
                &crew, kUnits,
                [&](std::int64_t unit) -> Result<void> {
                    ++done.at(static_cast<std::size_t>(unit));
                    squares[static_cast<std::size_t>(unit)] = unit * unit;
                    return {};
                },
                [&](auto& archive, std::int64_t unit) {
                    archive(squares[static_cast<std::size_t>(unit)]);
                });
            // Sum of the squares below n: (n - 1) n (2 n - 1) / 6.
            const std::int64_t sum =
                std::accumulate(squares.begin(), squares.end(), std::int64_t{0});
            if (!result || crew.isDismissed ||
                sum != (kUnits - 1) * kUnits * (2 * kUnits - 1) / 6) {
                done.front() = -100;
            }
        }
    });
    for (const auto& times : done) {
        CHECK(times == 2);
    }
}

TEST_CASE("A failure of one process is that of all", "[base][crew]") {
    const ErrorCode code = GENERATE(ErrorCode::unsupported, ErrorCode::cancelled);
    std::array<Error, 3> errors{};
    std::array<std::vector<int>, 3> found{};
    std::array<bool, 3> areDismissed{};
    together(3, [&](std::size_t rank, ThreadCrew& crew) {
        found.at(rank).resize(20);
        const auto result = inUnits(
            &crew, 20,
            [&](std::int64_t unit) -> Result<void> {
                if (unit == 7) {
                    return fail(code, "seven");
                }
                found.at(rank)[static_cast<std::size_t>(unit)] = 1;
                return {};
            },
            [&](auto& archive, std::int64_t unit) {
                archive(found.at(rank)[static_cast<std::size_t>(unit)]);
            });
        areDismissed.at(rank) = crew.isDismissed;
        errors.at(rank) = result ? Error{} : result.error();
    });
    for (std::size_t rank = 0; rank < 3; ++rank) {
        CHECK(errors.at(rank).code == code);
        CHECK(errors.at(rank).message == (code == ErrorCode::cancelled ? "cancelled" : "seven"));
        CHECK(areDismissed.at(rank));
        // What was finished before is known to all.
        CHECK(found.at(rank) == found.front());
        CHECK(found.at(rank)[6] == 1);
        CHECK(found.at(rank)[7] == 0);
    }
}

TEST_CASE("Alone, units are done in their order up to a failure", "[base][crew]") {
    std::vector<std::int64_t> done;
    const auto result = inUnits(
        nullptr, 9,
        [&](std::int64_t unit) -> Result<void> {
            if (unit == 4) {
                return fail(ErrorCode::badFile, "four");
            }
            done.push_back(unit);
            return {};
        },
        [](auto& /*archive*/, std::int64_t /*unit*/) { FAIL("nothing is to be packed"); });
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "four");
    CHECK(done == std::vector<std::int64_t>{0, 1, 2, 3});
}

TEST_CASE("Every index runs exactly once for any number of threads") {
    const int threads = GENERATE(1, 2, 7);
    std::vector<std::atomic<int>> runs(1000);
    parallelFor(1000, threads, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& count : runs) {
        REQUIRE(count == 1);
    }
}

TEST_CASE("An exception of the body reaches the caller") {
    const auto body = [](std::int64_t i) {
        if (i == 3) {
            throw std::runtime_error("three");
        }
    };
    CHECK_THROWS_WITH(parallelFor(10, 2, body), "three");
}

TEST_CASE("A limit of threads holds until it is taken back") {
    const int processors = defaultThreadCount();
    setThreadLimit(1);
    CHECK(defaultThreadCount() == 1);
    const std::thread::id here = std::this_thread::get_id();
    parallelFor(8, 0, [&](std::int64_t) { CHECK(std::this_thread::get_id() == here); });
    setThreadLimit(7);
    CHECK(defaultThreadCount() == 7);
    setThreadLimit(0);
    CHECK(defaultThreadCount() == processors);
}
