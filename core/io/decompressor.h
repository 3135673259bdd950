#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/memory_limit.h"
#include "core/io/raw_input.h"

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

/// Below, raw must outlive the decompressor, and start holds bytes already taken from it. All fail
/// with resourceLimit.

/// Gzip data, of one member or several, by zlib: unlike libarchive it holds every member against
/// its CRC-32 and length (RFC 1952, 2.3.1).
[[nodiscard]] Result<std::unique_ptr<Decompressor>> openGzip(RawInput& raw, std::string_view start);
/// Xz data, of one stream or several, by liblzma: unlike libarchive it takes a dictionary, of up to
/// 4 GB, only when the memory budget has room for it.
[[nodiscard]] Result<std::unique_ptr<Decompressor>> openXz(RawInput& raw, std::string_view start,
                                                           const MemoryBudget& budget);
/// The single file inside a "bzip2", "zstd" or "zip" file, by libarchive, which takes windows of
/// zstd data of up to 128 MiB. Fails with badFile also for a zip file that holds no or several
/// files.
[[nodiscard]] Result<std::unique_ptr<Decompressor>> openArchive(RawInput& raw, std::string start,
                                                                const std::string& compression);

/// What is said of compressed data that cannot be read.
///
/// compression  as ByteSource::compression
[[nodiscard]] tl::unexpected<Error> damagedData(std::string_view compression,
                                                std::string_view reason);
/// What is said when a decompressor gets no memory.
[[nodiscard]] tl::unexpected<Error> noMemoryToDecompress();

}  // namespace epsilens::io
