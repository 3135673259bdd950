#include "core/numeric/matrix_product.h"

#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

#include <cblas-openblas.h>
#include <sys/mman.h>

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

/// What OpenBLAS maps for each product that runs at a time (its BUFFER_SIZE and a margin).
constexpr std::size_t kBufferBytes = (std::size_t{128} << 20) + (std::size_t{1} << 16);

/// Whether the system would give so many buffers now.
bool canMapBuffers(std::size_t count) {
    std::vector<void*> buffers;
    buffers.reserve(count);
    while (buffers.size() < count) {
        void* const buffer =
            mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (buffer == MAP_FAILED) {
            break;
        }
        buffers.push_back(buffer);
    }
    for (void* const buffer : buffers) {
        munmap(buffer, kBufferBytes);
    }
    return buffers.size() == count;
}

/// Throws std::bad_alloc where there is no memory for the product of another thread: OpenBLAS
/// itself asks for it again and again, for ever. Looked at once per thread, for all threads so far.
void requireBuffer() {
    thread_local bool isCounted = false;
    if (isCounted) {
        return;
    }
    static std::mutex mutex;
    static std::size_t threads = 0;
    const std::lock_guard lock(mutex);
    if (!canMapBuffers(threads + 1)) {
        throw std::bad_alloc();
    }
    ++threads;
    isCounted = true;
}

/// Before every call of BLAS.
void prepareBlas() {
    useOneBlasThread();
    requireBuffer();
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
    prepareBlas();
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
    prepareBlas();
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
    prepareBlas();
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, narrow(columns), narrow(count), 1.0, rows,
                narrow(columns), 1.0, sum, narrow(columns));
}

}  // namespace epsilens::numeric
