#include "core/embedding/prepared_embedding.h"

#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens;
using embedding::outlyingNorms;
using embedding::Row;

namespace {

VectorD squares(const std::vector<double>& norms) {
    VectorD result(static_cast<Eigen::Index>(norms.size()));
    for (std::size_t i = 0; i < norms.size(); ++i) {
        result[static_cast<Eigen::Index>(i)] = norms[i] * norms[i];
    }
    return result;
}

}  // namespace

TEST_CASE("Rows above 20 times the median of the norms above 0 are outlying, rising in norm") {
    // The median of 1, 2, 3, 4, 60, 61, 900 is 4: 20 times as long is 80.
    const auto outlying = outlyingNorms(squares({900.0, 3.0, 60.0, 0.0, 1.0, 2.0, 4.0, 61.0}));
    CHECK(outlying.median == 4.0);
    CHECK(outlying.rows == std::vector<Row>{0});
    CHECK(outlyingNorms(squares({1.0, 20.0, 1.0})).rows.empty());
    CHECK(outlyingNorms(squares({1.0, 500.0, 1.0, 21.0, 1.0, 0.5, 500.0})).rows ==
          std::vector<Row>{3, 1, 6});
}

TEST_CASE("Without norms above 0 there is no median and no outlying row") {
    const auto none = outlyingNorms(VectorD::Zero(3));
    CHECK(none.median == 0.0);
    CHECK(none.rows.empty());
    // At least half of the rows above 0 are regular, even among two.
    CHECK(outlyingNorms(squares({1.0, 1e6})).rows == std::vector<Row>{1});
    CHECK(outlyingNorms(squares({0.0, 0.0, 1e6})).rows.empty());
}
