#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "core/base/error.h"
#include "core/io/raw_input.h"
#include "core/io/stream_decompressor.h"

struct z_stream_s;

namespace epsilens::io {

/// Decompresses gzip data, of one member or several, by zlib: unlike libarchive it holds every
/// member against its CRC-32 and length (RFC 1952, 2.3.1).
class GzipReader final : public StreamDecompressor {
public:
    /// raw    must outlive the reader
    /// start  bytes already taken from raw
    /// Fails with resourceLimit.
    [[nodiscard]] static Result<std::unique_ptr<GzipReader>> open(RawInput& raw,
                                                                  std::string_view start);

private:
    struct StreamDeleter {
        void operator()(z_stream_s* stream) const;
    };

    GzipReader(RawInput& raw, std::string_view start);
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;
    /// From the end of a member to the next one, or to the end of the file.
    [[nodiscard]] Result<void> leaveMember();

    std::unique_ptr<z_stream_s, StreamDeleter> m_stream;
    bool m_inMember = true;
};

}  // namespace epsilens::io
