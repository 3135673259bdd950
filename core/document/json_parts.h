#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"

/// Pieces that documents share. Only source files include the whole JSON library.
namespace epsilens::document {

/// A number as it is; null for what JSON cannot hold (NaN, infinity).
[[nodiscard]] nlohmann::ordered_json jsonNumber(double value);

/// A path as UTF-8: as it is, or one that is none in percent-encoding behind "file:" (RFC 3986).
[[nodiscard]] std::string pathText(std::string_view path);
/// The path of such a text.
[[nodiscard]] std::string pathOf(std::string_view text);

/// {"error":{"code","exit","message","file","line"}}; file and line are null where the error has
/// none.
[[nodiscard]] nlohmann::ordered_json jsonError(const Error& error, int exitCode);
/// The same on one line with a line end.
[[nodiscard]] std::string errorJson(const Error& error, int exitCode);

/// Indented text with a line end. Bytes that are no UTF-8 (file names may hold them) become U+FFFD.
[[nodiscard]] std::string jsonText(const nlohmann::ordered_json& document);
/// The same on one line, without a line end.
[[nodiscard]] std::string jsonLine(const nlohmann::ordered_json& document);

}  // namespace epsilens::document
