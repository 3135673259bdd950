#pragma once

#include <string>
#include <vector>

namespace epsilens::test {

/// A text in another encoding than UTF-8.
struct ForeignText {
    std::string encoding{};
    std::string bytes{};
    std::string utf8{};  ///< the same text
    bool isTold = true;  ///< whether a message can name the encoding
};

/// A sentence in each of the encodings that text often comes in. The legacy ones were encoded by
/// Python 3.11; UTF-16 and UTF-32 are the code units of the compiler.
[[nodiscard]] std::vector<ForeignText> foreignTexts();

}  // namespace epsilens::test
