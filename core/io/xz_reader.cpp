#include "core/io/xz_reader.h"

#include <cstdint>

#include <lzma.h>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

/// Makes the decoder ask before it takes memory for a block of data.
constexpr std::uint64_t kAskAlways = 1;

}  // namespace

struct XzReader::Stream {
    Stream() = default;
    ~Stream() { lzma_end(&state); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    lzma_stream state = LZMA_STREAM_INIT;
};

XzReader::XzReader(RawInput& raw, std::string_view start, const MemoryBudget& budget)
    : StreamDecompressor(raw, start, "xz"),
      m_budget(budget),
      m_stream(std::make_unique<Stream>()) {}

XzReader::~XzReader() = default;

Result<std::unique_ptr<XzReader>> XzReader::open(RawInput& raw, std::string_view start,
                                                 const MemoryBudget& budget) {
    std::unique_ptr<XzReader> reader(new XzReader(raw, start, budget));
    constexpr std::uint32_t kFlags = LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK;
    if (lzma_stream_decoder(&reader->m_stream->state, kAskAlways, kFlags) != LZMA_OK) {
        return noMemoryToDecompress();
    }
    return reader;
}

Result<std::size_t> XzReader::decode(char* target, std::size_t size) {
    ASSIGN_OR_RETURN(const auto bytes, stored());
    lzma_stream& state = m_stream->state;
    state.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    state.avail_in = bytes.size();
    state.next_out = reinterpret_cast<std::uint8_t*>(target);
    state.avail_out = size;
    const lzma_ret status = lzma_code(&state, bytes.empty() ? LZMA_FINISH : LZMA_RUN);
    skipStored(bytes.size() - state.avail_in);
    RETURN_IF_ERROR(heed(status));
    return size - state.avail_out;
}

Result<void> XzReader::heed(int status) {
    switch (status) {
        case LZMA_OK:
            return {};
        case LZMA_STREAM_END:
            finish();
            return {};
        case LZMA_MEMLIMIT_ERROR:
            return allowMemory();
        case LZMA_MEM_ERROR:
            return noMemoryToDecompress();
        case LZMA_BUF_ERROR:
            return damaged("it ends too early, or something short follows it");
        case LZMA_FORMAT_ERROR:
            return isFollowed();
        case LZMA_UNSUPPORTED_CHECK:
        case LZMA_OPTIONS_ERROR:
            return damaged("it asks for a check sum or filter that is not known");
        default:
            return damaged("its check sums do not fit");
    }
}

Result<void> XzReader::allowMemory() {
    const std::uint64_t needed = lzma_memusage(&m_stream->state);
    if (auto reserved = m_budget.reserve(
            static_cast<double>(needed), "the buffers to decompress the xz data",
            "unpack the file, or compress it again with a smaller dictionary, as xz -6 has");
        !reserved) {
        return reserved;
    }
    lzma_memlimit_set(&m_stream->state, needed);
    return {};
}

}  // namespace epsilens::io
