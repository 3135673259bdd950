#pragma once

#include <array>
#include <string_view>

namespace epsilens::embedding {

/// Two words to look at side by side.
struct ExamplePair {
    std::string_view first;
    std::string_view second;
};

/// Messages to try a mechanism on, in everyday English. All their words are in the built-in sample.
[[nodiscard]] const std::array<std::string_view, 3>& exampleSentences();

/// Pairs of words of the same kind, all in both built-in samples.
[[nodiscard]] const std::array<ExamplePair, 5>& examplePairs();

}  // namespace epsilens::embedding
