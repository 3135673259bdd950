#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/embedding/prepared_embedding.h"
#include "core/io/record_reader.h"
#include "core/text/letter_case.h"

namespace epsilens::calibration {

/// Version of the program, "0.1.0".
[[nodiscard]] std::string_view programVersion();

/// How this program was built: compiler and kind of build.
[[nodiscard]] std::string buildDescription();

/// Largest resident memory of this process so far, in MiB rounded up; 0 when the system hides it.
[[nodiscard]] std::int64_t peakMemoryMiB();

/// What a report says about the vectors it was made from. Holds no path: that belongs to the
/// request, which reports for people leave out.
struct EmbeddingDescription {
    std::string file{};    ///< name without folders
    std::string sha256{};  ///< of the bytes as stored
    std::string format{};  ///< such as "glove-text"
    std::int64_t words = 0;
    std::int64_t dimensions = 0;
    std::int64_t badLines = 0;  ///< rows left out for any reason but being duplicates
    std::int64_t duplicates = 0;
    std::optional<std::int64_t> limitedTo{};
    std::optional<embedding::LoadReport::Selection> vocabulary{};
    /// Words whose vector is, bit by bit, that of another word.
    struct SharedVectors {
        std::int64_t words = 0;
        std::int64_t groups = 0;  ///< of words with one vector
    };
    std::optional<SharedVectors> sharedVectors{};  ///< nothing in files of versions without it
};

[[nodiscard]] EmbeddingDescription describe(const embedding::PreparedEmbedding& prepared);

/// How the words of a run were chosen, where neither all of them nor random ones were.
struct SelectionDescription {
    std::string words{};  ///< as asked for: "sparsest:50", "500"
    /// Data set in which they occur; empty where there is none. Names without folders.
    std::string dataFile{};
    std::string dataColumn{};
    std::int64_t dataRecords = 0;
    io::RecordFormat dataFormat = io::RecordFormat::automatic;  ///< as asked for
    /// By which its words were looked up, as asked for.
    text::CasePolicy letterCase = text::CasePolicy::automatic;
};

/// Circumstances of a run that its results do not carry themselves.
struct Provenance {
    std::string version{};
    EmbeddingDescription embedding{};
    double loadSeconds = 0.0;
    double prepareSeconds = 0.0;
    std::int64_t peakMemoryMiB = 0;
    std::optional<SelectionDescription> selection{};
};

/// Version and memory use of the running program, with the given embedding.
[[nodiscard]] Provenance provenanceOf(const embedding::PreparedEmbedding& prepared);

}  // namespace epsilens::calibration
