#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "core/base/error.h"
#include "core/io/raw_input.h"

namespace epsilens::io {

/// The content of a compressed file, from its beginning to its end. Takes no more memory than a
/// window of 128 MiB needs, whatever the file asks for.
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

/// gzip   of one member or several, by zlib: unlike libarchive it holds every member against its
///        CRC-32 and length (RFC 1952, 2.3.1)
/// xz     of one stream or several, by liblzma: libarchive takes dictionaries of up to 1 GiB
/// other  the single file inside bzip2, zstd or zip data, by libarchive
///
/// raw          must outlive the decompressor
/// start        bytes already taken from raw
/// compression  as ByteSource::compression
/// Fails with resourceLimit, and with badFile for a zip file without a file.
[[nodiscard]] Result<std::unique_ptr<Decompressor>> openCompressed(RawInput& raw,
                                                                   std::string_view start,
                                                                   std::string_view compression);

}  // namespace epsilens::io
