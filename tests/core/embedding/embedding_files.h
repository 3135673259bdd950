#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/embedding/load.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace epsilens::test {

/// Writes the content to a file and loads it; options.path is set here.
[[nodiscard]] Result<embedding::Embedding> loadContent(std::string_view content,
                                                       embedding::LoadOptions options = {},
                                                       const JobContext& job = {});

/// Checks that the content is refused as a bad file, for a reason of which this is a part; gives
/// the error.
inline Error checkBadContent(std::string_view content, const std::string& part = {},
                             embedding::LoadOptions options = {}) {
    return checkRefused(loadContent(content, std::move(options)), ErrorCode::badFile, part);
}

/// GloVe text of so many words "word0", "word1", … with four values each.
[[nodiscard]] std::string manyRows(int rows);

/// Compresses with "gzip", "xz", "bzip2" or "zstd".
[[nodiscard]] std::string compressed(std::string_view content, std::string_view compression);

/// xz data of one stream whose header asks for a larger dictionary than it was made with: of
/// (2 + property % 2) << (property / 2 + 11) bytes, at property 40 of 4 GiB - 1 (The .xz File
/// Format 1.1.0, 5.3.1).
[[nodiscard]] std::string withDictionary(std::string xz, int property);

/// zstd data of one frame whose header asks for a window of 2^windowLog bytes.
[[nodiscard]] std::string withWindow(std::string zstd, int windowLog);

/// Names with contents; names that end in "/" are folders.
using Entries = std::vector<std::pair<std::string, std::string>>;
/// A zip file.
[[nodiscard]] std::string zipped(const Entries& entries);

/// Little-endian bytes of a number.
template <typename T>
[[nodiscard]] std::string bytesOf(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

using WordsAndValues = std::vector<std::pair<std::string, std::vector<float>>>;

/// A word2vec binary file.
[[nodiscard]] std::string word2vecBinary(const WordsAndValues& rows, bool lineEnds);

/// What a made-up fastText model consists of; the defaults are a correct one.
struct FasttextParts {
    bool oldLayout = false;
    std::int32_t version = 12;
    std::int32_t model = 2;
    std::int32_t buckets = 4;
    std::int32_t shortest = 2;
    std::int32_t longest = 3;
    std::int32_t dimensions = 2;
    std::vector<std::string> words{"ab", "</s>"};
    std::vector<std::string> labels{};
    std::int32_t announcedWords = -1;  ///< -1: as many as there are
    std::int64_t pruned = -1;
    bool quantised = false;
    std::int64_t announcedRows = -1;  ///< -1: words and buckets
    std::string behind{};
};

/// Bytes of the model; value j of input row i is i + j / 4.
[[nodiscard]] std::string fasttextModel(const FasttextParts& parts);

}  // namespace epsilens::test
