#pragma once

#include <string>
#include <vector>

namespace epsilens::fuzz {

/// A file of one kind, written by the program.
struct ExampleDocument {
    std::string target{};  ///< name of the fuzz target that reads this kind
    std::string json{};
};

/// Calibrations of three mechanisms, a report, sessions with and without results.
[[nodiscard]] std::vector<ExampleDocument> exampleDocuments();

}  // namespace epsilens::fuzz
