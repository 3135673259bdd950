#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "core/base/error.h"
#include "core/io/memory_limit.h"
#include "core/io/raw_input.h"
#include "core/io/stream_decompressor.h"

namespace epsilens::io {

/// Decompresses xz data, of one stream or several, by liblzma: unlike libarchive it takes a
/// dictionary, of up to 4 GB, only when the memory budget has room for it.
class XzReader final : public StreamDecompressor {
public:
    /// raw    must outlive the reader
    /// start  bytes already taken from raw
    /// Fails with resourceLimit.
    [[nodiscard]] static Result<std::unique_ptr<XzReader>> open(RawInput& raw,
                                                                std::string_view start,
                                                                const MemoryBudget& budget);
    ~XzReader() override;
    XzReader(const XzReader&) = delete;
    XzReader& operator=(const XzReader&) = delete;

private:
    struct Stream;

    XzReader(RawInput& raw, std::string_view start, const MemoryBudget& budget);
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;
    /// Goes by what liblzma said of its last piece of work, `status` being a lzma_ret.
    [[nodiscard]] Result<void> heed(int status);
    [[nodiscard]] Result<void> allowMemory();

    MemoryBudget m_budget;
    std::unique_ptr<Stream> m_stream;
};

}  // namespace epsilens::io
