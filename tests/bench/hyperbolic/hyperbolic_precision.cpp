// Where precision dies near the edge of the Poincaré ball: the words that change when scores are
// formed as float32 or float64 Minkowski products instead of by the ratio form, and when vectors
// are rounded from the decimals of their file to float32.
//
// usage: hyperbolic-precision WORD2VEC_TEXT [DRAWS]

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/embedding/load.h"
#include "core/engine/hyperbolic_series.h"
#include "core/engine/poincare_search.h"
#include "core/mechanism/unit_draws.h"
#include "core/metric/poincare_distance.h"
#include "tests/support/poincare_reference.h"

using namespace epsilens;
using engine::Row;

namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The vectors of a word2vec text file as float64, rows in file order.
RowMatrixD readDecimals(const char* path) {
    std::ifstream file(path);
    Eigen::Index rows = 0;
    Eigen::Index columns = 0;
    file >> rows >> columns;
    RowMatrixD vectors(rows, columns);
    std::string field;
    for (Eigen::Index row = 0; row < rows; ++row) {
        file >> field;
        for (Eigen::Index k = 0; k < columns; ++k) {
            file >> field;
            vectors(row, k) = std::strtod(field.c_str(), nullptr);
        }
    }
    return vectors;
}

/// Lorentz coordinates of each row, height first.
template <typename T>
Matrix<T> lorentz(const RowMatrixD& vectors) {
    Matrix<T> points(vectors.rows(), vectors.cols() + 1);
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        const Eigen::Matrix<T, 1, Eigen::Dynamic> x = vectors.row(row).cast<T>();
        const T squared = x.squaredNorm();
        points(row, 0) = (T{1} + squared) / (T{1} - squared);
        points.row(row).tail(x.size()) = x * (T{2} / (T{1} - squared));
    }
    return points;
}

/// Row with the least -<u, v> for v = exp_w(r xi), all in T.
template <typename T>
Row nearestByProducts(const Matrix<T>& points, Row word, const VectorD& direction, double radius) {
    const Eigen::Index m = direction.size();
    const Eigen::Matrix<T, 1, Eigen::Dynamic> w = points.row(word);
    const Eigen::Matrix<T, 1, Eigen::Dynamic> xi = direction.transpose().cast<T>();
    const T c = w.tail(m).dot(xi) / (T{1} + w[0]);
    Eigen::Matrix<T, 1, Eigen::Dynamic> carried = c * w;
    carried[0] += c;
    carried.tail(m) += xi;
    const Eigen::Matrix<T, 1, Eigen::Dynamic> v = w + std::tanh(static_cast<T>(radius)) * carried;
    Eigen::Matrix<T, Eigen::Dynamic, 1> scores =
        points.col(0) * v[0] - points.rightCols(m) * v.tail(m).transpose();
    Eigen::Index nearest = 0;
    scores.minCoeff(&nearest);
    return static_cast<Row>(nearest);
}

/// Row nearest by the ratio form in float64, the noise placed at the word's vector in `vectors`.
Row nearestByRatio(const RowMatrixD& vectors, const VectorD& gaps, Row word,
                   const VectorD& direction, double radius) {
    const auto point = test::textbookNoisyPoint(vectors.row(word).transpose().cast<long double>(),
                                                direction.cast<long double>(), radius);
    const Eigen::RowVectorXd v = point.transpose().cast<double>();
    const VectorD squared = (vectors.rowwise() - v).rowwise().squaredNorm();
    Eigen::Index nearest = 0;
    squared.cwiseQuotient(gaps).minCoeff(&nearest);
    return static_cast<Row>(nearest);
}

VectorD gapsOf(const RowMatrixD& vectors) {
    VectorD gaps(vectors.rows());
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        gaps[row] = static_cast<double>(1.0L - vectors.row(row).cast<long double>().squaredNorm());
    }
    return gaps;
}

/// Decisions that differ from 80-bit brute force on the stored float32 vectors.
struct Differences {
    std::atomic<std::int64_t> decisions{0};
    std::atomic<std::int64_t> search{0};
    std::atomic<std::int64_t> doubleProducts{0};
    std::atomic<std::int64_t> floatProducts{0};
    std::atomic<std::int64_t> storage{0};
};

