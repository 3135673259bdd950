#include "core/engine/noise_series.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/poincare_space.h"
#include "core/mechanism/unit_draws.h"
#include "tests/support/brute_force.h"
#include "tests/support/sanitized.h"
#include "tests/support/shared_data.h"
#include "tests/support/simd_targets.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;
using mechanism::RadialLaw;

namespace {

constexpr DrawSource kSource{7, StreamPurpose::unitDraws, 3};

constexpr RadialLaw kLaws[] = {RadialLaw::riemannian, RadialLaw::eq7};

mechanism::UnitDraws unitsOf(Eigen::Index dimensions, std::int64_t count) {
    return mechanism::unitDraws(kSource.seed, kSource.purpose, kSource.block, 0, count, dimensions);
}

mechanism::HyperbolicNoise noiseOf(const SearchSpace& space, RadialLaw law) {
    return mechanism::HyperbolicNoise::create(space.embedding(), law).value();
}

/// Epsilons above the bound of a noise by these amounts.
std::vector<double> epsilonsAbove(const mechanism::HyperbolicNoise& noise,
                                  std::vector<double> amounts) {
    for (double& amount : amounts) {
        amount += noise.epsilonBound();
    }
    return amounts;
}

/// Outputs of some words under some draws and epsilons against the 80-bit textbook formulas, on
/// every instruction set. Returns the decisions that needed a second look on one of them.
std::int64_t compareInBall(const SearchSpace& space, RadialLaw law, const std::vector<Row>& words,
                           std::int64_t draws, const std::vector<double>& amounts) {
    const auto noise = noiseOf(space, law);
    const std::vector<double> epsilons = epsilonsAbove(noise, amounts);
    const mechanism::UnitDraws units = unitsOf(space.vectors().cols(), draws);
    std::vector<double> radii;  // draws x epsilons
    for (std::int64_t draw = 0; draw < draws; ++draw) {
        for (const double epsilon : epsilons) {
            radii.push_back(noise.radiusAt(epsilon)->quantile(units.quantiles[draw]));
        }
    }
    std::vector<Row> expected;
    for (const Row word : words) {
        for (std::size_t i = 0; i < radii.size(); ++i) {
            const auto draw = static_cast<Eigen::Index>(i / epsilons.size());
            expected.push_back(
                test::bruteForcePoincareNearest(space.embedding().vectors(), word,
                                                units.directions.row(draw).transpose(), radii[i]));
        }
    }
    std::int64_t rechecked = 0;
    for (const std::int64_t target : test::simdTargets()) {
        const test::OnTarget onTarget(target);
        const auto series = hyperbolicSeries(space, noise);
        const JobContext job;
        const auto batch = series->batch(epsilons, 2, job);
        batch->setWords(words);
        batch->setDraws(kSource, 0, draws);
        const auto search = batch->search();
        auto next = expected.begin();
        for (std::size_t word = 0; word < words.size(); ++word) {
            search->setWord(static_cast<std::int64_t>(word));
            for (std::int64_t draw = 0; draw < draws; ++draw) {
                search->setDraw(0, draw);
                for (std::size_t e = 0; e < epsilons.size(); ++e) {
                    CAPTURE(words[word], draw, epsilons[e]);
                    REQUIRE(space.rowAt(search->nearest(e)) == *next++);
                }
            }
        }
        rechecked = std::max(rechecked, search->rechecked());
    }
    return rechecked;
}

/// Words of all norms with some at the given one.
RowMatrixF toyVectors(Eigen::Index words, Eigen::Index dimensions, double edgeNorm) {
    RowMatrixF vectors = test::poincareVectors(words, dimensions, 0.95, 51);
    for (Eigen::Index row = 0; row < words; row += 3) {
        vectors.row(row) *= static_cast<float>(edgeNorm) / vectors.row(row).norm();
    }
    return vectors;
}

embedding::EmbeddingHandle openShared(const char* name) {
    const auto path = test::sharedFile(std::string("data/poincare/") + name);
    if (!path) {
        return nullptr;
    }
    embedding::LoadOptions options;
    options.path = *path;
    return embedding::openAndPrepare(options).value();
}

constexpr const char* kFiles[] = {"poincare_vectors.bin", "mammal-poincare-5d.txt",
                                  "mammal-heat-ball-2d.txt", "mammal-heat-ball-5d.txt"};

/// Rows of the embedding: the one with the largest norm, that with the least, and others.
std::vector<Row> wordsOf(const embedding::PreparedEmbedding& embedding, std::int64_t count) {
    Eigen::Index largest = 0;
    Eigen::Index least = 0;
    embedding.squaredNorms.maxCoeff(&largest);
    embedding.squaredNorms.minCoeff(&least);
    std::vector<Row> words{static_cast<Row>(largest), static_cast<Row>(least)};
    for (std::int64_t i = 2; i < count; ++i) {
        words.push_back(static_cast<Row>(i * embedding.wordCount() / count));
    }
    return words;
}

}  // namespace

