#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "core/base/error.h"
#include "core/io/memory_limit.h"
#include "core/io/raw_input.h"
#include "core/io/stream_decompressor.h"

struct ZSTD_DCtx_s;

namespace epsilens::io {

/// Decompresses zstd data, of one frame or several, by libzstd: unlike libarchive it takes windows
/// of up to 2 GB (zstd --long=31), but only when the memory budget has room for them.
class ZstdReader final : public StreamDecompressor {
public:
    /// raw    must outlive the reader
    /// start  bytes already taken from raw
    /// Fails with resourceLimit.
    [[nodiscard]] static Result<std::unique_ptr<ZstdReader>> open(RawInput& raw,
                                                                  std::string_view start,
                                                                  const MemoryBudget& budget);

private:
    struct ContextDeleter {
        void operator()(ZSTD_DCtx_s* context) const;
    };

    ZstdReader(RawInput& raw, std::string_view start, const MemoryBudget& budget);
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;
    /// To the begin of a frame whose window fits, or to the end of the file.
    [[nodiscard]] Result<void> enterFrame();
    [[nodiscard]] tl::unexpected<Error> failure(std::size_t status) const;

    MemoryBudget m_budget;
    std::unique_ptr<ZSTD_DCtx_s, ContextDeleter> m_context;
    bool m_inFrame = false;
};

}  // namespace epsilens::io
