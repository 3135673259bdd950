#include "core/embedding/outlying_norms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace epsilens::embedding {
namespace {

constexpr double kTimesMedian = 20.0;
}  // namespace

OutlyingNorms outlyingNorms(const VectorD& squaredNorms) {
    std::vector<double> squares;
    std::copy_if(squaredNorms.begin(), squaredNorms.end(), std::back_inserter(squares),
                 [](double square) { return square > 0.0; });
    OutlyingNorms result;
    if (squares.empty()) {
        return result;
    }
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>((squares.size() - 1) / 2);
    std::nth_element(squares.begin(), middle, squares.end());
    result.median = std::sqrt(*middle);
    const double most = kTimesMedian * kTimesMedian * *middle;
    for (Eigen::Index row = 0; row < squaredNorms.size(); ++row) {
        if (squaredNorms[row] > most) {
            result.rows.push_back(static_cast<Row>(row));
        }
    }
    std::stable_sort(result.rows.begin(), result.rows.end(),
                     [&](Row a, Row b) { return squaredNorms[a] < squaredNorms[b]; });
    return result;
}

}  // namespace epsilens::embedding
