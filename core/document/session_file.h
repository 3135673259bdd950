#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/document/session.h"

namespace epsilens::document {

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
