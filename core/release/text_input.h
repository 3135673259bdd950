#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/raw_input.h"
#include "core/io/text_decoder.h"

namespace epsilens::release {

/// The text to be released, read bit by bit as it comes, as well-formed UTF-8 without NUL.
class TextInput {
public:
    enum class State {
        data,  ///< characters were read
        idle,  ///< none came for the time waited
        end    ///< there are no more
    };
    struct Read {
        State state = State::end;
        std::size_t bytes = 0;
    };

    /// So many bytes take any character.
    static constexpr std::size_t kLeastRead = 4;

    /// path  of a regular file or FIFO; "-" is standard input, whatever it is
    /// Fails with badFile for what is missing, unreadable, a folder or a device, and with
    /// invalidArgument for an encoding that is not known; the error names the file.
    [[nodiscard]] static Result<TextInput> open(const std::string& path,
                                                const io::TextDecoding& decoding,
                                                std::stop_token stop = {});

    /// Waits at most so long for the first byte, and takes what is there: whole characters.
    ///
    /// size  at least kLeastRead
    /// Fails with cancelled, and with badFile, also for bytes that are no text, as TextDecoder
    /// says: among the first that come before anything is given out, further on behind the
    /// characters before them.
    [[nodiscard]] Result<Read> read(char* target, std::size_t size, int waitMs);

    /// The path, or "standard input".
    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] const io::TextDecoding& decoding() const { return m_decoder.decoding(); }
    /// Places at which U+FFFD stands for bytes, in what was read from the file.
    [[nodiscard]] std::int64_t replaced() const { return m_decoder.replaced(); }
    /// Which part of the file has been given out, in [0, 1]; nothing for streams.
    [[nodiscard]] std::optional<double> fractionRead() const;

private:
    TextInput(std::unique_ptr<io::RawInput> input, io::TextDecoder decoder, std::string name);

    /// Decodes the next bytes; false when none came for the time waited.
    [[nodiscard]] Result<bool> refill(int waitMs);

    std::unique_ptr<io::RawInput> m_input;
    io::TextDecoder m_decoder;
    std::string m_name;
    std::vector<char> m_bytes;
    std::size_t m_size = 0;  ///< bytes that m_text was decoded from
    std::string m_text{};
    std::size_t m_given = 0;  ///< bytes of m_text
    bool m_isStart = true;    ///< nothing has been decoded
    bool m_isEnd = false;
    std::optional<Error> m_failure{};  ///< behind m_text
};

}  // namespace epsilens::release
