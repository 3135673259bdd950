#include "core/engine/draw_sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/epsilon_range.h"
#include "core/engine/noise_series.h"
#include "core/engine/word_sample.h"
#include "core/mechanism/unit_draws.h"
#include "tests/support/brute_force.h"
#include "tests/support/simd_targets.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

NoiseSeriesHandle seriesOf(const SearchSpace& space, double lambda) {
    return createSeries(space, mechanism::Mahalanobis{}, {lambda}).value();
}

/// The noise of the draws of a stream at epsilon = 1.
RowMatrixF ellipticalNoiseOf(const SearchSpace& space, double lambda, std::uint64_t seed,
                             StreamPurpose purpose, std::int64_t draws) {
    return mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(seed, purpose, 0, 0, draws, space.vectors().cols()),
        mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, lambda)
            .value());
}

/// Linear between order statistics at (n - 1) p.
double quantileOf(std::vector<double> values, double probability) {
    std::ranges::sort(values);
    const double position = static_cast<double>(values.size() - 1) * probability;
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (position - std::floor(position)) * (values[above] - values[below]);
}

}  // namespace

TEST_CASE("Paths give the brute-force output at every epsilon") {
    const Eigen::Index m = GENERATE(1, 2, 20);
    // On a line all vectors are outputs; beside outlying rows float64 decides between all of them.
    const Eigen::Index rows = m == 1 ? 150 : 400;
    RowMatrixF vectors = test::anisotropicVectors(rows, m, 41);
    if (GENERATE(false, true)) {
        vectors = test::withOutlyingRows(vectors, 3);
    }
    const auto last = static_cast<Row>(rows - 1);
    vectors.row(last) = vectors.row(5);
    const SearchSpace space(test::toyEmbedding(vectors));
    const std::vector<Row> words{0, 5, 77, test::outlyingRow(vectors, 3, 2), last};
    constexpr int kDraws = 12;
    std::vector<std::vector<WordPaths>> runs;
    for (const std::int64_t target : test::simdTargets()) {
        const test::OnTarget onTarget(target);
        for (const int threads : {1, 3}) {
            runs.push_back(
                computePaths(*seriesOf(space, 0.6), words, {kDraws, 1, 0, threads}).value());
        }
    }
    const RowMatrixF z = ellipticalNoiseOf(space, 0.6, 1, StreamPurpose::sentence, kDraws);
    SeededStream stream(StreamKey{42, StreamPurpose{1002}, 0, 0});
    for (std::size_t word = 0; word < words.size(); ++word) {
        for (std::size_t draw = 0; draw < kDraws; ++draw) {
            const VectorF direction = z.row(static_cast<Eigen::Index>(draw)).transpose();
            const auto inEachRun = [&](const auto& check) {
                for (std::size_t run = 0; run < runs.size(); ++run) {
                    CAPTURE(word, draw, run);
                    check(runs[run][word][draw]);
                }
            };
            // Of two equal vectors the lower row is kept.
            const double critical = words[word] == last ? std::numeric_limits<double>::infinity()
                                                        : test::bruteForceCriticalEpsilon(
                                                              vectors, words[word], direction);
            inEachRun([&](const DrawPath& path) {
                REQUIRE(path.criticalEpsilon(words[word]) == Approx(critical).epsilon(1e-9));
            });
            for (int i = 0; i < 8; ++i) {
                const double epsilon = std::pow(10.0, 8.0 * stream.uniform() - 4.0);
                const Row expected =
                    test::bruteForceNearest(vectors, words[word], direction, epsilon);
                inEachRun([&](const DrawPath& path) {
                    CAPTURE(epsilon);
                    REQUIRE(path.output(epsilon) == expected);
                });
            }
        }
    }
}

TEST_CASE("The range of epsilon follows the scale of the vectors") {
    const RowMatrixF vectors = test::anisotropicVectors(500, 10, 44);
    const SearchSpace space(test::toyEmbedding(vectors));
    const SearchSpace tenfold(test::toyEmbedding(vectors * 16.0F));
    const EpsilonRange range = estimateEpsilonRange(*seriesOf(space, 0.0), 1).value();
    const EpsilonRange scaled = estimateEpsilonRange(*seriesOf(tenfold, 0.0), 1).value();
    CHECK(range.low < range.suggested);
    CHECK(range.suggested < range.high);
    // Scaling by a power of two is exact, so critical values scale exactly.
    CHECK(scaled.low == range.low / 16.0);
    CHECK(scaled.high == range.high / 16.0);
}

