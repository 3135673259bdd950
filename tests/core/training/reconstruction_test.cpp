#include "core/training/reconstruction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/embedding/load.h"
#include "tests/core/training/toy_hierarchy.h"
#include "tests/support/shared_data.h"

using namespace epsilens;
using namespace epsilens::training;

namespace {

double distance(const RowMatrixD& vectors, Row u, Row v) {
    return std::acosh(
        1.0 + 2.0 * (vectors.row(u) - vectors.row(v)).squaredNorm() /
                  ((1.0 - vectors.row(u).squaredNorm()) * (1.0 - vectors.row(v).squaredNorm())));
}

bool isPair(const IsAList& list, Row child, Row parent) {
    return std::find(list.pairs.begin(), list.pairs.end(), IsAPair{child, parent}) !=
           list.pairs.end();
}

/// By the definitions, one loop each. Average precision of a child: its nodes are put in order of
/// distance; at every parent, the share of parents among the nodes so far.
Reconstruction byDefinition(const IsAList& list, const RowMatrixD& vectors) {
    const auto nodes = static_cast<Row>(vectors.rows());
    double ranks = 0.0;
    for (const IsAPair& pair : list.pairs) {
        ranks += 1.0;
        for (Row node = 0; node < nodes; ++node) {
            if (node != pair.child && !isPair(list, pair.child, node) &&
                distance(vectors, pair.child, node) <= distance(vectors, pair.child, pair.parent)) {
                ranks += 1.0;
            }
        }
    }
    double precisions = 0.0;
    int children = 0;
    for (Row child = 0; child < nodes; ++child) {
        std::vector<std::pair<double, bool>> ordered;
        for (Row node = 0; node < nodes; ++node) {
            if (node != child) {
                ordered.emplace_back(distance(vectors, child, node), isPair(list, child, node));
            }
        }
        std::sort(ordered.begin(), ordered.end());  // of equal ones, negatives first
        double sum = 0.0;
        int found = 0;
        for (std::size_t i = 0; i < ordered.size(); ++i) {
            if (ordered[i].second) {
                sum += ++found / static_cast<double>(i + 1);
            }
        }
        if (found > 0) {
            precisions += sum / found;
            ++children;
        }
    }
    return {ranks / static_cast<double>(list.pairs.size()), precisions / children};
}

RowMatrixD column(std::vector<double> values) {
    return Eigen::Map<RowMatrixD>(values.data(), static_cast<Eigen::Index>(values.size()), 1);
}

}  // namespace

TEST_CASE("A perfect order has rank and precision 1") {
    // 0 is at 0; its parent 1 is nearer than 2 and 3.
    const IsAList list = test::listOf(4, {{0, 1}});
    const auto perfect = reconstruct(list, column({0.0, 0.1, 0.2, 0.3}), 1).value();
    CHECK(perfect.meanRank == 1.0);
    CHECK(perfect.meanAveragePrecision == 1.0);
}

TEST_CASE("Ranks and precisions by hand") {
    // From 0: parents 2 and 4, others 1, 3 and 5, in the order 1 2 3 4 5. Ranks among the others:
    // 2 for node 2, 3 for node 4. Precisions: 1/2 at node 2, 2/4 at node 4.
    const IsAList list = test::listOf(6, {{0, 2}, {0, 4}});
    const auto quality = reconstruct(list, column({0.0, 0.1, 0.2, 0.3, 0.4, 0.5}), 1).value();
    CHECK(quality.meanRank == 2.5);
    CHECK(quality.meanAveragePrecision == 0.5);
    // The distance is hyperbolic: from 0.9 it is ln 19 to the origin, ln 3 more to -0.5.
    const auto reversed = reconstruct(test::listOf(3, {{0, 1}}), column({0.9, -0.5, 0.0}), 1);
    CHECK(reversed->meanRank == 2.0);
}

TEST_CASE("Equal distances count against the embedding") {
    const IsAList list = test::listOf(4, {{0, 1}});
    const auto collapsed = reconstruct(list, column({0.0, 0.0, 0.0, 0.0}), 1).value();
    CHECK(collapsed.meanRank == 3.0);
    CHECK(collapsed.meanAveragePrecision == Approx(1.0 / 3).epsilon(1e-15));
}

TEST_CASE("Random points agree with the definitions") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const IsAList list = test::treeClosure(3, 3);
        SeededStream stream({seed, StreamPurpose::wordSelection, 0, 0});
        RowMatrixD vectors(list.nodes.size(), 3);
        for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
            for (Eigen::Index k = 0; k < 3; ++k) {
                vectors(row, k) = stream.normal();
            }
            vectors.row(row) *=
                (1.0 - 0.2 * std::pow(stream.uniform(), 3)) / vectors.row(row).norm();
        }
        const Reconstruction expected = byDefinition(list, vectors);
        const int threads = GENERATE(1, 3);
        const auto quality = reconstruct(list, vectors, threads).value();
        CHECK(quality.meanRank == Approx(expected.meanRank).epsilon(1e-14));
        CHECK(quality.meanAveragePrecision == Approx(expected.meanAveragePrecision).epsilon(1e-13));
    }
}

TEST_CASE("Published vectors of the mammals are judged as by numpy") {
    const auto pairs = test::sharedFile("data/poincare/mammal_closure.tsv");
    const auto file = test::sharedFile("data/poincare/mammal-poincare-5d.txt");
    if (!pairs || !file) {
        WARN("SKIPPED: data/poincare is absent");
        return;
    }
    IsAReadOptions input;
    input.path = *pairs;
    const IsAList list = readIsAPairs(input).value();
    embedding::LoadOptions options;
    options.path = *file;
    const auto published = embedding::loadEmbedding(options).value();
    RowMatrixD vectors(list.nodes.size(), published.dimensions());
    for (Row row = 0; row < list.nodes.size(); ++row) {
        const auto place = published.vocabulary.find(list.nodes.word(row));
        REQUIRE(place.has_value());
        vectors.row(row) = published.vectors.row(*place).cast<double>();
    }
    const auto quality = reconstruct(list, vectors, 0).value();
    CHECK(quality.meanRank == Approx(1.5560311878917596).epsilon(1e-9));
    CHECK(quality.meanAveragePrecision == Approx(0.8828679510036291).epsilon(1e-9));
}

TEST_CASE("Vectors that do not fit are refused") {
    const IsAList list = test::listOf(3, {{0, 1}});
    for (const double value : {1.0, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(reconstruct(list, column({0.0, 0.5, value}), 1).error().code ==
              ErrorCode::invalidArgument);
    }
    CHECK(reconstruct(list, column({0.0, 0.5}), 1).error().code == ErrorCode::invalidArgument);
    std::stop_source stop;
    stop.request_stop();
    CHECK(reconstruct(list, column({0.0, 0.5, 0.1}), 1, {stop.get_token(), {}}).error().code ==
          ErrorCode::cancelled);
}
