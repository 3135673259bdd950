#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/error.h"

namespace epsilens::io {

/// The content of a compressed file, from its beginning to its end.
class Decompressor {
public:
    virtual ~Decompressor() = default;
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;

    /// Reads at least one byte unless the end is reached or `size` is 0. Fails with badFile,
    /// resourceLimit or cancelled, at the end also when the compressed data is followed by anything
    /// but zeros.
    [[nodiscard]] virtual Result<std::size_t> read(char* target, std::size_t size) = 0;

protected:
    Decompressor() = default;
};

/// What is said of compressed data that cannot be read.
///
/// compression  as ByteSource::compression
[[nodiscard]] tl::unexpected<Error> damagedData(std::string_view compression,
                                                std::string_view reason);
/// What is said when a decompressor gets no memory.
[[nodiscard]] tl::unexpected<Error> noMemoryToDecompress();

}  // namespace epsilens::io