TEST_CASE("The range of epsilon spans critical epsilons from 5 % to 95 % around their median") {
    // 1.23, 2.46, …, 124.23 out of order: 37 and 101 have no common divisor. The quantiles are the
    // values number 6, 51 and 96 of 101.
    std::vector<double> critical(101);
    for (std::size_t i = 0; i < critical.size(); ++i) {
        critical[i] = 1.23 * static_cast<double>(1 + 37 * i % 101);
    }
    const EpsilonRange range = rangeOfCriticals(critical, 7);
    CHECK(range.low == Approx(7.38).epsilon(1e-12));
    CHECK(range.suggested == 63.0);  // of 62.73, to two digits
    CHECK(range.high == Approx(118.08).epsilon(1e-12));
    CHECK(range.words == 7);
    const EpsilonRange between = rangeOfCriticals({0.004, 0.001, 0.00247, 0.002}, 1);
    CHECK(between.low == Approx(0.00115).epsilon(1e-12));
    CHECK(between.suggested == 0.0022);  // of 0.002235
    CHECK(between.high == Approx(0.0037705).epsilon(1e-12));
}

TEST_CASE("The range of epsilon is that of 20 draws of 200 words, or of all when fewer") {
    const auto [vocabulary, words] = GENERATE(std::pair(60, 60), std::pair(500, 200));
    constexpr std::uint64_t kSeed = 45;
    const RowMatrixF vectors = test::anisotropicVectors(vocabulary, 6, 46);
    const SearchSpace space(test::toyEmbedding(vectors));
    const EpsilonRange range = estimateEpsilonRange(*seriesOf(space, 0.3), kSeed).value();
    CHECK(range.words == words);
    const RowMatrixF z = ellipticalNoiseOf(space, 0.3, kSeed, StreamPurpose::epsilonRange, 20);
    std::vector<double> critical;
    for (const Row word : sampleWords(vocabulary, words, kSeed)) {
        for (Eigen::Index draw = 0; draw < z.rows(); ++draw) {
            critical.push_back(
                test::bruteForceCriticalEpsilon(vectors, word, z.row(draw).transpose()));
        }
    }
    const auto zeros = std::erase(critical, 0.0);
    REQUIRE(zeros > 0);
    CHECK(range.low == Approx(quantileOf(critical, 0.05)).epsilon(1e-9));
    CHECK(range.high == Approx(quantileOf(critical, 0.95)).epsilon(1e-9));
    // Two digits are within 5 % of the median.
    CHECK(range.suggested == Approx(quantileOf(critical, 0.5)).epsilon(0.05));
}

TEST_CASE("Draws that keep their word at every epsilon, or at none, are not in the range") {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const EpsilonRange range = rangeOfCriticals({0.0, 2.0, 2.0, kNever}, 4);
    CHECK(range.low == 2.0);
    CHECK(range.high == 2.0);
}

TEST_CASE("A single word has no range to read off") {
    const SearchSpace space(test::toyEmbedding(RowMatrixF::Constant(1, 3, 1.0F)));
    const auto series = createSeries(space, mechanism::Laplace{}, {}).value();
    CHECK(estimateEpsilonRange(*series, 1).value().suggested == 10.0);
}

namespace {

/// Answers so many epsilons at once, and nothing else.
class NoLines final : public LineSearch {
public:
    NoLines(const SearchSpace& space, std::size_t atOnce) : LineSearch(space), m_atOnce(atOnce) {}

    void nearestAtRates(std::span<const double>, std::span<std::int32_t>) override {}
    [[nodiscard]] std::size_t ratesAtOnce() const override { return m_atOnce; }
    [[nodiscard]] ScoreLine lineOf(std::int32_t) const override { return {}; }

private:
    std::size_t m_atOnce;
};

/// Outputs that are written down, from the largest epsilon down, with guesses that are as good as
/// asked for.
class WrittenOutputs final : public DrawSearch {
public:
    enum class Guess { right, first, last };

