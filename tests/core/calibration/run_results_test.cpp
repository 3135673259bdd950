#include "core/calibration/run_results.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "core/calibration/summary.h"
#include "tests/core/calibration/calibration_fixture.h"

// A run's intervals, spreads and proxies again in float64, by their definitions, from outputs found
// by brute force.

using namespace epsilens;
using namespace epsilens::calibration;

namespace {

using test::BruteBlock;
using test::BruteWord;
using Outputs = std::vector<Row>;  // of one word, by draw

constexpr int kRunDraws = 25;
constexpr std::size_t kRunWords = 150;
constexpr std::size_t kVocabulary = 200;
constexpr int kNearOfRun = 12;
constexpr double kLambda = 0.5;

// With a word whose cosines do not exist and one that is never returned.
RowMatrixF runVectors() {
    RowMatrixF vectors = test::anisotropicVectors(kVocabulary, 3, 81);
    vectors.row(60).setZero();
    vectors.row(150) = vectors.row(20);
    return vectors;
}

CalibrationOptions runOptions() {
    CalibrationOptions options{{.draws = kRunDraws, .seed = 82, .nearNeighbours = kNearOfRun},
                               {mechanism::Mahalanobis{}, {3.0, 12.0}, {kLambda}}};
    options.words = {WordSelection::Kind::list, 0, std::vector<Row>(kRunWords)};
    std::iota(options.words.rows.begin(), options.words.rows.end(), Row{50});
    return options;
}

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squaresAbout(const std::vector<double>& values, double centre) {
    double sum = 0.0;
    for (const double value : values) {
        sum += (value - centre) * (value - centre);
    }
    return sum;
}

// A statistic of the outputs of a word.
using OutputStatistic = std::function<double(const Outputs&)>;

std::map<Row, double> sharesOf(const Outputs& outputs) {
    std::map<Row, double> shares;
    for (const Row output : outputs) {
        shares[output] += 1.0 / static_cast<double>(outputs.size());
    }
    return shares;
}

double distinctOf(const Outputs& outputs) {
    return static_cast<double>(sharesOf(outputs).size());
}

double shannonOf(const Outputs& outputs) {
    double entropy = 0.0;
    for (const auto& entry : sharesOf(outputs)) {
        entropy -= entry.second * std::log2(entry.second);
    }
    return entropy;
}

double minEntropyOf(const Outputs& outputs) {
    double largest = 0.0;
    for (const auto& entry : sharesOf(outputs)) {
        largest = std::max(largest, entry.second);
    }
    return -std::log2(largest);
}

struct BruteInterval {
    double mean = 0.0;
    double low = 0.0;
    double high = 0.0;
    double sdTrue = 0.0;
};

constexpr double kN = static_cast<double>(kRunWords);
constexpr double kR = static_cast<double>(kRunDraws);
constexpr double kSampledShare = kN / static_cast<double>(kVocabulary);

// x_wj = 1 where draw j returned w:
//   V_mc = sum_g (n_g/n)^2 sum_j (x_gj - x_g)^2 / (R(R-1)),  s^2 = sum_w (x_w - x)^2 / (n-1),
//   v = mean_w sum_j (x_wj - x_w)^2 / (R(R-1)),  c = (n V_mc - v) / (n-1),
//   SE^2 = (1-f) max(0, s^2 - v + c) / n + V_mc,  sdTrue = R sqrt(max(0, s^2 - v + c)).
BruteInterval keptInterval(const std::vector<BruteBlock>& blocks) {
    std::vector<double> shares;
    double within = 0.0;
    double shared = 0.0;
    for (const BruteBlock& block : blocks) {
        std::vector<double> blockMeans(kRunDraws);
        for (const BruteWord& word : block) {
            std::vector<double> kept;
            for (const Row output : word.outputs) {
                kept.push_back(output == word.word ? 1.0 : 0.0);
                blockMeans[kept.size() - 1] += kept.back() / static_cast<double>(block.size());
            }
            shares.push_back(meanOf(kept));
            within += squaresAbout(kept, shares.back()) / (kR * (kR - 1.0)) / kN;
        }
        const double weight = static_cast<double>(block.size()) / kN;
        shared +=
            weight * weight * squaresAbout(blockMeans, meanOf(blockMeans)) / (kR * (kR - 1.0));
    }
    const double mean = meanOf(shares);
    const double spread = std::max(0.0, squaresAbout(shares, mean) / (kN - 1.0) - within +
                                            (kN * shared - within) / (kN - 1.0));
    const double error = std::sqrt((1.0 - kSampledShare) * spread / kN + shared);
    return {kR * mean, kR * (mean - 1.96 * error), kR * (mean + 1.96 * error),
            kR * std::sqrt(spread)};
}

// T_g(-j), the mean over block g without draw j:
//   V_mc = sum_g (n_g/n)^2 (R-1)/R sum_j (T_g(-j) - mean)^2,  SE^2 = (1-f) s^2 / n + V_mc.
BruteInterval jackknifeInterval(const std::vector<BruteBlock>& blocks,
                                const OutputStatistic& statistic) {
    std::vector<double> values;
    double shared = 0.0;
    for (const BruteBlock& block : blocks) {
        std::vector<double> without(kRunDraws);
        for (const BruteWord& word : block) {
            values.push_back(statistic(word.outputs));
            for (std::size_t draw = 0; draw < without.size(); ++draw) {
                Outputs rest = word.outputs;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(draw));
                without[draw] += statistic(rest) / static_cast<double>(block.size());
            }
        }
        const double weight = static_cast<double>(block.size()) / kN;
        shared += weight * weight * (kR - 1.0) / kR * squaresAbout(without, meanOf(without));
    }
    const double mean = meanOf(values);
    const double error =
        std::sqrt((1.0 - kSampledShare) * squaresAbout(values, mean) / (kN - 1.0) / kN + shared);
    return {mean, mean - 1.96 * error, mean + 1.96 * error, 0.0};
}

