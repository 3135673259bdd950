#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/record_reader.h"

namespace epsilens::test {

/// A made-up table in one of the formats with columns, and what a reader has to find in it: it is
/// written from its cells, and no parser takes part. Cells of the columns to be released have the
/// letters A to M, which stand nowhere else.
struct RandomTable {
    io::RecordFormat format{};
    bool isNamed = false;                ///< a format that files are named for and nobody types
    std::vector<std::string> columns{};  ///< to be released: names, or numbers from 1
    std::string bytes{};
    std::string released{};  ///< with an x in the place of each of those letters
    /// All records with the one that has the names; empty where the number of cells is wrong.
    std::vector<std::vector<std::string>> cells{};
    enum class Defect { none, numberOfCells, other } defect = Defect::none;
};

/// With an x for each letter from A to M.
[[nodiscard]] std::string withoutSecrets(std::string text);

/// About every third table has a defect, in one record.
[[nodiscard]] RandomTable randomTable(io::RecordFormat format, std::uint64_t seed);

}  // namespace epsilens::test