TEST_CASE("The Poincaré search equals 80-bit brute force for odd sizes and edges") {
    const RadialLaw law = kLaws[GENERATE(0, 1)];
    const Eigen::Index words = GENERATE(2, 63, 65, 300);
    const Eigen::Index m = GENERATE(1, 2, 20);
    const double edge = GENERATE(0.5, 0.9996);
    const SearchSpace space(test::toyEmbedding(toyVectors(words, m, edge)));
    (void)compareInBall(space, law, {0, static_cast<Row>(words / 2)}, 4,
                        {1e-3, 0.5, 2.0, 8.0, 100.0});
}

TEST_CASE("The Poincaré search equals 80-bit brute force on real vectors") {
    const char* file = kFiles[GENERATE(0, 1, 2, 3)];
    const auto handle = openShared(file);
    if (!handle) {
        return test::skipForWantOfData();
    }
    const SearchSpace space(handle);
    const RadialLaw law = kLaws[GENERATE(0, 1)];
    constexpr int kWords = test::kSanitized ? 4 : 12;
    const std::vector<Row> words = wordsOf(*handle, kWords);
    CAPTURE(file);
    const std::int64_t rechecked = compareInBall(space, law, words, 12, {0.125, 1.0, 8.0, 40.0});
    // 12 draws and 4 epsilons for each word: near ties are rare.
    CHECK(rechecked <= kWords * 12 * 4 / 100);
}

TEST_CASE("Scores that can win are within their rounding bound") {
    const auto handle = openShared(kFiles[GENERATE(0, 1)]);
    if (!handle) {
        return test::skipForWantOfData();
    }
    const SearchSpace space(handle);
    const PoincareSpace poincare(space);
    const Eigen::Index m = space.vectors().cols();
    const std::vector<Row> words = wordsOf(*handle, 6);
    TiledRows scores;
    wordScores(poincare, words, 1, {}, scores);
    RowMatrixD directions = unitsOf(m, 12).directions;
    // One that leads from the outermost word straight back through the origin.
    directions.row(0) = -handle->vectors().row(words[0]).cast<double>().normalized();
    DirectionBatch batch;
    projectDirections(poincare, directions, 1, {}, batch);
    PoincareSearch search(poincare);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        search.setWord(words[i], scores, index);
        const auto w = handle->vectors().row(words[i]).cast<long double>();
        for (std::int64_t draw = 0; draw < directions.rows(); ++draw) {
            search.setDraw(batch, draw);
            const test::LongVector xi =
                directions.row(draw).transpose().cast<long double>().normalized();
            const long double c = w.dot(xi);
            for (const double radius : {0.1, 2.0, 9.0, 18.0, 40.0}) {
                const ScoreWeights weights = search.weightsAt(radius);
                const long double t = std::tanh(static_cast<long double>(radius));
                for (Eigen::Index position = 0; position < space.positions(); ++position) {
                    const auto v = space.vectors().row(position).cast<long double>();
                    const long double height = 2.0L / (1.0L - v.squaredNorm());
                    const long double x = (v - w).squaredNorm() * height / (1.0L - w.squaredNorm());
                    const auto exact = static_cast<double>((1.0L + t * c) * x -
                                                           t * height * v.dot(xi) + t * c * height);
                    const double computed =
                        weights.alpha * scores.values.row(index)[position] -
                        weights.tau * batch.projections.values.row(draw)[position] +
                        weights.kappa * poincare.heights()[position];
                    if (exact <= 0.0) {
                        REQUIRE(std::fabs(computed - exact) <= search.scoreError());
                    } else {
                        REQUIRE(computed >= -search.scoreError());
                    }
                }
            }
        }
    }
}

TEST_CASE("Near ties by the edge of the ball are decided as 80-bit brute force does") {
    // Pairs of rows that differ in the last bit of one coordinate, half of them close to the edge.
    RowMatrixF vectors = toyVectors(200, 5, 0.9996);
    for (Eigen::Index row = 1; row < 200; row += 2) {
        vectors.row(row) = vectors.row(row - 1);
        vectors(row, 3) = std::nextafter(vectors(row, 3), 0.0F);
    }
    const SearchSpace space(test::toyEmbedding(vectors));
    const RadialLaw law = kLaws[GENERATE(0, 1)];
    (void)compareInBall(space, law, {0, 1, 100, 199}, 20, {0.01, 0.5, 3.0, 30.0});
}

