#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/document/json_document.h"
#include "core/document/session.h"

namespace epsilens::document {

/// Results larger than this stand in a file of their own beside the session.
inline constexpr std::size_t kMostInlineBytes = std::size_t{50} << 20;

/// Writes a session so that only its owner may read it, whole or not at all: until the end the old
/// session is there with its results. Results of more than `mostInline` bytes go to a file of their
/// own beside it (results_file.h). The relative path of the embedding is worked out here. Fails
/// with invalidArgument for results of other vectors, with ioFailed, and with resourceLimit for
/// results of more than 4 GiB.
[[nodiscard]] Result<void> saveSession(const std::string& path, Session session,
                                       std::size_t mostInline = kMostInlineBytes);

/// Reads a session with its results. Fails with badFile: what is wrong, or which version made it.
[[nodiscard]] Result<Session> openSession(const std::string& path,
                                          const std::stop_token& stop = {});

/// A session with the document that holds its results.
struct OpenedSession {
    Session session{};
    std::string resultsFile{};  ///< beside the session, where they stand there
    JsonDocument json{};        ///< that file, else the session's own
};

/// The same for a file that is open already.
[[nodiscard]] Result<OpenedSession> openSession(JsonDocument json, const std::string& path,
                                                const std::stop_token& stop = {});

/// Where the embedding of a session may lie, best first: relative to the session, where it was,
/// beside the session. Built-in embeddings are their own place.
[[nodiscard]] std::vector<std::string> embeddingPlaces(const SessionEmbedding& embedding,
                                                       const std::string& sessionPath);

/// The first of some places with a regular file, else the first; empty when there are none. Fails
/// with badFile if there is something else in the place, as a document must not make a program wait
/// for a pipe or read a device.
[[nodiscard]] Result<std::string> firstExisting(const std::vector<std::string>& places);

}  // namespace epsilens::document