struct BruteProxies {
    double coverage = 0.0;
    double near = 0.0;
    double far = 0.0;
    double distance = 0.0;
    double cosine = 0.0;
};

BruteProxies proxiesOf(const std::vector<BruteBlock>& blocks, const RowMatrixF& vectors) {
    BruteProxies sums;
    double cosines = 0.0;
    for (const BruteBlock& block : blocks) {
        for (const BruteWord& word : block) {
            const std::vector<Row> near =
                test::bruteForceNeighbours(vectors, word.word, kNearOfRun);
            const VectorD own = vectors.row(word.word).cast<double>().transpose();
            for (const Row output : word.outputs) {
                const auto often = std::ranges::count(word.outputs, output);
                const bool isNear = std::ranges::find(near, output) != near.end();
                const VectorD other = vectors.row(output).cast<double>().transpose();
                sums.coverage += often > 1 ? 1.0 : 0.0;
                sums.near += isNear ? 1.0 : 0.0;
                sums.far += output != word.word && !isNear ? 1.0 : 0.0;
                sums.distance += (own - other).norm();
                if (own.norm() > 0.0 && other.norm() > 0.0) {
                    sums.cosine += own.dot(other) / (own.norm() * other.norm());
                    cosines += 1.0;
                }
            }
        }
    }
    const double all = kN * kR;
    return {sums.coverage / all, sums.near / all, sums.far / all, sums.distance / all,
            sums.cosine / cosines};
}

// Values of words are kept in float32: whole numbers exactly, entropies to 6e-8 of themselves.
void checkInterval(const calibration::Summary& summary, const BruteInterval& expected,
                   double tolerance) {
    REQUIRE(summary.ci95);
    CHECK(summary.mean == Approx(expected.mean).epsilon(tolerance));
    CHECK((*summary.ci95)[0] == Approx(expected.low).epsilon(tolerance));
    CHECK((*summary.ci95)[1] == Approx(expected.high).epsilon(tolerance));
}

}  // namespace

