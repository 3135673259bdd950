#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"

namespace epsilens::release {

/// The text to be released, read bit by bit as it comes, as well-formed UTF-8 without NUL.
class TextInput {
public:
    enum class State {
        data,  ///< bytes were read
        idle,  ///< none came for the time waited
        end    ///< there are no more
    };

    /// path  of a regular file or FIFO; "-" is standard input, whatever it is
    /// Fails with badFile for what is missing, unreadable, a folder or a device, and with
    /// invalidArgument for an encoding that is not known; the error names the file.
    [[nodiscard]] static Result<TextInput> open(const std::string& path,
                                                const io::TextDecoding& decoding,
                                                std::stop_token stop = {});

    /// Waits at most so long for bytes, and appends the whole characters of what is there.
    ///
    /// Fails with cancelled, and with badFile, also for bytes that are no text, as TextDecoder
    /// says: among the first that come nothing is appended, further on the characters before them.
    [[nodiscard]] Result<State> read(std::string& text, int waitMs);

    /// The path, or "standard input".
    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] const io::TextDecoding& decoding() const { return m_decoder.decoding(); }
    /// Places at which U+FFFD stands for bytes, in what was read from the file.
    [[nodiscard]] std::int64_t replaced() const { return m_decoder.replaced(); }
    /// Which part of the file was read but for its last bytes, in [0, 1]; nothing for streams.
    [[nodiscard]] std::optional<double> fractionRead(std::size_t without) const;

private:
    TextInput(std::unique_ptr<io::RawInput> input, io::TextDecoder decoder, std::string name);

    std::unique_ptr<io::RawInput> m_input;
    io::TextDecoder m_decoder;
    std::string m_name;
    std::vector<char> m_bytes;
    bool m_isStart = true;  ///< nothing has been decoded
    bool m_isEnd = false;
};

}  // namespace epsilens::release
