#pragma once

#include <array>
#include <string_view>

namespace epsilens::embedding {

/// Messages to try a mechanism on, in everyday English. All their words are in the built-in sample.
[[nodiscard]] constexpr std::array<std::string_view, 3> exampleSentences() {
    return {"My doctor moved the appointment at the hospital to Friday morning",
            "We will take the early train from Paris to London tomorrow",
            "Please send the money for the rent to my bank today"};
}

/// Two words to look at side by side.
struct ExamplePair {
    std::string_view first;
    std::string_view second;
};

/// Pairs of words of the same kind, all in both built-in samples.
[[nodiscard]] constexpr std::array<ExamplePair, 5> examplePairs() {
    return {{{"paris", "london"},
             {"doctor", "nurse"},
             {"car", "bus"},
             {"salmon", "trout"},
             {"monday", "friday"}}};
}

}  // namespace epsilens::embedding
