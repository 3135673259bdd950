#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/decompressor.h"
#include "core/io/raw_input.h"

namespace epsilens::io {

/// Decompresses one stream of data, or several behind each other, by a library that is given the
/// stored bytes piece by piece.
class StreamDecompressor : public Decompressor {
public:
    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size) final;

protected:
    /// raw          must outlive the decompressor
    /// start        bytes already taken from raw
    /// compression  as ByteSource::compression
    StreamDecompressor(RawInput& raw, std::string_view start, std::string_view compression);

    /// Puts what it can into the target, by one call of the library; returns the number of bytes,
    /// be it 0. Calls finish at the end.
    [[nodiscard]] virtual Result<std::size_t> decode(char* target, std::size_t size) = 0;

    /// The next stored bytes in one piece, `least` of them if so many are left.
    [[nodiscard]] Result<std::string_view> stored(std::size_t least = 1);
    void skipStored(std::size_t size);
    /// Between two streams: whether another one follows, rather than the end of the file or zeros
    /// up to there, as tapes and block devices pad with. Fails with badFile when something follows
    /// zeros.
    [[nodiscard]] Result<bool> anotherFollows();
    void finish() { m_atEnd = true; }

    [[nodiscard]] tl::unexpected<Error> damaged(std::string_view reason) const;
    [[nodiscard]] tl::unexpected<Error> endsTooEarly() const;
    [[nodiscard]] tl::unexpected<Error> isFollowed() const;

private:
    [[nodiscard]] std::string_view left() const { return {m_buffer.data() + m_begin, m_size}; }

    RawInput& m_raw;
    std::string_view m_compression;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;  ///< of the bytes that are left in the buffer
    std::size_t m_size = 0;   ///< number of these
    bool m_rawEnded = false;
    bool m_atEnd = false;
};

}  // namespace epsilens::io
