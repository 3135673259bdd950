#pragma once

#include <cstddef>
#include <string_view>

namespace epsilens::text {

/// Finds web and mail addresses: scheme://rest, www.rest, host.tld/rest, name@host.tld.
///
/// Punctuation at the end (full stop, comma, unmatched closing bracket, …) is not part of an
/// address. A bare host name (example.com) is not an address but a word.
class AddressFinder {
public:
    explicit AddressFinder(std::string_view text) : m_text(text) {}

    /// End of the address that begins at `begin`, a letter or digit; `begin` if there is none.
    /// Positions must ascend from call to call; all calls together take time linear in the text.
    [[nodiscard]] std::size_t endOfAddress(std::size_t begin);

private:
    [[nodiscard]] std::size_t endOfRun(std::size_t begin) const;
    [[nodiscard]] std::size_t endOfTail(std::size_t begin) const;
    [[nodiscard]] std::size_t trimTail(std::size_t begin, std::size_t end) const;
    [[nodiscard]] bool isHost(std::size_t begin, std::size_t end) const;
    [[nodiscard]] std::size_t endOfMail(std::size_t at) const;

    std::string_view m_text;
    /// No address begins before this byte. The characters after a run of host and name characters
    /// decide for all positions in the run, so that each run is checked once.
    std::size_t m_noneBefore = 0;
};

}  // namespace epsilens::text
