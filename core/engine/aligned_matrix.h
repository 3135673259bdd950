#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace epsilens::engine {

/// Matrix whose rows start on vector boundaries. The contents are undefined until written.
template <typename T>
class AlignedMatrixOf {
public:
    static constexpr std::size_t kAlignment = 64;
    static constexpr std::size_t kLargePage = std::size_t{2} << 20;

    AlignedMatrixOf() = default;
    /// stride  numbers per row, a multiple of kAlignment / sizeof(T). Throws std::bad_alloc.
    AlignedMatrixOf(std::int64_t rows, std::int64_t stride)
        : m_rows(rows), m_stride(stride), m_values(allocate(rows * stride)) {}

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t stride() const { return m_stride; }
    [[nodiscard]] T* row(std::int64_t index) { return m_values.get() + index * m_stride; }
    [[nodiscard]] const T* row(std::int64_t index) const {
        return m_values.get() + index * m_stride;
    }

private:
    struct Free {
        void operator()(T* values) const { std::free(values); }
    };
    using Values = std::unique_ptr<T[], Free>;

    // Searches jump between rows; large pages avoid a page-table walk at every jump.
    static Values allocate(std::int64_t count) {
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
        const std::size_t alignment = bytes >= kLargePage ? kLargePage : kAlignment;
        const std::size_t rounded = std::max(bytes, std::size_t{1}) + alignment - 1;
        Values values(
            static_cast<T*>(std::aligned_alloc(alignment, rounded / alignment * alignment)));
        if (!values) {
            throw std::bad_alloc();
        }
        if (alignment == kLargePage) {
            madvise(values.get(), bytes, MADV_HUGEPAGE);
        }
        return values;
    }

    std::int64_t m_rows = 0;
    std::int64_t m_stride = 0;
    Values m_values{};
};

using AlignedMatrix = AlignedMatrixOf<float>;

}  // namespace epsilens::engine
