#pragma once

#include <span>

#include "core/base/error.h"
#include "core/embedding/embedding.h"

namespace epsilens::embedding {

/// Reads an embedding in the layout of the built-in ones, all numbers little-endian:
///
///   "EPSEMB1\n"       8 bytes, or "EPSEMB2\n"
///   V, m, T           uint32 each
///   words             T bytes of UTF-8, each word followed by "\n"
///   vectors           V x m binary16, or binary32 after "EPSEMB2\n"; row by row in the order of
///                     the words
///
/// bytes  the whole file
/// Fills vocabulary and vectors, and in the report the format, the size and the SHA-256.
/// Fails with internal if the bytes are anything else: they are part of the program.
[[nodiscard]] Result<Embedding> readPackedEmbedding(std::span<const unsigned char> bytes);

}  // namespace epsilens::embedding
