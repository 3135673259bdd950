#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/load.h"
#include "core/io/byte_source.h"

namespace epsilens::embedding {

/// What a file turned out to be.
struct DetectedFormat {
    FileFormat format = FileFormat::gloveText;
    std::int64_t dimensions = 0;                  ///< m; 0 for fastText, whose reader finds it
    std::optional<std::int64_t> announcedRows{};  ///< by the header, which may be wrong
    std::size_t headerBytes = 0;                  ///< byte order mark and header line with its end
    double bytesPerRow = 0.0;                     ///< of a text, from its first lines; 0 if unknown
};

/// First line "rows dimensions" of the word2vec formats.
struct Word2vecHeader {
    std::int64_t rows = 0;
    std::int64_t dimensions = 0;
    std::size_t bytes = 0;  ///< with the line end
};

/// Nothing unless the first line consists of two whole numbers. Numbers too large for their type
/// become the largest one.
[[nodiscard]] std::optional<Word2vecHeader> word2vecHeader(std::string_view bytes);

/// Finds the format from the first bytes, which stay in the source; `wanted` forces it.
///
/// The dimension of a text is what most of its first 1,000 lines have. Fails with badFile when this
/// is no embedding, with a message that says why.
[[nodiscard]] Result<DetectedFormat> detectFormat(io::ByteSource& source, InputFormat wanted);

}  // namespace epsilens::embedding
