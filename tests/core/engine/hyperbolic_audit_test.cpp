// Output probabilities of small vocabularies by quadrature, held against what the mechanism says it
// guarantees: a wrong radius or claim shows as a loss above the bound.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <boost/math/special_functions/beta.hpp>
#include <catch2/catch.hpp>

#include "core/engine/poincare_space.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/metric/poincare_distance.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;
using mechanism::RadialLaw;

namespace {

/// Radius that noise exceeds with a given probability.
using RadiusOfTail = std::function<double(double)>;

RadiusOfTail radiusOf(RadialLaw law, std::int64_t dimensions, double epsilon) {
    const auto radius = numeric::HyperbolicRadius::create(law, dimensions, epsilon).value();
    return [radius](double tail) { return radius.quantile(1.0 - tail); };
}

/// Point of the ball on an axis at a hyperbolic distance from the origin.
float onAxis(double distance) {
    return static_cast<float>(std::tanh(0.5 * distance));
}

/// Pr[M(w) = u] of every pair of rows, by the search itself: directions on a regular grid (m = 2)
/// or both (m = 1), and along each the tails of the radius at which the output changes.
class OutputProbabilities {
public:
    OutputProbabilities(RowMatrixF vectors, RadiusOfTail radius)
        : m_radius(std::move(radius)),
          m_space(test::toyEmbedding(std::move(vectors))),
          m_poincare(m_space) {
        for (int i = 0; i <= 50; ++i) {
            m_tails.push_back(1.0 - 0.98 * i / 50.0);
        }
        while (m_tails.back() > 1e-9) {
            m_tails.push_back(0.7 * m_tails.back());
        }
        for (const double tail : m_tails) {
            m_radii.push_back(tail < 1.0 ? m_radius(tail) : 0.0);
        }
        compute();
    }

    [[nodiscard]] const RowMatrixD& values() const { return m_values; }

    /// Largest ln(Pr[M(w) = u] / Pr[M(w') = u]) / d_H(w, w'): the smallest bound that holds.
    [[nodiscard]] double largestLoss() const {
        double largest = 0.0;
        for (Row a = 0; a < m_values.rows(); ++a) {
            for (Row b = 0; b < m_values.rows(); ++b) {
                if (a != b) {
                    largest = std::max(largest, lossBetween(a, b));
                }
            }
        }
        return largest;
    }

private:
    static constexpr Eigen::Index kDirections = 1500;
    // Probabilities below this are lost in the grid of tails.
    static constexpr double kLeast = 1e-7;

    [[nodiscard]] double lossBetween(Row a, Row b) const {
        const double distance = metric::distanceOfExcess(
            m_poincare.excess(m_space.positionOf(a), m_space.positionOf(b)));
        double largest = 0.0;
        for (Eigen::Index u = 0; u < m_values.cols(); ++u) {
            if (m_values(a, u) > kLeast) {
                largest = std::max(largest, std::log(m_values(a, u) / m_values(b, u)) / distance);
            }
        }
        return largest;
    }

    [[nodiscard]] RowMatrixD directions() const {
        if (m_poincare.dimensions() == 1) {
            return (RowMatrixD(2, 1) << 1.0, -1.0).finished();
        }
        RowMatrixD grid(kDirections, 2);
        for (Eigen::Index i = 0; i < kDirections; ++i) {
            const double angle = 2.0 * std::numbers::pi * (static_cast<double>(i) + 0.5) /
                                 static_cast<double>(kDirections);
            grid.row(i) << std::cos(angle), std::sin(angle);
        }
        return grid;
    }

    void compute() {
        const auto words = static_cast<Eigen::Index>(m_space.embedding().wordCount());
        std::vector<Row> rows;
        for (Eigen::Index row = 0; row < words; ++row) {
            rows.push_back(static_cast<Row>(row));
        }
        TiledRows scores;
        wordScores(m_poincare, rows, 1, {}, scores);
        DirectionBatch batch;
        projectDirections(m_poincare, directions(), 1, {}, batch);
        m_values = RowMatrixD::Zero(words, words);
        PoincareSearch search(m_poincare);
        for (Eigen::Index word = 0; word < words; ++word) {
            search.setWord(static_cast<Row>(word), scores, word);
            for (Eigen::Index direction = 0; direction < batch.directions.rows(); ++direction) {
                search.setDraw(batch, direction);
                followRay(search, m_values.row(word).data());
            }
        }
        m_values /= static_cast<double>(batch.directions.rows());
    }

    void followRay(PoincareSearch& search, double* shares) const {
        Row output = outputAt(search, m_radii.front());
        for (std::size_t i = 1; i < m_tails.size(); ++i) {
            const Row next = outputAt(search, m_radii[i]);
            split(search, m_tails[i - 1], output, m_tails[i], next, shares);
            output = next;
        }
        shares[output] += m_tails.back();
    }

    static Row outputAt(PoincareSearch& search, double radius) {
        return search.space().rowAt(search.nearest(radius));
    }

    void split(PoincareSearch& search, double high, Row atHigh, double low, Row atLow,
               double* shares) const {
        if (atHigh == atLow) {
            shares[atHigh] += high - low;
        } else if (high - low < 1e-6 * high) {
            shares[atHigh] += 0.5 * (high - low);
            shares[atLow] += 0.5 * (high - low);
        } else {
            const double middle = 0.5 * (high + low);
            const Row output = outputAt(search, m_radius(middle));
            split(search, high, atHigh, middle, output, shares);
            split(search, middle, output, low, atLow, shares);
        }
    }

