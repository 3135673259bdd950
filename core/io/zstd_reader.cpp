#include "core/io/zstd_reader.h"

#include <cstdint>

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

constexpr auto kFrameSignature = "\x28\xb5\x2f\xfd"sv;
constexpr auto kSkippableSignature = "\x2a\x4d\x18"sv;  ///< behind a byte from 0x50 to 0x5f
constexpr std::size_t kLongestHeader = 18;
/// The decoder's tables, and a block of 128 KB before and behind it.
constexpr double kBesideWindow = 1 << 20;
constexpr const char* kSmallerWindow =
    "unpack the file, or compress it again without --long and --ultra";

bool isSkippable(std::string_view frame) {
    return frame.size() > 1 && (static_cast<unsigned char>(frame.front()) & 0xf0U) == 0x50 &&
           frame.substr(1).starts_with(kSkippableSignature);
}

/// Bytes of the window that the header of a frame asks for (RFC 8878, 3.1.1.1); 0 when the header
/// is cut off or damaged, which the decoder tells.
std::uint64_t windowBytes(std::string_view frame) {
    constexpr std::size_t kDescriptorAt = 4;
    constexpr unsigned kSingleSegment = 0x20;
    if (frame.size() < kDescriptorAt + 2) {
        return 0;
    }
    if ((static_cast<unsigned char>(frame[kDescriptorAt]) & kSingleSegment) != 0) {
        const std::uint64_t size = ZSTD_getFrameContentSize(frame.data(), frame.size());
        return size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
    }
    const auto window = static_cast<unsigned char>(frame[kDescriptorAt + 1]);
    const std::uint64_t base = std::uint64_t{1} << (10U + (window >> 3U));
    return base + base / 8 * (window & 7U);
}

}  // namespace

void ZstdReader::ContextDeleter::operator()(ZSTD_DCtx_s* context) const {
    ZSTD_freeDCtx(context);
}

ZstdReader::ZstdReader(RawInput& raw, std::string_view start, const MemoryBudget& budget)
    : StreamDecompressor(raw, start, "zstd"), m_budget(budget), m_context(ZSTD_createDCtx()) {}

Result<std::unique_ptr<ZstdReader>> ZstdReader::open(RawInput& raw, std::string_view start,
                                                     const MemoryBudget& budget) {
    std::unique_ptr<ZstdReader> reader(new ZstdReader(raw, start, budget));
    if (!reader->m_context) {
        return noMemoryToDecompress();
    }
    const int largest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound;
    ZSTD_DCtx_setParameter(reader->m_context.get(), ZSTD_d_windowLogMax, largest);
    return reader;
}

Result<void> ZstdReader::enterFrame() {
    ASSIGN_OR_RETURN(const auto another, anotherFollows());
    if (!another) {
        finish();
        return {};
    }
    ASSIGN_OR_RETURN(const auto frame, stored(kLongestHeader));
    if (!frame.starts_with(kFrameSignature) && !isSkippable(frame)) {
        return isFollowed();
    }
    if (!isSkippable(frame)) {
        const double needed = kBesideWindow + static_cast<double>(windowBytes(frame));
        if (auto reserved =
                m_budget.reserve(needed, "the buffers to decompress the zstd data", kSmallerWindow);
            !reserved) {
            return reserved;
        }
    }
    m_inFrame = true;
    return {};
}

Result<std::size_t> ZstdReader::decode(char* target, std::size_t size) {
    if (!m_inFrame) {
        return enterFrame().map([] { return std::size_t{0}; });
    }
    ASSIGN_OR_RETURN(const auto bytes, stored());
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer out{target, size, 0};
    const std::size_t status = ZSTD_decompressStream(m_context.get(), &out, &in);
    skipStored(in.pos);
    if (ZSTD_isError(status) != 0U) {
        return failure(status);
    }
    m_inFrame = status != 0;
    if (m_inFrame && bytes.empty() && out.pos == 0) {
        return endsTooEarly();
    }
    return out.pos;
}

tl::unexpected<Error> ZstdReader::failure(std::size_t status) const {
    switch (ZSTD_getErrorCode(status)) {
        case ZSTD_error_memory_allocation:
            return noMemoryToDecompress();
        case ZSTD_error_frameParameter_windowTooLarge:
            return fail(ErrorCode::resourceLimit,
                        fmt::format("the zstd data has a larger window than can be read; {}",
                                    kSmallerWindow));
        default:
            return damaged(ZSTD_getErrorName(status));
    }
}

}  // namespace epsilens::io