TEST_CASE("Equal distances answer with the lowest row") {
    // Mirror images: the noise runs along the axis between them, both are equally far.
    RowMatrixF vectors(6, 2);
    vectors << 0.0F, 0.0F, 0.5F, 0.25F, 0.5F, -0.25F, 0.5F, 0.25F, -0.5F, 0.1F, -0.5F, -0.1F;
    const SearchSpace space(test::toyEmbedding(vectors));
    const PoincareSpace poincare(space);
    PoincareSearch search(poincare);
    const std::vector<Row> words{0};
    TiledRows scores;
    wordScores(poincare, words, 1, {}, scores);
    RowMatrixD directions(2, 2);
    directions << 1.0, 0.0, -1.0, 0.0;
    DirectionBatch batch;
    projectDirections(poincare, directions, 1, {}, batch);
    search.setWord(0, scores, 0);
    search.setDraw(batch, 0);
    CHECK(space.rowAt(search.nearest(1.5)) == 1);
    search.setDraw(batch, 1);
    CHECK(space.rowAt(search.nearest(1.5)) == 4);
    CHECK(search.rechecked() == 2);
}

TEST_CASE("Paths give the brute-force output at every epsilon of the law") {
    const RadialLaw law = kLaws[GENERATE(0, 1)];
    const Eigen::Index m = GENERATE(1, 2, 10);
    RowMatrixF vectors = toyVectors(150, m, GENERATE(0.99, 0.9996));
    vectors.row(149) = vectors.row(40);
    const SearchSpace space(test::toyEmbedding(vectors));
    const auto noise = noiseOf(space, law);
    const double bound = noise.epsilonBound();
    const std::vector<Row> words{0, 40, 77, 149};
    constexpr int kDraws = 12;
    const auto series = hyperbolicSeries(space, noise);
    const auto paths = computePaths(*series, words, {kDraws, 1, 0, GENERATE(1, 3)}).value();
    const mechanism::UnitDraws units =
        mechanism::unitDraws(1, StreamPurpose::sentence, 0, 0, kDraws, m);
    SeededStream stream(StreamKey{52, StreamPurpose{1002}, 0, 0});
    std::size_t changed = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Row word = words[i];
        for (int draw = 0; draw < kDraws; ++draw) {
            const auto expectedAt = [&](double excess) {
                return test::bruteForcePoincareNearest(
                    vectors, word, units.directions.row(draw).transpose(),
                    noise.radiusAt(bound + excess)->quantile(units.quantiles[draw]));
            };
            const DrawPath& path = paths[i][static_cast<std::size_t>(draw)];
            const double critical = path.criticalEpsilon(word) - bound;
            for (int trial = 0; trial < 12; ++trial) {
                const double excess = std::pow(10.0, 4.5 * stream.uniform() - 1.5);
                CAPTURE(m, word, draw, excess);
                const Row expected = expectedAt(excess);
                REQUIRE(path.output(bound + excess) == expected);
                changed += expected != word ? 1 : 0;
                // Kept exactly from the critical epsilon on.
                REQUIRE((excess >= critical) == (expected == word));
            }
            if (word == 149) {
                REQUIRE(std::isinf(critical));
            } else if (critical > 1e-6) {
                CHECK(expectedAt(critical * (1.0 - 1e-7)) != word);
                CHECK(expectedAt(critical * (1.0 + 1e-7)) == word);
            }
        }
    }
    CHECK(changed > 100);
}

TEST_CASE("Poincaré neighbours and distances equal the textbook's") {
    RowMatrixF vectors = toyVectors(120, 4, 0.9996);
    vectors.row(119) = vectors.row(7);
    const SearchSpace space(test::toyEmbedding(vectors));
    const auto series = hyperbolicSeries(space, noiseOf(space, RadialLaw::eq7));
    const std::vector<Row> words{0, 7, 60, 119};
    const int count = GENERATE(1, 10, 1000);
    const JobContext job;
    const auto batch = series->batch({}, 1, job);
    batch->setWords(words);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Neighbourhood found = batch->neighbours(static_cast<std::int64_t>(i), count);
        CHECK(found.rows == test::bruteForcePoincareNeighbours(vectors, words[i], count));
        const auto own = static_cast<std::int32_t>(space.positionOf(words[i]));
        for (std::size_t k = 0; k < found.rows.size(); ++k) {
            const Eigen::Index row = found.rows[k];
            const auto expected = static_cast<double>(
                test::textbookDistance(vectors.row(words[i]).transpose().cast<long double>(),
                                       vectors.row(row).transpose().cast<long double>()));
            CHECK(found.distances[k] == Approx(expected).epsilon(1e-10));
            const PairDistances pair =
                series->distances(own, static_cast<std::int32_t>(space.positionOf(found.rows[k])));
            CHECK(pair.distance == found.distances[k]);
            CHECK(pair.squaredEuclidean ==
                  Approx((vectors.row(words[i]) - vectors.row(row)).cast<double>().squaredNorm())
                      .margin(1e-12));
        }
    }
}

TEST_CASE("Outside the ball there is no series") {
    const SearchSpace outside(test::toyEmbedding(test::anisotropicVectors(50, 3, 53)));
    CHECK_FALSE(createSeries(outside, mechanism::Hyperbolic{}, {}));
}
