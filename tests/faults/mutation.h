#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace epsilens::test {

/// Changes files and options at random, the same way for the same seed.
class Mutation {
public:
    explicit Mutation(std::uint64_t seed) : m_random(seed) {}

    /// A number below `end`, which is at least 1.
    [[nodiscard]] std::size_t below(std::size_t end) { return m_random() % end; }
    [[nodiscard]] bool oneIn(std::size_t chances) { return below(chances) == 0; }

    /// One to four changes: bits, bytes and ranges changed, removed, repeated, moved or put in;
    /// numbers and words replaced by those that programs stumble over; the end cut off; zeros, line
    /// ends, quotes, brackets and bytes of other encodings put in.
    ///
    /// other  content from which a piece may be taken
    [[nodiscard]] std::string changed(std::string content, std::string_view other);

private:
    void changeOnce(std::string& content, std::string_view other);
    void replaceNumber(std::string& content);
    [[nodiscard]] std::size_t place(const std::string& content);
    [[nodiscard]] std::size_t length(const std::string& content, std::size_t from);

    std::mt19937_64 m_random;
};

}  // namespace epsilens::test
