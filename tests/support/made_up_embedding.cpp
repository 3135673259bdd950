#include "tests/support/made_up_embedding.h"

#include <fmt/format.h>

#include "core/base/random_stream.h"

namespace epsilens::test {

std::string madeUpGlove(int words, int dimensions, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose::wordSelection, 0, 0});
    std::string text;
    for (int word = 0; word < words; ++word) {
        text += fmt::format("w{}", word);
        for (int column = 0; column < dimensions; ++column) {
            text += fmt::format(" {:.4f}", stream.normal() / (1.0 + column));
        }
        text += '\n';
    }
    return text;
}

}  // namespace epsilens::test
