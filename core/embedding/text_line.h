#pragma once

#include <cstdint>
#include <string_view>

namespace epsilens::embedding {

/// What a row of an embedding file is good for.
enum class RowStatus : std::uint8_t {
    usable,
    blank,
    wrongLength,
    emptyWord,
    invalidText,
    controlCharacter,
    notFinite
};

struct ParsedLine {
    RowStatus status = RowStatus::blank;
    std::string_view word{};  ///< part of the line; all of it when its length is wrong
};

/// Splits a line into its word and its last `dimensions` numbers.
///
/// Numbers are separated by blanks or tabs; blanks and a carriage return at the end do not count.
/// The first token is part of the word unless the line begins with a blank; the word is everything
/// before the numbers and may hold blanks. A line with further numbers between them has the wrong
/// length, as a word of several parts that ends in a number is less likely than a shifted row.
///
/// line    without its line end
/// values  room for `dimensions` numbers; undefined unless the status is usable
[[nodiscard]] ParsedLine parseLine(std::string_view line, std::int64_t dimensions, float* values);

/// Status of a row of a word and `dimensions` values: usable, emptyWord, invalidText,
/// controlCharacter or notFinite.
[[nodiscard]] RowStatus judgeRow(std::string_view word, const float* values,
                                 std::int64_t dimensions);

/// Numbers at the end of a line, read as parseLine does.
[[nodiscard]] std::int64_t countNumbers(std::string_view line);

}  // namespace epsilens::embedding
