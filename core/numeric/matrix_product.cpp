#include "core/numeric/matrix_product.h"

#include <cblas-openblas.h>

namespace epsilens::numeric {
namespace {

// The tasks of parallelFor are the only parallelism: a threaded BLAS inside them oversubscribes.
void useOneBlasThread() {
    static const bool done = [] {
        openblas_set_num_threads(1);
        return true;
    }();
    static_cast<void>(done);
}

blasint narrow(std::int64_t size) {
    return static_cast<blasint>(size);
}

void multiplyDoubles(CBLAS_TRANSPOSE transposeB, const double* a, std::int64_t rows,
                     const double* b, std::int64_t columns, std::int64_t inner,
                     std::int64_t strideB, double* result, std::int64_t stride) {
    if (rows == 0 || columns == 0) {
        return;
    }
    useOneBlasThread();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, transposeB, narrow(rows), narrow(columns),
                narrow(inner), 1.0, a, narrow(inner), b, narrow(strideB), 0.0, result,
                narrow(stride));
}

}  // namespace

void multiplyTransposed(const float* a, std::int64_t rows, const float* b, std::int64_t columns,
                        std::int64_t inner, float factor, float* result, std::int64_t stride) {
    if (rows == 0 || columns == 0) {
        return;
    }
    useOneBlasThread();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(rows), narrow(columns),
                narrow(inner), factor, a, narrow(inner), b, narrow(inner), 0.0F, result,
                narrow(stride));
}

void multiply(const double* a, std::int64_t rows, const double* b, std::int64_t columns,
              std::int64_t inner, double* result) {
    multiplyDoubles(CblasNoTrans, a, rows, b, columns, inner, columns, result, columns);
}

void multiplyTransposed(const double* a, std::int64_t rows, const double* b, std::int64_t columns,
                        std::int64_t inner, double* result) {
    multiplyDoubles(CblasTrans, a, rows, b, columns, inner, inner, result, columns);
}

void multiplyTransposed(const double* a, std::int64_t rows, const double* b, std::int64_t columns,
                        std::int64_t inner, double* result, std::int64_t stride) {
    multiplyDoubles(CblasTrans, a, rows, b, columns, inner, inner, result, stride);
}

void addGramUpper(const double* rows, std::int64_t count, std::int64_t columns, double* sum) {
    if (count == 0 || columns == 0) {
        return;
    }
    useOneBlasThread();
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, narrow(columns), narrow(count), 1.0, rows,
                narrow(columns), 1.0, sum, narrow(columns));
}

}  // namespace epsilens::numeric
