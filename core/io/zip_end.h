#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace epsilens::io {

/// Files, without folders, in the list at the end of a zip file (APPNOTE.TXT 6.3.10, 4.3.12 to
/// 4.3.16).
///
/// tail   the last bytes of the file, long enough for the list
/// bytes  of the whole file
/// Returns nothing unless the tail has a whole list, followed by records of the end that name its
/// place, length and number of entries, followed by nothing but zeros.
[[nodiscard]] std::optional<int> filesInZipList(std::string_view tail, std::uint64_t bytes);

}  // namespace epsilens::io