    RadiusOfTail m_radius;
    SearchSpace m_space;
    PoincareSpace m_poincare;
    std::vector<double> m_tails;
    std::vector<double> m_radii;
    RowMatrixD m_values;
};

/// Words on a line: two close together, one far behind each.
RowMatrixF lineOfWords() {
    return (RowMatrixF(4, 1) << onAxis(0.0), onAxis(0.6), onAxis(4.6), onAxis(-4.0)).finished();
}

/// Words of the plane: two close together, one far behind them, and some around.
RowMatrixF planeOfWords() {
    RowMatrixF vectors(5, 2);
    vectors << onAxis(0.0), 0.0F, onAxis(0.6), 0.0F, onAxis(4.6), 0.0F, 0.1F, 0.7F, -0.5F, -0.4F;
    return vectors;
}

double boundOf(RadialLaw law, std::int64_t dimensions, double epsilon) {
    const auto handle = test::toyEmbedding(test::poincareVectors(2, dimensions, 0.5, 1));
    return mechanism::HyperbolicNoise::create(*handle, law)->guarantee(epsilon).bound;
}

// What the quadrature over directions may be off by, relative to a loss.
constexpr double kTolerance = 2e-3;

}  // namespace

TEST_CASE("Probabilities of all outputs add up to 1") {
    const OutputProbabilities plane(planeOfWords(), radiusOf(RadialLaw::eq7, 2, 1.0));
    const VectorD sums = plane.values().rowwise().sum();
    CHECK((sums.array() - 1.0).abs().maxCoeff() < 1e-10);
}

TEST_CASE("Möbius noise loses no more than its bound and comes close to it") {
    const RadialLaw law = GENERATE(RadialLaw::riemannian, RadialLaw::eq7);
    const double excess = GENERATE(0.5, 2.0);
    const double lineEpsilon = excess + numeric::epsilonBound(law, 1);
    const double line =
        OutputProbabilities(lineOfWords(), radiusOf(law, 1, lineEpsilon)).largestLoss();
    const double planeEpsilon = excess + numeric::epsilonBound(law, 2);
    const double plane =
        OutputProbabilities(planeOfWords(), radiusOf(law, 2, planeEpsilon)).largestLoss();
    CAPTURE(excess, line, plane);
    CHECK(line <= boundOf(law, 1, lineEpsilon) * (1.0 + kTolerance));
    CHECK(plane <= boundOf(law, 2, planeEpsilon) * (1.0 + kTolerance));
    CHECK(line >= boundOf(law, 1, lineEpsilon) * 0.9);
    CHECK(plane >= boundOf(law, 2, planeEpsilon) * 0.9);
}

TEST_CASE("Eq7 loses more than epsilon per unit of distance") {
    const double epsilon = GENERATE(0.5, 2.0);
    const double loss =
        OutputProbabilities(planeOfWords(), radiusOf(RadialLaw::eq7, 2, epsilon)).largestLoss();
    CHECK(loss > epsilon + 1.5);
}

TEST_CASE("The audit notices noise that is too small for its claim") {
    constexpr double kEpsilon = 2.0;
    const double claim = boundOf(RadialLaw::riemannian, 2, kEpsilon);
    const RadiusOfTail right = radiusOf(RadialLaw::riemannian, 2, kEpsilon);
    const auto lossOf = [](const RadiusOfTail& radius) {
        return OutputProbabilities(planeOfWords(), radius).largestLoss();
    };
    REQUIRE(lossOf(right) <= claim * (1.0 + kTolerance));
    // A scale 10% too small, the law of one dimension less, and eq7 under the same claim.
    CHECK(lossOf([&](double tail) { return 0.9 * right(tail); }) > 1.05 * claim);
    CHECK(lossOf(radiusOf(RadialLaw::riemannian, 1, kEpsilon)) > 1.05 * claim);
    CHECK(lossOf(radiusOf(RadialLaw::eq7, 2, kEpsilon)) > 1.05 * claim);
}

TEST_CASE("Two words at distance 1 under eq7 in ten dimensions differ by 2.59, not by 1") {
    // The cell of the other word is a half-space at distance 1/2: the noise enters it where
    // tanh r cos(angle) > tanh 1/2, and cos(angle) exceeds a with probability
    // I_{1 - a^2}((m - 1)/2, 1/2) / 2.
    constexpr std::int64_t m = 10;
    const RadiusOfTail radius = radiusOf(RadialLaw::eq7, m, 1.0);
    constexpr int kSteps = 20000;
    double moved = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        const double cosine = std::tanh(0.5) / std::tanh(radius((i + 0.5) / kSteps));
        if (cosine < 1.0) {
            moved += 0.5 * boost::math::ibeta(0.5 * (m - 1), 0.5, 1.0 - cosine * cosine) / kSteps;
        }
    }
    const double loss = std::log((1.0 - moved) / moved);
    // Another program, by six million Möbius sums of random points: 2.5887 +- 0.0016.
    CHECK(loss == Approx(2.5887).margin(0.005));
    CHECK(loss <= boundOf(RadialLaw::eq7, m, 1.0));
}
