#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epsilens::io {

/// The text between quotes, its own ones doubled.
[[nodiscard]] std::string quotedField(std::string_view text);

/// A field of a comma-separated file, quoted when RFC 4180 asks for it.
[[nodiscard]] std::string csvField(std::string_view text);

/// Whether a spreadsheet would run a field with this content: it begins with = + - @ tab or CR.
[[nodiscard]] bool isFormula(std::string_view text);

/// The same for a word or another text that comes from outside: with an apostrophe before those
/// that isFormula.
[[nodiscard]] std::string csvWord(std::string_view text);

/// Shortest text that reads back as the same number; empty for what does not exist or is not
/// finite.
[[nodiscard]] std::string csvNumber(double value);
[[nodiscard]] std::string csvNumber(const std::optional<double>& value);

/// Appends the fields as one line; the fields are quoted already.
void appendCsvLine(std::string& text, const std::vector<std::string>& fields);

}  // namespace epsilens::io
