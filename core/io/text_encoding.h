#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace epsilens::io {

inline constexpr std::string_view kUtf8 = "UTF-8";

/// The name under which an encoding is registered, such as windows-1251 for cp1251. Fails with
/// invalidArgument for a name that ICU does not know.
[[nodiscard]] Result<std::string> encodingName(std::string_view typed);

/// What bytes are that are not the text they were taken for, and what helps.
struct ForeignBytes {
    std::string message{};
    bool isText = false;  ///< in another encoding
};
/// Looks at the first bytes of a text for signs of what they are instead. Nothing where there is
/// none.
///
/// encoding  that is expected, by its registered name. Compressed data are found in any; binary
///           data, and UTF-16 and UTF-32 by their marks, only in UTF-8: elsewhere they are no valid
///           text, or not to be told from it
[[nodiscard]] std::optional<ForeignBytes> foreignBytes(std::string_view start,
                                                       std::string_view encoding);

/// What to say of bytes that are no UTF-8: the likely encoding and the command that converts from
/// it, or that they are damaged.
///
/// text  such bytes and what is around them
[[nodiscard]] std::string whyNotUtf8(std::string_view text);

}  // namespace epsilens::io
