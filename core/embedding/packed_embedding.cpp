#include "core/embedding/packed_embedding.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <Eigen/Core>

#include "core/io/raw_input.h"

namespace epsilens::embedding {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::string_view kMagic16 = "EPSEMB1\n";
constexpr std::string_view kMagic32 = "EPSEMB2\n";
constexpr std::size_t kHeaderBytes = kMagic16.size() + 3 * sizeof(std::uint32_t);

struct Header {
    std::uint64_t valueBytes = 0;
    std::uint64_t words = 0;
    std::uint64_t dimensions = 0;
    std::uint64_t textBytes = 0;
};

tl::unexpected<Error> damagedSample(std::string_view what) {
    return fail(ErrorCode::internal, fmt::format("the built-in embedding is damaged: {}", what));
}

std::uint64_t uint32At(Bytes bytes, std::size_t position) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(std::uint32_t); ++i) {
        value |= std::uint64_t{bytes[position + i]} << (8 * i);
    }
    return value;
}

float halfAt(Bytes bytes, std::size_t position) {
    const auto bits = static_cast<std::uint16_t>(bytes[position] | bytes[position + 1] << 8);
    return Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits));
}

std::string_view asText(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<Header> readHeader(Bytes bytes) {
    if (bytes.size() < kHeaderBytes) {
        return damagedSample("it does not begin with its header");
    }
    const std::string_view magic = asText(bytes.first(kMagic16.size()));
    if (magic != kMagic16 && magic != kMagic32) {
        return damagedSample("it does not begin with its header");
    }
    const Header header{magic == kMagic16 ? sizeof(std::uint16_t) : sizeof(float),
                        uint32At(bytes, 8), uint32At(bytes, 12), uint32At(bytes, 16)};
    // Divisions, because the product of two 32-bit numbers and 4 may not fit 64 bits.
    const std::uint64_t rest = bytes.size() - kHeaderBytes;
    if (header.words == 0 || header.dimensions == 0 || header.textBytes > rest ||
        (rest - header.textBytes) % (header.valueBytes * header.dimensions) != 0 ||
        (rest - header.textBytes) / (header.valueBytes * header.dimensions) != header.words) {
        return damagedSample("its size differs from what the header says");
    }
    return header;
}

Result<Vocabulary> readWords(std::string_view text, std::uint64_t words) {
    Vocabulary vocabulary;
    vocabulary.reserve(static_cast<std::int64_t>(words), static_cast<std::int64_t>(text.size()));
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == 0 || end == std::string_view::npos || !vocabulary.add(text.substr(0, end))) {
            return damagedSample("a word is empty, cut off or there twice");
        }
        text.remove_prefix(end + 1);
    }
    if (static_cast<std::uint64_t>(vocabulary.size()) != words) {
        return damagedSample("the number of words differs from what the header says");
    }
    return vocabulary;
}

RowMatrixF readVectors(Bytes bytes, const Header& header) {
    RowMatrixF vectors(static_cast<Eigen::Index>(header.words),
                       static_cast<Eigen::Index>(header.dimensions));
    float* const values = vectors.data();
    for (std::size_t i = 0; i < bytes.size() / header.valueBytes; ++i) {
        values[i] = header.valueBytes == sizeof(float)
                        ? std::bit_cast<float>(
                              static_cast<std::uint32_t>(uint32At(bytes, sizeof(float) * i)))
                        : halfAt(bytes, sizeof(std::uint16_t) * i);
    }
    return vectors;
}

}  // namespace

Result<Embedding> readPackedEmbedding(Bytes bytes) {
    const Result<Header> header = readHeader(bytes);
    if (!header) {
        return tl::unexpected(header.error());
    }
    const Bytes text = bytes.subspan(kHeaderBytes, header->textBytes);
    Result<Vocabulary> vocabulary = readWords(asText(text), header->words);
    if (!vocabulary) {
        return tl::unexpected(vocabulary.error());
    }
    Embedding embedding;
    embedding.vocabulary = std::move(*vocabulary);
    embedding.vectors = readVectors(bytes.subspan(kHeaderBytes + header->textBytes), *header);
    if (!embedding.vectors.allFinite()) {
        return damagedSample("a value is not a finite number");
    }
    embedding.report.format = FileFormat::builtIn;
    embedding.report.fileBytes = bytes.size();
    embedding.report.sha256 = io::sha256(bytes.data(), bytes.size());
    return embedding;
}

}  // namespace epsilens::embedding