    WrittenOutputs(LineSearch& lines, const std::vector<std::int32_t>& outputs,
                   std::span<const std::size_t> falling, Guess guess)
        : DrawSearch(falling), m_lines(lines), m_outputs(outputs), m_guess(guess) {}

    void setWord(std::int64_t) override {}
    void setDraw(std::int64_t, std::int64_t) override {}
    [[nodiscard]] int rounds() const { return m_rounds; }

private:
    [[nodiscard]] LineSearch& lines() override { return m_lines; }
    void outputsAt(std::span<const std::uint32_t> numbers,
                   std::span<std::int32_t> positions) override {
        CHECK(std::ranges::is_sorted(numbers));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            positions[i] = m_outputs.at(numbers[i]);
        }
        ++m_rounds;
    }
    [[nodiscard]] std::uint32_t lastOf(const OutputRun& output, const OutputRun& next) override {
        switch (m_guess) {
            case Guess::first:
                return 0;
            case Guess::last:
                return static_cast<std::uint32_t>(m_outputs.size());
            case Guess::right:
                break;
        }
        std::uint32_t last = output.first;
        while (last + 1 < next.first && m_outputs[last + 1] == output.position) {
            ++last;
        }
        return last;
    }

    LineSearch& m_lines;
    const std::vector<std::int32_t>& m_outputs;
    Guess m_guess;
    int m_rounds = 0;
};

/// Outputs in runs, none of which comes back; long and short ones.
std::vector<std::int32_t> someOutputs(std::size_t epsilons, SeededStream& stream) {
    std::vector<std::int32_t> outputs;
    std::int32_t output = 0;
    const std::uint64_t longest = 1 + stream.below(epsilons);
    while (outputs.size() < epsilons) {
        const std::size_t length =
            std::min<std::size_t>(1 + stream.below(longest), epsilons - outputs.size());
        outputs.insert(outputs.end(), length, output++);
    }
    return outputs;
}

}  // namespace

TEST_CASE("Outputs at every epsilon are found whatever is guessed and however much is asked") {
    const auto guess = GENERATE(WrittenOutputs::Guess::right, WrittenOutputs::Guess::first,
                                WrittenOutputs::Guess::last);
    const SearchSpace space(test::toyEmbedding(RowMatrixF::Constant(1, 1, 1.0F)));
    SeededStream stream(StreamKey{71, StreamPurpose{1004}, 0, 0});
    for (std::uint32_t trial = 0; trial < 2000; ++trial) {
        const std::size_t epsilons = 1 + stream.below(60);
        const std::vector<std::int32_t> outputs = someOutputs(epsilons, stream);
        const auto falling = shuffledIndices(epsilons, {72, StreamPurpose{1004}, 0, trial});
        NoLines lines(space, 1 + stream.below(9));
        WrittenOutputs search(lines, outputs, falling, guess);
        CAPTURE(trial, epsilons);
        std::vector<std::int32_t> found(epsilons, -1);
        search.nearestAtAll(found);
        for (std::size_t number = 0; number < epsilons; ++number) {
            REQUIRE(found[falling[number]] == outputs[number]);
            REQUIRE(search.nearest(falling[number]) == outputs[number]);
        }
        const auto runs = search.runsAtAll();
        REQUIRE(static_cast<std::int32_t>(runs.size()) == outputs.back() + 1);
    }
}

TEST_CASE("Two rounds of searches find outputs whose ends are guessed rightly") {
    std::vector<std::int32_t> outputs(200, 0);
    std::fill(outputs.begin() + 77, outputs.end(), 1);
    std::fill(outputs.begin() + 140, outputs.end(), 2);
    const SearchSpace space(test::toyEmbedding(RowMatrixF::Constant(1, 1, 1.0F)));
    NoLines lines(space, 8);
    const std::vector<std::size_t> falling(200);
    WrittenOutputs search(lines, outputs, falling, WrittenOutputs::Guess::right);
    CHECK(search.runsAtAll().size() == 3);
    CHECK(search.rounds() == 2);
}
