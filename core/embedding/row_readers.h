#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/load.h"
#include "core/embedding/row_table.h"
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

/// Finds the format from the first bytes, which stay in the source; `wanted` forces it.
///
/// The dimension of a text is what most of its first 1,000 lines have. Fails with badFile when this
/// is no embedding, with a message that says why.
[[nodiscard]] Result<DetectedFormat> detectFormat(io::ByteSource& source, InputFormat wanted);

/// Reads GloVe or word2vec text into the table. Blank lines are passed over.
///
/// threads  that parse, 0: all; a further one reads ahead
/// Fails with badFile, also when the number of rows is not the announced one; resourceLimit;
/// cancelled.
[[nodiscard]] Result<void> readText(io::ByteSource& source, const DetectedFormat& format,
                                    RowTable& table, int threads, const JobContext& job);

/// Reads a fastText model, layouts up to version 12, not quantised, into the table, whose
/// dimensions it sets. Every size is checked against the bytes left before memory is taken for it.
///
/// A word's vector is the mean of its own row and the rows of its character n-grams, summed in
/// float32 in the order of the word, as fastText does it, so that both give the same bits. The end
/// of a sentence, "</s>", has no n-grams except in the old layout.
///
/// threads  that compute the means, 0: all
/// Fails with badFile, resourceLimit, cancelled.
[[nodiscard]] Result<void> readFasttext(io::ByteSource& source, RowTable& table, int threads,
                                        const JobContext& job);

/// Whether a file begins as a fastText model: with the magic number, or, in the layout before
/// version 11, with plausible settings and a dictionary whose sizes agree.
[[nodiscard]] bool looksLikeFasttext(std::string_view bytes);

/// Visits the bucket numbers, in [0, buckets), of the character n-grams of a word as fastText
/// numbers them: all runs of `shortest` to `longest` UTF-8 characters of "<word>" but "<" and ">"
/// alone, by place and then by length, each hashed with 32-bit FNV-1a whose bytes are taken as
/// signed.
///
/// buckets  > 0
/// visit    false ends it: a word of 64 KiB may have millions of them
void visitFasttextNgrams(std::string_view word, std::int32_t shortest, std::int32_t longest,
                         std::uint32_t buckets, const std::function<bool(std::uint32_t)>& visit);

}  // namespace epsilens::embedding
