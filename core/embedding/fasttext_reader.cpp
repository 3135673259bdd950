#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/embedding/row_readers.h"
#include "core/io/read_ahead.h"

namespace epsilens::embedding {
namespace {

/// Settings at the begin of a fastText model, in the order of the file.
struct FasttextSettings {
    std::int32_t dimensions = 0;
    std::int32_t window = 0;
    std::int32_t epochs = 0;
    std::int32_t fewestCount = 0;
    std::int32_t negatives = 0;
    std::int32_t wordNgrams = 0;
    std::int32_t loss = 0;
    std::int32_t model = 0;
    std::int32_t buckets = 0;
    std::int32_t shortestNgram = 0;
    std::int32_t longestNgram = 0;
    std::int32_t updateRate = 0;
    double samplingThreshold = 0.0;
};

constexpr std::int32_t kFasttextMagic = 793712314;
constexpr std::int32_t kNewestFasttextVersion = 12;
constexpr std::int32_t kSupervisedModel = 3;

bool within(std::int32_t value, std::int32_t lowest, std::int32_t highest) {
    return value >= lowest && value <= highest;
}

/// As the settings lie in the file: twelve whole numbers and a float64 without gaps.
static_assert(sizeof(FasttextSettings) == 12 * 4 + 8);

constexpr std::uint32_t kFnvOffset = 2166136261U;
constexpr std::uint32_t kFnvPrime = 16777619U;

/// FNV-1a step; the byte is extended with its sign, which is not FNV but what models are made with.
std::uint32_t hashed(std::uint32_t hash, char byte) {
    return (hash ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(byte))) * kFnvPrime;
}

/// Whether the settings are such as training can have written; all sizes are then positive and
/// small enough to calculate with.
bool isPlausible(const FasttextSettings& settings) {
    return within(settings.dimensions, 1, 100'000) && within(settings.window, 1, 1'000'000) &&
           within(settings.epochs, 0, 100'000'000) && settings.fewestCount >= 0 &&
           settings.negatives >= 0 && within(settings.wordNgrams, 0, 1'000) &&
           within(settings.loss, 1, 4) && within(settings.model, 1, 3) && settings.buckets >= 0 &&
           within(settings.shortestNgram, 0, 1'000) && within(settings.longestNgram, 0, 1'000) &&
           settings.updateRate >= 0 && settings.samplingThreshold >= 0.0 &&
           settings.samplingThreshold <= 1.0;
}

constexpr std::string_view kEndOfSentence = "</s>";
constexpr std::int64_t kWordsPerTask = 1'024;
/// Characters of an n-gram, of which published models have at most 6; the time for a long word
/// grows with them.
constexpr std::int32_t kLongestNgram = 64;
/// A word of the dictionary: its string and the number of its row, both twice while lists grow.
constexpr double kBytesPerEntry = 2.0 * (sizeof(std::string) + sizeof(std::int64_t));
/// Longest text that a string holds without memory of its own, and what that is beside the text.
constexpr std::size_t kShortText = 15;
constexpr double kTextOverhead = 48.0;
/// A long text is in the dictionary, and in the vocabulary twice while that grows.
constexpr double kCopiesOfLongText = 3.0;

tl::unexpected<Error> damaged(std::string_view what) {
    return fail(ErrorCode::badFile, fmt::format("the fastText model is damaged: {}", what));
}

/// Settings and dictionary of a model: all that stands before its vectors.
struct Model {
    FasttextSettings settings{};
    bool oldLayout = false;  ///< before version 11: no magic number, no marks for quantisation
    std::int64_t wordCount = 0;
    std::vector<std::string> words{};  ///< the first ones: a limit of rows leaves the others out
    double wordBytes = 0.0;            ///< memory that these need

    [[nodiscard]] std::int64_t ngramRows() const {
        return settings.longestNgram > 0 ? settings.buckets : 0;
    }
};

constexpr const char* kNotQuantised =
    "quantised fastText models are not read; use the .bin file they were made of";

std::uint64_t bytesOf(std::int64_t rows, const Model& model) {
    return static_cast<std::uint64_t>(rows) *
           static_cast<std::uint64_t>(model.settings.dimensions) * sizeof(float);
}

Result<void> readSettings(io::ByteCursor& cursor, Model& model) {
    constexpr std::string_view kWhat = "the settings of the fastText model";
    FasttextSettings& settings = model.settings;
    std::int32_t version = 0;
    RETURN_IF_ERROR(cursor.readBytes(&settings.dimensions, sizeof(std::int32_t), kWhat));
    model.oldLayout = settings.dimensions != kFasttextMagic;
    if (!model.oldLayout) {
        ASSIGN_OR_RETURN(version, cursor.readNumber<std::int32_t>(kWhat));
        if (version > kNewestFasttextVersion) {
            return fail(ErrorCode::badFile,
                        fmt::format("the fastText model has version {}; the newest known is {}",
                                    version, kNewestFasttextVersion));
        }
    }
    char* const begin = reinterpret_cast<char*>(&settings);
    const std::size_t known = model.oldLayout ? sizeof(std::int32_t) : 0;
    RETURN_IF_ERROR(cursor.readBytes(begin + known, sizeof settings - known, kWhat));
    if (!isPlausible(settings)) {
        return model.oldLayout ? fail(ErrorCode::badFile, "this is not a fastText model")
                               : damaged("its settings are out of range");
    }
    // Supervised models did not use n-grams then, whatever their settings say.
    if (version == 11 && settings.model == kSupervisedModel) {
        settings.longestNgram = 0;
    }
    if (settings.longestNgram > kLongestNgram) {
        return fail(
            ErrorCode::badFile,
            fmt::format("the fastText model has n-grams of up to {} characters; allowed are {}",
                        formatCount(settings.longestNgram), kLongestNgram));
    }
    if (settings.longestNgram > 0 && settings.buckets == 0) {
        return damaged("it uses n-grams but has no room for them");
    }
    return {};
}

Result<void> readEntries(io::ByteCursor& cursor, std::int64_t entries, const RowTable& table,
                         Model& model) {
    constexpr std::uint64_t kFewestBytes = 1 + sizeof(std::int64_t) + 1;
    const auto left = cursor.bytesLeft();
    if (left && static_cast<std::uint64_t>(entries) > *left / kFewestBytes) {
        return damaged("it is too short for the words that it announces");
    }
    for (std::int64_t entry = 1; entry <= entries; ++entry) {
        const std::string what = fmt::format("word {} of {}", entry, entries);
        ASSIGN_OR_RETURN(auto word, cursor.readTextUntil('\0', what));
        RETURN_IF_ERROR(cursor.skipBytes(sizeof(std::int64_t), what));  // how often it was seen
        ASSIGN_OR_RETURN(const auto isLabel, cursor.readNumber<std::int8_t>(what));
        if (isLabel != 0) {
            continue;
        }
        ++model.wordCount;
        // Words are kept as far as the limit of rows and one beyond, which tells that it cut the
        // file.
        const std::int64_t limit = table.options().limitRows;
        if (limit == 0 || model.wordCount <= limit + 1) {
            model.wordBytes += kBytesPerEntry;
            if (word.size() > kShortText) {
                model.wordBytes +=
                    kTextOverhead + kCopiesOfLongText * static_cast<double>(word.size());
            }
            model.words.push_back(std::move(word));
            RETURN_IF_ERROR(
                table.checkBeforeRows(model.wordBytes, "the words of the fastText model"));
        }
    }
    return {};
}

Result<void> readDictionary(io::ByteCursor& cursor, const RowTable& table, Model& model) {
    constexpr std::string_view kWhat = "the dictionary of the fastText model";
    std::array<std::int32_t, 3> sizes{};  // entries, words, labels
    std::int64_t pruned = -1;
    RETURN_IF_ERROR(cursor.readBytes(sizes.data(), sizeof sizes, kWhat));
    RETURN_IF_ERROR(cursor.skipBytes(sizeof(std::int64_t), kWhat));  // tokens of the training
    if (!model.oldLayout) {
        ASSIGN_OR_RETURN(pruned, cursor.readNumber<std::int64_t>(kWhat));
    }
    if (sizes[1] < 1 || sizes[2] < 0 ||
        std::int64_t{sizes[0]} != std::int64_t{sizes[1]} + sizes[2]) {
        return damaged("the sizes of its dictionary contradict each other");
    }
    if (pruned > 0) {
        return fail(ErrorCode::badFile, kNotQuantised);
    }
    RETURN_IF_ERROR(readEntries(cursor, sizes[0], table, model));
    if (model.wordCount != sizes[1]) {
        return damaged("it has not as many words as it announces");
    }
    // A pruned model that kept no n-gram has 0 here, all others -1.
    if (pruned == 0) {
        model.settings.longestNgram = 0;
    }
    return {};
}

/// Reads rows and columns of a matrix and checks that its values can be in the file.
Result<std::int64_t> readMatrixRows(io::ByteCursor& cursor, const Model& model,
                                    std::string_view what) {
    std::array<std::int64_t, 2> shape{};
    RETURN_IF_ERROR(cursor.readBytes(shape.data(), sizeof shape, what));
    constexpr std::int64_t kMostRows = std::int64_t{1} << 40;
    if (shape[1] != model.settings.dimensions || shape[0] < 0 || shape[0] > kMostRows) {
        return damaged(fmt::format("{} is {} x {}, its vectors have {} dimensions", what, shape[0],
                                   shape[1], model.settings.dimensions));
    }
    const auto left = cursor.bytesLeft();
    if (left && bytesOf(shape[0], model) > *left) {
        return fail(ErrorCode::badFile,
                    fmt::format("the file ends in {}; it may be cut off", what));
    }
    return shape[0];
}

/// Turns the rows of words into the vectors of words.
class FasttextVectors {
public:
    FasttextVectors(io::ByteCursor& cursor, const Model& model, RowTable& table)
        : m_cursor(cursor), m_model(model), m_table(table) {
        const std::int64_t limit = table.options().limitRows;
        m_rows = limit > 0 ? std::min(limit, model.wordCount) : model.wordCount;
        for (std::int64_t row = 0; row < m_rows; ++row) {
            if (table.isSelected(word(row))) {
                m_wanted.push_back(row);
            }
        }
    }

    /// Makes room and reads the rows of words, then those of n-grams.
    Result<void> read(const JobContext& job) {
        const auto wanted = std::ssize(m_wanted);
        const auto ngramBytes =
            static_cast<double>(m_model.ngramRows()) * m_model.settings.dimensions * sizeof(float);
        ASSIGN_OR_RETURN(const auto room, m_table.makeRoom(wanted, ngramBytes + m_model.wordBytes));
        m_values = room;
        std::size_t next = 0;
        for (std::int64_t row = 0; row < m_model.wordCount; ++row) {
            const bool isWanted = next < m_wanted.size() && m_wanted[next] == row;
            RETURN_IF_ERROR(isWanted
                                ? m_cursor.readBytes(valuesOf(static_cast<std::int64_t>(next++)),
                                                     rowBytes(), "the vectors of words")
                                : m_cursor.skipBytes(rowBytes(), "the vectors of words"));
            reportProgress(row, job);
        }
        m_ngrams.resize(m_model.ngramRows(), m_table.dimensions());
        for (std::int64_t row = 0; row < m_ngrams.rows(); ++row) {
            RETURN_IF_ERROR(
                m_cursor.readBytes(m_ngrams.row(row).data(), rowBytes(), "the vectors of n-grams"));
            reportProgress(row, job);
        }
        return {};
    }

    /// Adds the n-grams to each word and divides by their number.
    Result<void> average(int threads, const JobContext& job) {
        const auto wanted = std::ssize(m_wanted);
        const std::int64_t tasks = (wanted + kWordsPerTask - 1) / kWordsPerTask;
        parallelFor(tasks, threads, [&](std::int64_t task) {
            const std::int64_t end = std::min(wanted, (task + 1) * kWordsPerTask);
            for (std::int64_t i = task * kWordsPerTask; i < end && !job.stopRequested(); ++i) {
                averageWord(i, job);
            }
        });
        RETURN_IF_ERROR(job.checkStop());
        m_ngrams.resize(0, 0);
        return {};
    }

    Result<void> commit() {
        std::size_t next = 0;
        for (std::int64_t row = 0; row < m_rows; ++row) {
            const bool wanted = next < m_wanted.size() && m_wanted[next] == row;
            const float* const values = valuesOf(static_cast<std::int64_t>(next));
            next += wanted ? 1 : 0;
            // Rows that were not asked for have no values here, only a word.
            const auto status = judgeRow(word(row), values, wanted ? m_table.dimensions() : 0);
            RETURN_IF_ERROR(m_table.commit(status, word(row), values, row + 1));
        }
        if (m_rows < m_model.wordCount) {
            return m_table.commit(RowStatus::usable, word(m_rows), nullptr, m_rows + 1);
        }
        return {};
    }

private:
    [[nodiscard]] const std::string& word(std::int64_t row) const {
        return m_model.words[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] float* valuesOf(std::int64_t wanted) const {
        return m_values + wanted * m_table.dimensions();
    }
    [[nodiscard]] std::size_t rowBytes() const {
        return static_cast<std::size_t>(m_table.dimensions()) * sizeof(float);
    }
    void reportProgress(std::int64_t row, const JobContext& job) const {
        if (row % kRowsPerReport == 0) {
            job.progress(m_cursor.fractionRead(), "Reading the embedding");
        }
    }

    void averageWord(std::int64_t wanted, const JobContext& job) const {
        const std::string& text = word(m_wanted[static_cast<std::size_t>(wanted)]);
        // Training before version 11 gave n-grams to the end of a sentence as well.
        const bool withoutNgrams = text == kEndOfSentence && !m_model.oldLayout;
        if (m_ngrams.rows() == 0 || withoutNgrams) {
            return;
        }
        constexpr std::int64_t kAddedPerLook = std::int64_t{1} << 22;
        const std::int64_t ngramsPerLook = kAddedPerLook / m_table.dimensions() + 1;
        std::int64_t ngrams = 0;
        Eigen::Map<Eigen::RowVectorXf> vector(valuesOf(wanted), m_table.dimensions());
        visitFasttextNgrams(text, m_model.settings.shortestNgram, m_model.settings.longestNgram,
                            static_cast<std::uint32_t>(m_model.settings.buckets),
                            [&](std::uint32_t ngram) {
                                vector += m_ngrams.row(ngram);
                                ++ngrams;
                                return ngrams % ngramsPerLook != 0 || !job.stopRequested();
                            });
        vector *= static_cast<float>(1.0 / (1.0 + static_cast<double>(ngrams)));
    }

    io::ByteCursor& m_cursor;
    const Model& m_model;
    RowTable& m_table;
    std::int64_t m_rows = 0;               ///< first rows of the file that are looked at
    std::vector<std::int64_t> m_wanted{};  ///< those of them whose vectors are kept
    float* m_values = nullptr;
    RowMatrixF m_ngrams{};
};

/// Reads past the matrix that training needs beside the vectors: a model without it is cut off.
Result<void> skipOutput(io::ByteCursor& cursor, const Model& model) {
    constexpr std::string_view kWhat = "the output matrix of the fastText model";
    RETURN_IF_ERROR(cursor.skipBytes(model.oldLayout ? 0 : 1, kWhat));  // whether it is quantised
    ASSIGN_OR_RETURN(const auto rows, readMatrixRows(cursor, model, kWhat));
    RETURN_IF_ERROR(cursor.skipBytes(bytesOf(rows, model), kWhat));
    ASSIGN_OR_RETURN(const auto ended, cursor.atEnd());
    return ended ? Result<void>{} : damaged("the file goes on behind its last matrix");
}

}  // namespace

bool looksLikeFasttext(std::string_view bytes) {
    std::int32_t first = 0;
    if (bytes.size() < sizeof first) {
        return false;
    }
    std::memcpy(&first, bytes.data(), sizeof first);
    if (first == kFasttextMagic) {
        return true;
    }
    FasttextSettings settings;
    std::array<std::int32_t, 3> sizes{};
    if (bytes.size() < sizeof settings + sizeof sizes) {
        return false;
    }
    std::memcpy(&settings, bytes.data(), sizeof settings);
    std::memcpy(sizes.data(), bytes.data() + sizeof settings, sizeof sizes);
    return isPlausible(settings) && sizes[1] > 0 && sizes[2] >= 0 &&
           std::int64_t{sizes[0]} == std::int64_t{sizes[1]} + sizes[2];
}

void visitFasttextNgrams(std::string_view word, std::int32_t shortest, std::int32_t longest,
                         std::uint32_t buckets, const std::function<bool(std::uint32_t)>& visit) {
    std::string marked("<");
    marked.append(word).push_back('>');
    for (std::size_t begin = 0; begin < marked.size(); ++begin) {
        if (continuesCharacter(marked[begin])) {
            continue;
        }
        std::uint32_t hash = kFnvOffset;
        std::size_t end = begin;
        for (std::int32_t length = 1; length <= longest && end < marked.size(); ++length) {
            do {
                hash = hashed(hash, marked[end++]);
            } while (end < marked.size() && continuesCharacter(marked[end]));
            const bool onlyMark = length == 1 && (begin == 0 || end == marked.size());
            if (length >= shortest && !onlyMark && !visit(hash % buckets)) {
                return;
            }
        }
    }
}

Result<void> readFasttext(io::ByteSource& source, RowTable& table, int threads,
                          const JobContext& job) {
    constexpr std::string_view kInput = "the input matrix of the fastText model";
    io::ByteCursor cursor(source);
    Model model;
    RETURN_IF_ERROR(readSettings(cursor, model));
    RETURN_IF_ERROR(readDictionary(cursor, table, model));
    if (!model.oldLayout) {
        ASSIGN_OR_RETURN(const auto quantised, cursor.readNumber<std::uint8_t>(kInput));
        if (quantised != 0) {
            return fail(ErrorCode::badFile, kNotQuantised);
        }
    }
    ASSIGN_OR_RETURN(const auto rows, readMatrixRows(cursor, model, kInput));
    const std::int64_t unused = rows - model.wordCount - model.ngramRows();
    if (unused < 0) {
        return damaged(fmt::format("it has {} vectors for {} words and {} n-grams",
                                   formatCount(rows), formatCount(model.wordCount),
                                   formatCount(model.ngramRows())));
    }
    table.setDimensions(model.settings.dimensions);
    FasttextVectors vectors(cursor, model, table);
    RETURN_IF_ERROR(vectors.read(job));
    RETURN_IF_ERROR(cursor.skipBytes(bytesOf(unused, model), kInput));
    RETURN_IF_ERROR(skipOutput(cursor, model));
    RETURN_IF_ERROR(vectors.average(threads, job));
    return vectors.commit();
}

}  // namespace epsilens::embedding
