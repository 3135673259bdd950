#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/error.h"
#include "core/io/raw_input.h"

namespace epsilens::release {

/// The text to be released, read bit by bit as it comes.
class TextInput {
public:
    enum class State {
        data,  ///< bytes were read
        idle,  ///< none came for the time waited
        end    ///< there are no more
    };
    struct Read {
        State state = State::end;
        std::size_t bytes = 0;
    };

    /// path  of a regular file or FIFO; "-" is standard input, whatever it is
    /// Fails with badFile for what is missing, unreadable, a folder or a device; the error names
    /// the file.
    [[nodiscard]] static Result<TextInput> open(const std::string& path, std::stop_token stop);

    /// Waits at most so long for the first byte, and takes what is there. Fails with badFile and
    /// cancelled.
    [[nodiscard]] Result<Read> read(char* target, std::size_t size, int waitMs);

    /// Bytes in all; nothing for streams.
    [[nodiscard]] std::optional<std::uint64_t> size() const { return m_input->size(); }

private:
    TextInput(std::unique_ptr<io::RawInput> input, std::string name)
        : m_input(std::move(input)), m_name(std::move(name)) {}

    std::unique_ptr<io::RawInput> m_input;
    std::string m_name;
};

}  // namespace epsilens::release
