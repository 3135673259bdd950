#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/document/calibration_document.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_document.h"
#include "core/document/report_document.h"
#include "core/evaluation/figure_search.h"
#include "core/text/letter_case.h"

namespace epsilens::document {

inline constexpr std::string_view kSessionSchema = "epsilens.session/1";

/// The bands of percentiles that there are.
inline constexpr std::array<std::array<int, 2>, 3> kPercentileBands{{{1, 99}, {5, 95}, {25, 75}}};

/// The vectors a session works on, and how to find them again.
struct SessionEmbedding {
    /// How it was opened; the path is absolute, or the name of a built-in embedding.
    embedding::LoadOptions load{};
    std::string relativePath{};  ///< from the folder of the session; empty for built-in ones
    std::uint64_t bytes = 0;     ///< size as stored; 0 for built-in ones
    std::string sha256{};        ///< of the bytes as stored
};

/// A search for epsilon within limits on labelled texts, as a session keeps it: what it was asked,
/// and what it found. Nobody can check it but by searching again.
struct KeptSearch {
    KeptData data{};                          ///< the texts
    evaluation::EvaluationOptions options{};  ///< of one mechanism; the search ran between epsilons
    std::vector<calibration::Limit> limits{};  ///< on words
    int draws = 0;                             ///< R behind these
    std::vector<evaluation::FigureLimit> figureLimits{};
    evaluation::LimitsFound found{};  ///< the evaluation with other draws stands beside the search

    [[nodiscard]] mechanism::Mechanism mechanism() const {
        return options.grid.mechanisms().front();
    }
    /// The setting found, or that at which the limits are missed by least.
    [[nodiscard]] mechanism::Setting setting() const {
        return {mechanism(), found.epsilon.value_or(found.closest)};
    }
    /// Whether another search is asked the same, whatever it is asked of.
    [[nodiscard]] bool hasSameQuestion(const KeptSearch& other) const;
};

/// An analysis as it is kept: what was set, and what came out.
struct Session {
    std::string version{};  ///< of the program that wrote it
    /// Nothing while no embedding is open.
    std::optional<SessionEmbedding> embedding{};
    mechanism::Setting current{};            ///< the setting looked at
    calibration::CalibrationOptions grid{};  ///< of the next calibration
    /// Where the words of the grid came from, when they are those of a list, file or data set.
    std::optional<calibration::SelectionDescription> wordsFrom{};
    std::array<int, 2> percentileBand{5, 95};                   ///< one of kPercentileBands
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< of texts
    std::vector<mechanism::Setting> pins{};                     ///< settings kept for comparison
    ReportSettings report{};                                    ///< with the limits
    /// Sentences typed by the analyst stay out of the file unless this was asked for.
    bool keepsSentences = false;
    std::optional<KeptSearch> search{};  ///< the last one
    std::optional<calibration::Run> results{};
    /// On the vectors of the session, each with its request, as far as keptPart() has it. Names of
    /// classes are kept with the sentences.
    std::optional<EvaluationRecord> evaluation{};
    /// Of the setting that the search found, with other draws.
    std::optional<EvaluationRecord> evaluationAgain{};
};

/// The evaluations of a session, or pointers to where they go, with the names of their members.
template <typename AnySession>
[[nodiscard]] auto evaluationsOf(AnySession& session) {
    return std::array{std::pair(std::string_view("evaluation"), &session.evaluation),
                      std::pair(std::string_view("evaluationAgain"), &session.evaluationAgain)};
}

/// The session as JSON, keys in a fixed order; the results as a calibration document.
[[nodiscard]] std::string sessionJson(const Session& session);

/// Whether the results are those of the session's vectors; also where there are no results.
[[nodiscard]] bool resultsFit(const Session& session);
/// What is said of results that are not.
inline constexpr std::string_view kOtherVectors =
    "the results do not belong to the vectors of the session (SHA-256 differs); calibrate "
    "and save it again";

/// Fails with badFile unless the current setting and the grid differ in numbers only: it would not
/// be clear which mechanism a release shall use.
[[nodiscard]] Result<void> checkReleasable(const Session& session);

/// Reads a session strictly. Fails with badFile; a newer version is refused by its name.
[[nodiscard]] Result<Session> readSession(std::string_view json);
[[nodiscard]] Result<Session> readSession(const JsonDocument& document);

/// Writes a session so that only its owner may read it, whole or not at all: until the end the old
/// session is there. The relative path of the embedding is worked out here. Fails with
/// invalidArgument for results of other vectors, with ioFailed, and with resourceLimit for more
/// than 256 MiB.
[[nodiscard]] Result<void> saveSession(const std::string& path, Session session);

/// Reads a session with its results. Fails with badFile: what is wrong, or which version made it.
[[nodiscard]] Result<Session> openSession(const std::string& path,
                                          const std::stop_token& stop = {});

/// Where a file of a document may lie, best first: relative to the document, where it was, beside
/// the document. Built-in embeddings are their own place.
///
/// relativePath  from the folder of the document; empty: not known
[[nodiscard]] std::vector<std::string> placesOf(const std::string& path,
                                                const std::string& relativePath,
                                                const std::string& documentPath);
[[nodiscard]] inline std::vector<std::string> embeddingPlaces(const SessionEmbedding& embedding,
                                                              const std::string& sessionPath) {
    return placesOf(embedding.load.path, embedding.relativePath, sessionPath);
}

/// The first of some places with a regular file, else the first; empty when there are none. Fails
/// with badFile if there is something else in the place, as a document must not make a program wait
/// for a pipe or read a device.
[[nodiscard]] Result<std::string> firstExisting(const std::vector<std::string>& places);

}  // namespace epsilens::document