TEST_CASE("Intervals and proxies of a run of unequal blocks equal their definitions") {
    const RowMatrixF vectors = runVectors();
    const auto space = test::spaceOf(vectors);
    const CalibrationOptions options = runOptions();
    const CalibrationSummary summary = calibrate(space, options).value();
    REQUIRE(summary.blockSize == 64);  // so that there are blocks of 64, 64 and 22 words
    for (std::size_t e = 0; e < options.grid.epsilons.size(); ++e) {
        CAPTURE(options.grid.epsilons[e]);
        const Cell& cell = summary.cells[e];
        const auto blocks =
            test::bruteBlocks(space, options, 64, options.grid.epsilons[e], kLambda);
        REQUIRE(blocks.size() == 3);
        REQUIRE(blocks.back().size() == 22);

        for (const BruteBlock& block : blocks) {
            for (const BruteWord& word : block) {
                // Rows 50 to 199 in this order.
                const std::size_t at = static_cast<std::size_t>(word.word - 50) * 2 + e;
                const auto kept = std::ranges::count(word.outputs, word.word);
                CAPTURE(word.word);
                REQUIRE(summary.perWord.nw[at] == static_cast<double>(kept));
                REQUIRE(summary.perWord.sw[at] == distinctOf(word.outputs));
            }
        }
        constexpr double kExact = 1e-12;
        constexpr double kFloat = 1e-6;
        const BruteInterval kept = keptInterval(blocks);
        {
            INFO("N_w");
            checkInterval(cell.nw, kept, kExact);
            REQUIRE(cell.nw.sdTrue);
            REQUIRE(kept.sdTrue > 0.0);
            CHECK(*cell.nw.sdTrue == Approx(kept.sdTrue).epsilon(kExact));
            CHECK(cell.kept == Approx(kept.mean / kR).epsilon(kExact));
        }
        {
            INFO("S_w");
            checkInterval(cell.sw, jackknifeInterval(blocks, distinctOf), kExact);
            CHECK_FALSE(cell.sw.sdTrue);
        }
        {
            INFO("entropies");
            checkInterval(cell.minEntropy, jackknifeInterval(blocks, minEntropyOf), kFloat);
            checkInterval(cell.shannonEntropy, jackknifeInterval(blocks, shannonOf), kFloat);
            checkInterval(
                cell.hartleyEntropy,
                jackknifeInterval(
                    blocks, [](const Outputs& outputs) { return std::log2(distinctOf(outputs)); }),
                kFloat);
        }
        const BruteProxies proxies = proxiesOf(blocks, vectors);
        REQUIRE(cell.coverage);
        CHECK(*cell.coverage == Approx(proxies.coverage).epsilon(kExact));
        CHECK(cell.near == Approx(proxies.near).epsilon(kExact));
        CHECK(cell.far == Approx(proxies.far).epsilon(kExact));
        CHECK(cell.meanDistance == Approx(proxies.distance).epsilon(1e-9));
        REQUIRE(cell.meanCosine);
        CHECK(*cell.meanCosine == Approx(proxies.cosine).epsilon(1e-9));
    }
}

TEST_CASE("A summary of 0 … 100 in disorder") {
    std::vector<float> values;
    for (int i = 0; i <= 100; ++i) {
        values.push_back(static_cast<float>((i * 37) % 101));
    }
    const calibration::Summary summary = summarize(values);
    CHECK(summary.mean == 50.0);
    // Variance of 0..n-1 with divisor n is (n^2 - 1) / 12.
    CHECK(summary.sd == Approx(std::sqrt((101.0 * 101.0 - 1.0) / 12.0)).epsilon(1e-14));
    CHECK(summary.min == 0.0);
    CHECK(summary.max == 100.0);
    for (const int percent : {1, 5, 25, 50, 75, 95, 99}) {
        CHECK(summary.percentile(percent) == Approx(percent).epsilon(1e-12));
    }
    CHECK_FALSE(summary.ci95);
}

TEST_CASE("A summary of one value") {
    const std::vector<float> values{7.0F};
    const calibration::Summary summary = summarize(values);
    CHECK(summary.mean == 7.0);
    CHECK(summary.sd == 0.0);
    CHECK(summary.p5 == 7.0);
    CHECK(summary.max == 7.0);
}

TEST_CASE("Words that differ by less than their draws have no spread of their own") {
    // By hand: two words of 4 draws, kept twice and once by shared draws, V_mc = 2.75/12/4, f =
    // 1/2; s^2 = 0.03125 is less than twice v = mean(0.25, 0.1875)/3 beside 2 V_mc.
    const std::vector<float> counts{2, 1};
    const double shared = 2.75 / 12.0 / 4.0;
    const MeanError error = shareError(counts, 4, shared, 0.5);
    CHECK(error.sdTrue == 0.0);
    CHECK(error.standardError == Approx(std::sqrt(shared)).epsilon(1e-14));
}
