#include "core/engine/score_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/aligned_matrix.h"
#include "tests/support/simd_targets.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

// Random A, P, C over some tiles, the last one partly padding.
class Table {
public:
    explicit Table(std::int64_t tiles) : m_tiles(tiles), m_positions(tiles * kTileWidth - 10) {
        for (Values* values : {&m_a, &m_p, &m_c}) {
            values->resize(static_cast<std::size_t>(tiles * kTileWidth) + kSlack);
        }
        for (Values* values : {&m_leastA, &m_largestP, &m_leastC, &m_largestC}) {
            values->resize(static_cast<std::size_t>(boundCount(tiles)) + kSlack);
        }
        SeededStream stream(StreamKey{1, StreamPurpose{1001}, 0, 0});
        for (std::int64_t i = 0; i < tiles * kTileWidth; ++i) {
            const bool isPadding = i >= m_positions;
            aligned(m_a)[i] = isPadding ? kPaddingA<double> : stream.normal();
            aligned(m_p)[i] = isPadding ? kPaddingP<double> : stream.normal();
            aligned(m_c)[i] = isPadding ? 0.0 : stream.normal();
        }
    }
    void computeBounds() {
        leastBounds(aligned(m_a), m_tiles, aligned(m_leastA));
        largestBounds(aligned(m_p), m_tiles, aligned(m_largestP));
        leastBounds(aligned(m_c), m_tiles, aligned(m_leastC));
        largestBounds(aligned(m_c), m_tiles, aligned(m_largestC));
    }
    [[nodiscard]] ScoreRows rows() {
        return {aligned(m_a),        aligned(m_p),      aligned(m_c),        aligned(m_leastA),
                aligned(m_largestP), aligned(m_leastC), aligned(m_largestC), m_tiles};
    }
    [[nodiscard]] std::int64_t positions() const { return m_positions; }

private:
    using Values = std::vector<double>;
    static constexpr std::size_t kSlack = AlignedMatrix::kAlignment / sizeof(double);

    static double* aligned(Values& values) {
        void* start = values.data();
        std::size_t room = values.size() * sizeof(double);
        return static_cast<double*>(std::align(
            AlignedMatrix::kAlignment, (values.size() - kSlack) * sizeof(double), start, room));
    }

    std::int64_t m_tiles;
    std::int64_t m_positions;
    Values m_a, m_p, m_c, m_leastA, m_largestP, m_leastC, m_largestC;
};

// Every position clearly within the slack is found, none clearly beyond it, each once.
void requireComplete(Table& table, const ScoreWeights& weights, double slack,
                     const Candidates& found) {
    const ScoreRows rows = table.rows();
    std::vector<double> scores;
    for (std::int64_t i = 0; i < table.positions(); ++i) {
        scores.push_back(weights.alpha * rows.a[i] - weights.tau * rows.p[i] +
                         weights.kappa * rows.c[i]);
    }
    const double least = *std::min_element(scores.begin(), scores.end());
    const double tolerance = 64.0 * std::numeric_limits<double>::epsilon();
    std::set<std::int32_t> positions(
        found.positions.begin(),
        found.positions.begin() + static_cast<std::ptrdiff_t>(found.count));
    REQUIRE(positions.size() == found.count);
    for (std::int64_t i = 0; i < table.positions(); ++i) {
        const double excess = scores[static_cast<std::size_t>(i)] - least;
        const bool isFound = positions.contains(static_cast<std::int32_t>(i));
        if (excess <= slack - tolerance || excess == 0.0) {
            REQUIRE(isFound);
        }
        if (excess > slack + tolerance) {
            REQUIRE_FALSE(isFound);
        }
    }
}

}  // namespace

TEST_CASE("The search finds what a plain loop finds") {
    Table table(GENERATE(1, 5, 16, 17, 300));
    std::vector<ScoreWeights> weights{{0.0, 1.0, 0.0}};
    for (const double epsilon : {0.01, 0.5, 2.0, 7.0, 1e9}) {
        weights.push_back(ScoreWeights::atEpsilon(epsilon));
    }
    weights.push_back({1.0, 0.7, 0.4});
    weights.push_back({0.9, 1.0, -0.8});
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    table.computeBounds();
    Candidates found;
    for (const ScoreWeights& weight : weights) {
        for (const double slack : {0.0, 0.1}) {
            const double infinity = std::numeric_limits<double>::infinity();
            searchTiles(table.rows(), weight, infinity, slack, found);
            REQUIRE(found.count >= 1);
            requireComplete(table, weight, slack, found);
            // Starting from an attained score, however that is rounded, changes nothing.
            const std::size_t count = found.count;
            const double attained = scoreAt(table.rows(), weight, found.positions.front());
            searchTiles(table.rows(), weight, attained + 1e-12, slack, found);
            REQUIRE(found.count == count);
        }
    }
}

TEST_CASE("Kernels are tested on every instruction set that the processor has") {
    const std::vector<std::int64_t> targets = test::simdTargets();
    std::string names;
    for (const std::int64_t target : targets) {
        const test::OnTarget onTarget(target);
        CHECK(test::simdTargets() == std::vector<std::int64_t>{target});
        names += ' ';
        names += hwy::TargetName(target);
    }
    CHECK(targets.size() >= 2);
    WARN("Instruction sets tested:" << names);
}

TEST_CASE("Weights stay finite for every epsilon") {
    for (const double epsilon : {5e-324, 1e-300, 1.0, 1e300}) {
        const ScoreWeights weights = ScoreWeights::atEpsilon(epsilon);
        CHECK(std::isfinite(weights.alpha));
        CHECK(std::isfinite(weights.tau));
        CHECK(std::max(weights.alpha, weights.tau) == 1.0);
    }
    CHECK(ScoreWeights::atEpsilon(4.0).tau == 0.5);
    CHECK(ScoreWeights::atEpsilon(1.0).alpha == 0.5);
}
