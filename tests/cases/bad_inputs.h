#pragma once

#include <string>
#include <vector>

namespace epsilens::test {

/// An input that people really give, and what the program answers.
struct BadInput {
    std::string name{};
    std::string file{};  ///< content of an embedding file; empty: the case has none
    /// Of the command line; "@" stands for the path of the file.
    std::vector<std::string> arguments{};
    int exitCode = 0;
    std::string message{};  ///< part of standard error; empty: nothing is said
    std::string input{};    ///< standard input
};

/// Embedding files that are degenerate or beyond what can be calculated with.
[[nodiscard]] std::vector<BadInput> badEmbeddings();
/// Options at and outside the borders of their ranges, and work that would take too much.
[[nodiscard]] std::vector<BadInput> badOptions();
/// Texts without words, too long, or of bytes and scripts that are easily got wrong.
[[nodiscard]] std::vector<BadInput> badTexts();

}  // namespace epsilens::test
