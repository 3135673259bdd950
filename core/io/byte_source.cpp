#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/pass_on.h"
#include "core/io/decompressor.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kSignatureBytes = 16;

}  // namespace

std::string_view compressionOf(std::string_view bytes) {
    struct Signature {
        std::string_view bytes;
        std::string_view name;
    };
    constexpr std::array kSignatures{
        Signature{"\x1f\x8b\x08"sv, "gzip"sv},
        Signature{"\xfd"
                  "7zXZ\0"sv,
                  "xz"sv},
        Signature{"\x28\xb5\x2f\xfd"sv, "zstd"sv},
        Signature{"PK\x03\x04"sv, "zip"sv},
        Signature{"PK\x05\x06"sv, "zip"sv},
    };
    for (const Signature& signature : kSignatures) {
        if (bytes.starts_with(signature.bytes)) {
            return signature.name;
        }
    }
    // A text file may well begin with "BZh": the digits of pi that follow in bzip2 decide.
    if (bytes.starts_with("BZh"sv) && bytes.substr(std::min<std::size_t>(4, bytes.size()))
                                          .starts_with("\x31\x41\x59\x26\x53\x59"sv)) {
        return "bzip2";
    }
    return {};
}

ByteSource::ByteSource(std::unique_ptr<RawInput> raw) : m_raw(std::move(raw)) {}

ByteSource::~ByteSource() = default;

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string& path, std::stop_token stop,
                                                     const std::optional<MemoryBudget>& budget) {
    ASSIGN_OR_RETURN(auto raw, RawInput::open(path, std::move(stop)));
    std::unique_ptr<ByteSource> source(new ByteSource(std::move(raw)));
    ASSIGN_OR_RETURN(const auto start, source->peek(kSignatureBytes));
    source->m_compression = compressionOf(start);
    if (!source->m_compression.empty()) {
        RETURN_IF_ERROR(source->openContent(budget ? *budget : MemoryBudget(0)));
    }
    return source;
}

Result<void> ByteSource::openContent(const MemoryBudget& budget) {
    const std::string start = std::exchange(m_peeked, {});
    m_peekedStart = 0;
    auto content = m_compression == "gzip" ? openGzip(*m_raw, start)
                   : m_compression == "xz" ? openXz(*m_raw, start, budget)
                                           : openArchive(*m_raw, start, m_compression);
    ASSIGN_OR_RETURN(m_content, std::move(content));
    return {};
}

Result<std::size_t> ByteSource::readSome(char* target, std::size_t size) {
    return m_content ? m_content->read(target, size) : m_raw->read(target, size);
}

Result<std::size_t> ByteSource::read(char* target, std::size_t size) {
    std::size_t filled = std::min(size, m_peeked.size() - m_peekedStart);
    if (filled > 0) {
        std::memcpy(target, m_peeked.data() + m_peekedStart, filled);
        m_peekedStart += filled;
    }
    if (m_peekedStart == m_peeked.size() && !m_peeked.empty()) {
        m_peeked = {};
        m_peekedStart = 0;
    }
    while (filled < size) {
        auto got = readSome(target + filled, size - filled);
        if (!got) {
            return got;
        }
        if (*got == 0) {
            break;
        }
        filled += *got;
    }
    return filled;
}

Result<std::string_view> ByteSource::peek(std::size_t size) {
    m_peeked.erase(0, std::exchange(m_peekedStart, 0));
    std::size_t filled = m_peeked.size();
    if (filled < size) {
        m_peeked.resize(size);
        while (filled < size) {
            ASSIGN_OR_RETURN(const auto got, readSome(m_peeked.data() + filled, size - filled));
            if (got == 0) {
                break;
            }
            filled += got;
        }
        m_peeked.resize(filled);
    }
    return std::string_view(m_peeked).substr(0, size);
}

Result<std::string> ByteSource::finish() {
    return m_raw->finish();
}

std::optional<std::uint64_t> ByteSource::bytesLeft() const {
    if (m_content || !m_raw->size()) {
        return std::nullopt;
    }
    return *m_raw->size() - m_raw->bytesRead() + (m_peeked.size() - m_peekedStart);
}

std::size_t ByteSource::bufferSize(std::size_t largest) const {
    const auto left = bytesLeft();
    return left && *left < largest ? static_cast<std::size_t>(*left) + 1 : largest;
}

double ByteSource::fractionRead() const {
    const auto total = m_raw->size();
    return total && *total > 0
               ? static_cast<double>(m_raw->bytesRead()) / static_cast<double>(*total)
               : 0.0;
}

}  // namespace epsilens::io
