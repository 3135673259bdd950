#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
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

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string& path,
                                                     std::stop_token stop) {
    ASSIGN_OR_RETURN(auto raw, RawInput::open(path, std::move(stop)));
    std::unique_ptr<ByteSource> source(new ByteSource(std::move(raw)));
    ASSIGN_OR_RETURN(const auto start, source->peek(kSignatureBytes));
    source->m_compression = compressionOf(start);
    if (!source->m_compression.empty()) {
        ASSIGN_OR_RETURN(source->m_content,
                         openCompressed(*source->m_raw, start, source->m_compression));
        source->m_peeked.clear();
    }
    return source;
}

Result<std::size_t> ByteSource::readFurther(char* target, std::size_t size) {
    std::size_t filled = 0;
    for (std::size_t got = 1; got > 0 && filled < size; filled += got) {
        char* const to = target + filled;
        ASSIGN_OR_RETURN(
            got, m_content ? m_content->read(to, size - filled) : m_raw->read(to, size - filled));
    }
    return filled;
}

Result<std::size_t> ByteSource::read(char* target, std::size_t size) {
    const std::size_t peeked = m_peeked.copy(target, size);
    m_peeked.erase(0, peeked);
    return readFurther(target + peeked, size - peeked).map([&](std::size_t further) {
        return peeked + further;
    });
}

Result<std::string_view> ByteSource::peek(std::size_t size) {
    if (const std::size_t before = m_peeked.size(); before < size) {
        m_peeked.resize(size);
        const auto further = readFurther(m_peeked.data() + before, size - before);
        m_peeked.resize(before + further.value_or(0));
        RETURN_IF_ERROR(further);
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
    return *m_raw->size() - m_raw->bytesRead() + m_peeked.size();
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
