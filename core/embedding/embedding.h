#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::embedding {

enum class FileFormat { gloveText, word2vecText, word2vecBinary, fasttextBinary, builtIn };

/// Name used in files and messages: "glove-text", "word2vec-text", "word2vec-binary",
/// "fasttext-binary", "built-in".
[[nodiscard]] std::string_view formatName(FileFormat format);

/// Rows that were left out for one reason.
struct SkippedRows {
    static constexpr std::size_t kKeptPositions = 5;

    std::int64_t count = 0;
    /// First places: 1-based lines of a text file, 1-based rows of a binary one. At most
    /// kKeptPositions.
    std::vector<std::int64_t> firstPositions{};

    void add(std::int64_t position) {
        ++count;
        if (firstPositions.size() < kKeptPositions) {
            firstPositions.push_back(position);
        }
    }
};

/// What loading found out about the file.
struct LoadReport {
    FileFormat format = FileFormat::gloveText;
    std::string compression{};    ///< "gzip", "xz", "bzip2", "zstd", "zip"; empty if none
    std::string sha256{};         ///< of the bytes as stored, 64 lower-case hexadecimal digits
    std::uint64_t fileBytes = 0;  ///< as stored
    SkippedRows wrongLength{};    ///< number of values differs from the dimension
    SkippedRows notFinite{};      ///< NaN, infinity, or beyond the range of float32
    SkippedRows invalidText{};    ///< word is not valid UTF-8, or has a control character
    SkippedRows duplicates{};     ///< word stood in an earlier row
    SkippedRows emptyWords{};
    bool endsWithinRow = false;  ///< last row has too few values and no line end: cut off?
    std::optional<std::int64_t> limitedTo{};  ///< --limit-rows, when it cut the file
    struct Selection {
        std::int64_t kept = 0;
        std::int64_t missing = 0;  ///< words of the list that the file does not have
    };
    std::optional<Selection> vocabulary{};  ///< --vocabulary, when given

    /// All rows left out but the duplicates.
    [[nodiscard]] std::int64_t badLines() const {
        return wrongLength.count + notFinite.count + invalidText.count + emptyWords.count;
    }
};

/// A vocabulary W with its vectors phi(w): V words, m dimensions.
struct Embedding {
    std::string name{};  ///< file name without folders, "sample" or "sample-poincare"
    std::string path{};  ///< as opened; empty for built-in ones
    Vocabulary vocabulary{};
    RowMatrixF vectors{};  ///< V x m, row r belongs to vocabulary.word(r)
    LoadReport report{};

    [[nodiscard]] Row wordCount() const { return static_cast<Row>(vectors.rows()); }
    [[nodiscard]] Eigen::Index dimensions() const { return vectors.cols(); }
};

}  // namespace epsilens::embedding
