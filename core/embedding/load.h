#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/prepared_embedding.h"

namespace epsilens::embedding {

enum class InputFormat { automatic, glove, word2vecText, word2vecBinary, fasttext };

/// Reads the names of --input-format: auto, glove, word2vec-text, word2vec-binary, fasttext.
[[nodiscard]] Result<InputFormat> parseInputFormat(std::string_view name);
/// The name that parseInputFormat reads.
[[nodiscard]] std::string_view inputFormatName(InputFormat format);

struct LoadOptions {
    std::string path{};  ///< file to read; "-" reads standard input
    InputFormat inputFormat = InputFormat::automatic;
    bool strict = false;         ///< the first bad row is an error instead of being skipped
    std::int64_t limitRows = 0;  ///< load only the first rows; 0 loads all
    std::string
        vocabularyPath{};  ///< file with a word a line; only these are kept. Empty keeps all
    int threads = 0;       ///< 0: all
    /// Largest memory to take, in bytes; 0: the least of what the system and the control group
    /// leave.
    std::uint64_t memoryLimit = 0;
    /// Copies of the vectors that the caller will hold, such as those of a search space; the memory
    /// must suffice for all.
    int copies = 1;
};

/// What the built-in embeddings are opened by: English, 12,000 words x 100 dimensions, made from
/// WordNet; and 14,065 nouns x 10 dimensions in the unit ball, trained on WordNet's hypernyms.
inline constexpr std::string_view kSampleName = "sample";
inline constexpr std::string_view kPoincareSampleName = "sample-poincare";

/// Messages to try a mechanism on, in everyday English. All their words are in the built-in sample.
[[nodiscard]] constexpr std::array<std::string_view, 3> exampleSentences() {
    return {"My doctor moved the appointment at the hospital to Friday morning",
            "We will take the early train from Paris to London tomorrow",
            "Please send the money for the rent to my bank today"};
}

/// Pairs of words of the same kind, all in both built-in samples.
[[nodiscard]] constexpr std::array<std::pair<std::string_view, std::string_view>, 5>
examplePairs() {
    return {{{"paris", "london"},
             {"doctor", "nurse"},
             {"car", "bus"},
             {"salmon", "trout"},
             {"monday", "friday"}}};
}
/// Those of them whose words are both there.
[[nodiscard]] std::vector<std::pair<Row, Row>> exampleRows(const Vocabulary& vocabulary);

/// Whether a path is one of these names.
[[nodiscard]] inline bool isBuiltIn(std::string_view path) {
    return path == kSampleName || path == kPoincareSampleName;
}

/// Opens what the command line and the window call EMBEDDING: a built-in one, or a file: GloVe
/// text, word2vec text (fastText .vec), word2vec binary, fastText .bin (old and new layout, not
/// quantised), plain or compressed (gz, xz, bz2, zst, zip with one entry).
///
/// The format is found from the content unless options force it. Rows that cannot be used are
/// counted in the report and left out; with `strict` the first one fails. Fails with badFile (what,
/// which line, what is allowed), resourceLimit (needed and free memory), cancelled.
[[nodiscard]] Result<Embedding> loadEmbedding(const LoadOptions& options,
                                              const JobContext& job = {});

/// loadEmbedding followed by prepareEmbedding, both timed.
[[nodiscard]] Result<EmbeddingHandle> openAndPrepare(const LoadOptions& options,
                                                     const JobContext& job = {});

/// Reads a file with a word a line, plain or compressed as embeddings are; blanks around words,
/// blank lines and repetitions do not count. Fails with badFile, also for bytes that are no UTF-8
/// and when there is no word, resourceLimit and cancelled; the error names the file.
///
/// memoryLimit  largest memory to take, in bytes; 0: what the system leaves
[[nodiscard]] Result<Vocabulary> readWordList(const std::string& path, std::stop_token stop = {},
                                              std::uint64_t memoryLimit = 0);

/// Words of a list that a vocabulary has.
struct ListedWords {
    std::vector<Row> rows{};  ///< in the order of the list, each once
    std::int64_t words = 0;   ///< of the list, known or not
};

/// Looks up the words of a list as they are written there. Fails as readWordList does; not when no
/// word is known.
[[nodiscard]] Result<ListedWords> findListedWords(const std::string& path,
                                                  const Vocabulary& vocabulary,
                                                  std::stop_token stop = {});

/// Word vectors as word2vec text: a line with the numbers of rows and of dimensions, then a line
/// per row with its word and its numbers, separated by single blanks. Numbers have the shortest
/// form that reads back as the same float32.
///
/// vocabulary  V words without blanks
/// vectors     V x m
[[nodiscard]] std::string word2vecText(const Vocabulary& vocabulary,
                                       const Eigen::Ref<const RowMatrixF>& vectors);

}  // namespace epsilens::embedding
