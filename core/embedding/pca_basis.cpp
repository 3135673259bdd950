#include "core/embedding/pca_basis.h"

#include <algorithm>
#include <vector>

#include "core/base/parallel.h"
#include "core/numeric/matrix_product.h"
#include "core/numeric/symmetric_eigen.h"

namespace epsilens::embedding {
namespace {

// Rows are summed in a fixed number of slabs, so that the result does not depend on threads.
constexpr Eigen::Index kSlabs = 8;
constexpr Eigen::Index kRowsAtOnce = 512;
constexpr double kRankTolerance = 1e-10;

// Calls add(first, last, sum) for slabs of rows in parallel and returns the sum of what they add.
template <typename Sum, typename Add>
Sum sumOverSlabs(Eigen::Index rows, int threads, const Sum& zero, const Add& add) {
    std::vector<Sum> sums(kSlabs, zero);
    parallelFor(kSlabs, threads, [&](std::int64_t slab) {
        add(rows * slab / kSlabs, rows * (slab + 1) / kSlabs, sums[static_cast<std::size_t>(slab)]);
    });
    Sum total = zero;
    for (const Sum& sum : sums) {
        total += sum;
    }
    return total;
}

VectorD meanOfRows(const RowMatrixF& vectors, int threads) {
    const VectorD zero = VectorD::Zero(vectors.cols());
    return sumOverSlabs(vectors.rows(), threads, zero,
                        [&](Eigen::Index first, Eigen::Index last, VectorD& sum) {
                            for (Eigen::Index row = first; row < last; ++row) {
                                sum += vectors.row(row).cast<double>().transpose();
                            }
                        }) /
           static_cast<double>(vectors.rows());
}

// Upper triangle of sum_r (v_r - mean)(v_r - mean)^T.
RowMatrixD scatterMatrix(const RowMatrixF& vectors, const VectorD& mean, int threads,
                         const JobContext& job) {
    const Eigen::Index m = vectors.cols();
    const RowMatrixD zero = RowMatrixD::Zero(m, m);
    return sumOverSlabs(
        vectors.rows(), threads, zero, [&](Eigen::Index first, Eigen::Index last, RowMatrixD& sum) {
            RowMatrixD centred(kRowsAtOnce, m);
            for (Eigen::Index row = first; row < last && !job.stopRequested(); row += kRowsAtOnce) {
                const Eigen::Index count = std::min(kRowsAtOnce, last - row);
                centred.topRows(count) = vectors.middleRows(row, count).cast<double>();
                centred.topRows(count).rowwise() -= mean.transpose();
                numeric::addGramUpper(centred.data(), count, m, sum.data());
            }
        });
}

// An eigenvector is defined up to its sign; fixed here so that views do not flip between runs.
void fixSigns(RowMatrixD& axes) {
    for (Eigen::Index axis = 0; axis < axes.cols(); ++axis) {
        Eigen::Index largest = 0;
        axes.col(axis).cwiseAbs().maxCoeff(&largest);
        if (axes(largest, axis) < 0.0) {
            axes.col(axis) *= -1.0;
        }
    }
}

}  // namespace

Eigen::Index PcaBasis::rank() const {
    if (spectrum.size() == 0) {
        return 0;
    }
    const double least = kRankTolerance * spectrum[0];
    return (spectrum.array() >= least && spectrum.array() > 0.0).count();
}

double PcaBasis::varianceShare(Eigen::Index axis) const {
    return spectrum[axis] / static_cast<double>(dimensions());
}

Result<PcaBasis> pcaBasis(const RowMatrixF& vectors, int threads, const JobContext& job) {
    const Eigen::Index m = vectors.cols();
    PcaBasis basis;
    basis.mean = meanOfRows(vectors, threads);
    const RowMatrixD scatter = scatterMatrix(vectors, basis.mean, threads, job);
    RETURN_IF_ERROR(job.checkStop());
    const double divisor = std::max<double>(1.0, static_cast<double>(vectors.rows() - 1));
    basis.totalVariance = scatter.trace() / divisor;

    // Scaling to trace m before the decomposition keeps its relative accuracy for any unit.
    const double trace = scatter.trace();
    const Eigen::MatrixXd scaled = trace > 0.0
                                       ? Eigen::MatrixXd(scatter * (static_cast<double>(m) / trace))
                                       : Eigen::MatrixXd::Zero(m, m);
    const auto [values, eigenvectors] = numeric::symmetricEigen(scaled.transpose());
    basis.spectrum = values.reverse().cwiseMax(0.0);
    basis.axes = eigenvectors.rowwise().reverse();
    fixSigns(basis.axes);
    return basis;
}

RowMatrixF principalCoordinates(const PcaBasis& basis, const RowMatrixF& vectors, int threads) {
    const Eigen::Index m = vectors.cols();
    RowMatrixF coordinates(vectors.rows(), m);
    const Eigen::Index groups = (vectors.rows() + kRowsAtOnce - 1) / kRowsAtOnce;
    parallelFor(groups, threads, [&](std::int64_t group) {
        const Eigen::Index first = group * kRowsAtOnce;
        const Eigen::Index count = std::min(kRowsAtOnce, vectors.rows() - first);
        RowMatrixD centred = vectors.middleRows(first, count).cast<double>();
        centred.rowwise() -= basis.mean.transpose();
        RowMatrixD product(count, m);
        numeric::multiply(centred.data(), count, basis.axes.data(), m, m, product.data());
        coordinates.middleRows(first, count) = product.cast<float>();
    });
    return coordinates;
}

}  // namespace epsilens::embedding