void compare(const engine::SearchSpace& space, const RowMatrixD& decimals, double epsilon,
             std::int64_t draws, Differences& differences) {
    const auto handle = engine::HyperbolicSeries::create(space, mechanism::RadialLaw::eq7).value();
    const RowMatrixF& stored = space.embedding().vectors();
    const auto floatPoints = lorentz<float>(stored.cast<double>());
    const auto doublePoints = lorentz<double>(stored.cast<double>());
    const VectorD gaps = gapsOf(decimals);
    const auto law =
        dynamic_cast<const engine::HyperbolicSeries&>(*handle).noise().radiusAt(epsilon);
    const engine::DrawSource source{11, StreamPurpose::unitDraws, 0};
    const mechanism::UnitDraws units =
        mechanism::unitDraws(source.seed, source.purpose, source.block, 0, draws, stored.cols());
    std::vector<Row> words(static_cast<std::size_t>(stored.rows()));
    std::iota(words.begin(), words.end(), 0);
    const std::vector<double> epsilons{epsilon};
    const JobContext job;
    const auto batch = handle->batch(epsilons, 0, job);
    batch->setWords(words);
    batch->setDraws(source, 0, draws);
    parallelFor(stored.rows(), 0, [&](std::int64_t index) {
        const auto word = static_cast<Row>(index);
        const auto search = batch->search();
        search->setWord(index);
        for (std::int64_t draw = 0; draw < draws; ++draw) {
            search->setDraw(0, draw);
            const VectorD direction = units.directions.row(draw).transpose();
            const double radius = law->quantile(units.quantiles[draw]);
            const Row exact = test::bruteForcePoincareNearest(stored, word, direction, radius);
            const Row found = space.rowAt(search->nearest(0, search->wordPosition()));
            ++differences.decisions;
            differences.search += found != exact ? 1 : 0;
            differences.doubleProducts +=
                nearestByProducts(doublePoints, word, direction, radius) != exact ? 1 : 0;
            differences.floatProducts +=
                nearestByProducts(floatPoints, word, direction, radius) != exact ? 1 : 0;
            differences.storage +=
                nearestByRatio(decimals, gaps, word, direction, radius) != exact ? 1 : 0;
        }
    });
}

/// How far float32 storage moves the distances of the words beyond a norm.
void printMoves(const RowMatrixD& decimals, const RowMatrixF& stored) {
    const VectorD gaps = gapsOf(decimals);
    for (const double norm : {0.0, 0.99, 0.999, 0.9995}) {
        double largest = 0.0;
        std::int64_t words = 0;
        for (Eigen::Index a = 0; a < decimals.rows(); ++a) {
            if (decimals.row(a).norm() < norm) {
                continue;
            }
            ++words;
            for (Eigen::Index b = 0; b < decimals.rows(); ++b) {
                const double exact = metric::distanceOfExcess(metric::coshExcess(
                    (decimals.row(a) - decimals.row(b)).squaredNorm(), gaps[a], gaps[b]));
                const double rounded = metric::poincareDistance(
                    stored.row(a).data(), stored.row(b).data(), stored.cols());
                largest = std::max(largest, std::fabs(exact - rounded));
            }
        }
        fmt::print("norm >= {:<6} {:>5} words, distances moved by at most {:.1e}\n", norm, words,
                   largest);
    }
}

/// What rounding a coordinate close to 1 by half a float32 step does to 1 - ||x||^2, relatively,
/// and so to d_H, absolutely.
void printRounding() {
    for (const double outside : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
        fmt::print("1 - norm = {:<6g} float32 storage moves d_H by up to {:.0e}\n", outside,
                   0x1p-25 / outside);
    }
}

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 2) {
        fmt::print(stderr, "usage: hyperbolic-precision WORD2VEC_TEXT [DRAWS]\n");
        return 2;
    }
    embedding::LoadOptions options;
    options.path = arguments[1];
    const auto handle = embedding::openAndPrepare(options);
    if (!handle) {
        fmt::print(stderr, "{}\n", handle.error().message);
        return 1;
    }
    const engine::SearchSpace space(*handle);
    const RowMatrixD decimals = readDecimals(arguments[1]);
    const std::int64_t draws = argumentCount > 2 ? std::atoll(arguments[2]) : 20;
    fmt::print(
        "{}, {} draws per word, eq7; share of words that differ from 80-bit "
        "brute force on the stored vectors\n",
        (*handle)->embedding.name, draws);
    for (const double epsilon : {0.125, 1.0, 8.0, 30.0}) {
        Differences differences;
        compare(space, decimals, epsilon, draws, differences);
        const auto share = [&](std::int64_t count) {
            return static_cast<double>(count) / static_cast<double>(differences.decisions);
        };
        fmt::print(
            "ε = {:<6g} {} decisions: search {:.1e}, float64 Minkowski products {:.1e}, "
            "float32 Minkowski products {:.1e}, vectors before rounding to float32 {:.1e}\n",
            epsilon, differences.decisions.load(), share(differences.search),
            share(differences.doubleProducts), share(differences.floatProducts),
            share(differences.storage));
    }
    printMoves(decimals, (*handle)->vectors());
    printRounding();
    return 0;
}
