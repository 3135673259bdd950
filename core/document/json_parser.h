#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/document/json_document.h"
#include "core/io/memory_limit.h"

namespace epsilens::document {

/// A larger file is refused.
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20;

/// Tells how much memory may be taken from now on.
using MemoryQuestion = std::function<io::MemoryBudget()>;

/// Reads a JSON text whole, in time and memory linear in its length. Fails with badFile for
/// anything that is no JSON, for an object with a key twice or with more than 1,000 members, and
/// for more than 64 levels (damaged or made-up files), and with cancelled.
[[nodiscard]] Result<JsonDocument> parseJson(std::string_view text,
                                             const std::stop_token& stop = {});

/// The same for a file, which is not held in memory beside the document. Fails also with
/// resourceLimit for a file of more than kMostBytes, and for one that needs more memory than there
/// is, before that is taken; the error names the file.
///
/// memory  asked at most once, and only for a file that is large enough to matter
[[nodiscard]] Result<JsonDocument> openJson(
    const std::string& path, const std::stop_token& stop = {},
    const MemoryQuestion& memory = [] { return io::MemoryBudget(0); });

}  // namespace epsilens::document
