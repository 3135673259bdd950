#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/embedding/decompressor.h"
#include "core/embedding/raw_input.h"

struct z_stream_s;

namespace epsilens::embedding {

/// Decompresses gzip data, of one member or several, by zlib: unlike libarchive it holds every
/// member against its CRC-32 and length (RFC 1952, 2.3.1).
class GzipReader final : public Decompressor {
public:
    /// raw    must outlive the reader
    /// start  bytes already taken from raw
    /// Fails with resourceLimit.
    [[nodiscard]] static Result<std::unique_ptr<GzipReader>> open(RawInput& raw, std::string start);

    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size) override;

private:
    enum class Place { inMember, betweenMembers, inPadding, atEnd };
    struct StreamDeleter {
        void operator()(z_stream_s* stream) const;
    };

    GzipReader(RawInput& raw, std::string start);
    /// The next stored bytes, where none are left.
    [[nodiscard]] Result<void> refill();
    /// From the end of a member to the next one, or to the end of the file.
    [[nodiscard]] Result<void> leaveMember();
    /// Returns the number of bytes put into the target, be it 0.
    [[nodiscard]] Result<std::size_t> inflateSome(char* target, std::size_t size);

    RawInput& m_raw;
    std::string m_start;
    std::vector<unsigned char> m_buffer;
    std::unique_ptr<z_stream_s, StreamDeleter> m_stream;
    Place m_place = Place::inMember;
    bool m_rawEnded = false;
};

}  // namespace epsilens::embedding
