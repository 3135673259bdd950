#include "core/numeric/matrix_product.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

#include <cblas-openblas.h>
#include <sys/mman.h>

namespace epsilens::numeric {
namespace {

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

/// Lets as many products run at a time as there are buffers for: OpenBLAS asks for the memory of
/// one more again and again, for ever. Every thread adds a buffer if the system gives it; threads
/// beyond that take turns.
class Buffers {
public:
    // The tasks of parallelFor are the only parallelism: a threaded BLAS inside them
    // oversubscribes.
    Buffers() { openblas_set_num_threads(1); }
    /// Throws std::bad_alloc where there is no memory for a single one.
    void take() {
        std::unique_lock lock(m_mutex);
        thread_local bool hasAsked = false;
        if (!hasAsked && canMapBuffers(m_granted + 1)) {
            ++m_granted;
            ++m_free;
        } else if (m_granted == 0) {
            throw std::bad_alloc();
        }
        hasAsked = true;
        m_given.wait(lock, [this] { return m_free > 0; });
        --m_free;
    }
    void give() {
        const std::lock_guard lock(m_mutex);
        ++m_free;
        m_given.notify_one();
    }

private:
    std::mutex m_mutex{};
    std::condition_variable m_given{};
    std::size_t m_granted = 0;
    std::size_t m_free = 0;
};

/// To be held during every call of BLAS.
class Turn {
public:
    Turn() { buffers().take(); }
    ~Turn() { buffers().give(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    static Buffers& buffers() {
        static Buffers all;
        return all;
    }
};

blasint narrow(std::int64_t size) {
    return static_cast<blasint>(size);
}

}  // namespace

void multiplyTransposed(const float* a, std::int64_t rows, const float* b, std::int64_t columns,
                        std::int64_t inner, float factor, float* result, std::int64_t stride) {
    if (rows == 0 || columns == 0) {
        return;
    }
    const Turn turn;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(rows), narrow(columns),
                narrow(inner), factor, a, narrow(inner), b, narrow(inner), 0.0F, result,
                narrow(stride));
}

void multiplyTransposed(const double* a, std::int64_t rows, const double* b, std::int64_t columns,
                        std::int64_t inner, double factor, double* result, std::int64_t stride) {
    if (rows == 0 || columns == 0) {
        return;
    }
    const Turn turn;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(rows), narrow(columns),
                narrow(inner), factor, a, narrow(inner), b, narrow(inner), 0.0, result,
                narrow(stride));
}

void multiply(const double* a, std::int64_t rows, const double* b, std::int64_t columns,
              std::int64_t inner, double* result) {
    if (rows == 0 || columns == 0) {
        return;
    }
    const Turn turn;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, narrow(rows), narrow(columns),
                narrow(inner), 1.0, a, narrow(inner), b, narrow(columns), 0.0, result,
                narrow(columns));
}

void addGramUpper(const double* rows, std::int64_t count, std::int64_t columns, double* sum) {
    if (count == 0 || columns == 0) {
        return;
    }
    const Turn turn;
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, narrow(columns), narrow(count), 1.0, rows,
                narrow(columns), 1.0, sum, narrow(columns));
}

}  // namespace epsilens::numeric
