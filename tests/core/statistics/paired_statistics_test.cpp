#include "core/statistics/paired_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>
#include <stop_token>
#include <utility>

#include <catch2/catch.hpp>

#include "core/engine/word_sample.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

// Reference: the defining sums in long double over float64 distances of metric::WordMetric.

using namespace epsilens;
using namespace epsilens::statistics;
using engine::Row;
using mechanism::TruncatedExponential;

namespace {

constexpr int kDraws = 20;
constexpr int kNear = 5;

engine::MetricSpace spaceOf(const RowMatrixF& vectors) {
    return engine::MetricSpace::create(metric::WordMetric::create(test::toyEmbedding(vectors),
                                                                  metric::Metric::euclidean, 0.0)
                                           .value())
        .value();
}

// Every third word first: an order that is none in space.
std::vector<Row> orderOf(const engine::MetricSpace& space) {
    std::vector<Row> order(static_cast<std::size_t>(space.wordCount()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_partition(order.begin(), order.end(), [](Row row) { return row % 3 == 1; });
    return order;
}

std::vector<TruncatedExponential> mechanisms() {
    return {TruncatedExponential::create(1e-3, 1.0).value(),
            TruncatedExponential::create(6.0, 1.2).value(),
            TruncatedExponential::create(9.0, 100.0).value(),
            TruncatedExponential::create(30.0, 0.9).value()};
}

struct Run {
    explicit Run(const engine::MetricSpace& measured, const PairedStatistics::Layout& layout,
                 int draws = kDraws)
        : space(measured),
          order(orderOf(space)),
          paired(space, order, mechanisms(), draws, kNear, layout) {}

    /// In the order of the run.
    std::vector<ExactStatistics> all(int threads) {
        std::vector<ExactStatistics> results;
        paired.measureAll(threads, {}, [&](std::int64_t, std::vector<ExactStatistics> block) {
            results.insert(results.end(), block.begin(), block.end());
        });
        return results;
    }

    const engine::MetricSpace& space;
    std::vector<Row> order;
    PairedStatistics paired;
};

void compareWithReference(const engine::MetricSpace& space, Row word,
                          const TruncatedExponential& mechanism, const ExactStatistics& exact,
                          int draws) {
    const std::vector<double> distances = test::distancesFrom(space.metric(), word);
    const std::vector<Row> nearest =
        test::bruteForceNeighbours(space.embedding().vectors(), word, kNear);
    std::vector<long double> law;
    long double total = 0.0L;
    for (const double distance : distances) {
        law.push_back(std::exp(-static_cast<long double>(mechanism.exponent(distance))));
        total += law.back();
    }
    long double sw = 0.0L, near = 0.0L, beyond = 0.0L, shannon = 0.0L, mean = 0.0L, cosine = 0.0L,
                share = 0.0L;
    const VectorD a = space.embedding().vectors().row(word).cast<double>().transpose();
    for (std::size_t u = 0; u < law.size(); ++u) {
        const long double p = law[u] / total;
        sw += p >= 1.0L ? 1.0L : -std::expm1(draws * std::log1p(-p));
        near += std::count(nearest.begin(), nearest.end(), static_cast<Row>(u)) > 0 ? p : 0.0L;
        beyond += distances[u] >= mechanism.gamma() ? p : 0.0L;
        shannon -= p * std::log2(p);
        mean += p * static_cast<long double>(distances[u]);
        const VectorD b =
            space.embedding().vectors().row(static_cast<Row>(u)).cast<double>().transpose();
        if (a.norm() > 0.0 && b.norm() > 0.0) {
            cosine += p * static_cast<long double>(a.dot(b) / a.norm() / b.norm());
            share += p;
        }
    }
    const auto kept = static_cast<double>(1.0L / total);
    CAPTURE(space.wordCount(), word, mechanism.epsilon(), mechanism.gamma());
    CHECK(std::abs(exact.kept - kept) <= exact.relativeError * kept);
    CHECK(std::abs(exact.sw - static_cast<double>(sw)) <=
          exact.relativeError * static_cast<double>(sw));
    // What the bound allows is not used: a fixed accuracy as well.
    CHECK(exact.kept == Approx(kept).epsilon(1e-5));
    CHECK(exact.nw == draws * exact.kept);
    CHECK(exact.sw == Approx(static_cast<double>(sw)).epsilon(1e-5));
    CHECK(exact.near == Approx(static_cast<double>(near)).epsilon(1e-5).margin(2e-7));
    CHECK(exact.beyond == Approx(static_cast<double>(beyond)).epsilon(1e-5).margin(1e-30));
    CHECK(exact.minEntropy == Approx(std::log2(static_cast<double>(total))).margin(1e-5));
    CHECK(exact.shannonEntropy == Approx(static_cast<double>(shannon)).epsilon(1e-5).margin(1e-5));
    CHECK(exact.meanDistance == Approx(static_cast<double>(mean)).epsilon(1e-5).margin(1e-30));
    CHECK(exact.cosineSum == Approx(static_cast<double>(cosine)).margin(1e-5));
    CHECK(exact.cosineShare == Approx(static_cast<double>(share)).epsilon(1e-5));
}

void compareEvery(std::size_t step, const Run& run, const std::vector<ExactStatistics>& results,
                  int draws = kDraws) {
    const std::vector<TruncatedExponential> laws = mechanisms();
    REQUIRE(results.size() == run.order.size() * laws.size());
    for (std::size_t i = 0; i < run.order.size(); i += step) {
        for (std::size_t m = 0; m < laws.size(); ++m) {
            compareWithReference(run.space, run.order[i], laws[m], results[i * laws.size() + m],
                                 draws);
        }
    }
}

bool areSameBytes(const std::vector<ExactStatistics>& a, const std::vector<ExactStatistics>& b) {
    return a.size() == b.size() &&
           std::memcmp(a.data(), b.data(), a.size() * sizeof(ExactStatistics)) == 0;
}

// So many words, with some that have equal vectors and one without a direction.
RowMatrixF vectorsOf(Eigen::Index words) {
    RowMatrixF vectors = test::anisotropicVectors(words, 16, 91);
    if (words > 100) {
        vectors.row(0) = vectors.row(words - 1);
        vectors.row(64) = vectors.row(words - 1);
        vectors.row(7).setZero();
    }
    return vectors;
}

// By ten of the least distances of 16 tiles, lists have 100 to 250 words.
constexpr PairedStatistics::Layout kSmallBlocks{256, 110};

}  // namespace

TEST_CASE("Pairs of blocks give the defining sums of each word") {
    const Eigen::Index words = GENERATE(2816, 2817, 3000, 3071);
    const engine::MetricSpace space = spaceOf(vectorsOf(words));
    Run run(space, kSmallBlocks);
    const std::vector<ExactStatistics> results = run.all(2);
    compareEvery(97, run, results);
    // Equal words, the word without a direction, the last one.
    for (const Row word : {0, 64, 7, static_cast<Row>(words - 1)}) {
        const auto at = static_cast<std::size_t>(
            std::find(run.order.begin(), run.order.end(), word) - run.order.begin());
        for (std::size_t m = 0; m < mechanisms().size(); ++m) {
            compareWithReference(space, word, mechanisms()[m],
                                 results[at * mechanisms().size() + m], kDraws);
        }
    }
    // Most lists do, and some do not.
    CHECK(run.paired.measuredByRows() > 0);
    CHECK(run.paired.measuredByRows() < words / 2);
}

TEST_CASE("Vocabularies of any size have the defining sums") {
    const Eigen::Index words = GENERATE(2, 3, 63, 64, 65, 127, 128, 129, 192, 300);
    const engine::MetricSpace space = spaceOf(vectorsOf(words));
    Run run(space, {64, 40});
    compareEvery(1, run, run.all(1));
}

TEST_CASE("Where far words are probable, rows decide") {
    const engine::MetricSpace space = spaceOf(vectorsOf(2900));
    Run run(space, kSmallBlocks, 100'000);
    compareEvery(211, run, run.all(2), 100'000);
    CHECK(run.paired.measuredByRows() == 2900);
}

TEST_CASE("Threads and blocks measured alone change no bit") {
    const engine::MetricSpace space = spaceOf(vectorsOf(2850));
    Run run(space, kSmallBlocks);
    const std::vector<ExactStatistics> one = run.all(1);
    CHECK(areSameBytes(one, Run(space, kSmallBlocks).all(2)));
    CHECK(areSameBytes(one, Run(space, kSmallBlocks).all(3)));
    Run alone(space, kSmallBlocks);
    std::vector<ExactStatistics> results;
    for (std::int64_t block = 0; block < alone.paired.blocks(); ++block) {
        const auto ofBlock = alone.paired.measure(block, {});
        REQUIRE(ofBlock);
        results.insert(results.end(), ofBlock->begin(), ofBlock->end());
    }
    CHECK(areSameBytes(one, results));
}

TEST_CASE("A stopped run of pairs ends after the blocks that it has finished") {
    const engine::MetricSpace space = spaceOf(vectorsOf(2850));
    const std::vector<ExactStatistics> whole = Run(space, kSmallBlocks).all(2);
    std::stop_source source;
    double largest = 0.0;
    bool isRising = true;
    const JobContext job{source.get_token(), [&](const Progress& progress) {
                             isRising = isRising && progress.fraction > largest;
                             largest = progress.fraction;
                         }};
    Run run(space, kSmallBlocks);
    std::vector<ExactStatistics> results;
    run.paired.measureAll(2, job, [&](std::int64_t block, std::vector<ExactStatistics> finished) {
        CHECK(block == std::ssize(results) / std::ssize(finished));
        results.insert(results.end(), finished.begin(), finished.end());
        if (block == 2) {
            source.request_stop();
        }
    });
    CHECK(isRising);
    // Of 12 blocks three have met all: 12 + 11 + 10 of 78 pairs.
    CHECK(largest == Approx(33.0 / 78.0));
    CHECK(results.size() == 3 * 256 * mechanisms().size());
    CHECK(std::memcmp(results.data(), whole.data(), results.size() * sizeof(ExactStatistics)) == 0);
    CHECK_FALSE(run.paired.measure(0, job));
}

TEST_CASE("Pairs are for whole Euclidean vocabularies of several blocks and few mechanisms") {
    const engine::MetricSpace space = spaceOf(test::anisotropicVectors(8192, 2, 92));
    CHECK(PairedStatistics::suits(space, 5, 100));
    CHECK_FALSE(PairedStatistics::suits(space, 200, 100));
    CHECK_FALSE(PairedStatistics::suits(space, 5, 101));
    CHECK_FALSE(PairedStatistics::suits(spaceOf(test::anisotropicVectors(8191, 2, 92)), 5, 100));
}
