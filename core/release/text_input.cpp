#include "core/release/text_input.h"

#include <algorithm>
#include <utility>

#include <poll.h>

#include "core/base/error.h"

namespace epsilens::release {
namespace {

tl::unexpected<Error> named(Error error, const std::string& name) {
    return tl::unexpected(error.code == ErrorCode::badFile ? inFile(name)(std::move(error))
                                                           : std::move(error));
}

}  // namespace

TextInput::TextInput(std::unique_ptr<io::RawInput> input, io::TextDecoder decoder, std::string name)
    : m_input(std::move(input)),
      m_decoder(std::move(decoder)),
      m_name(std::move(name)),
      m_bytes(io::TextDecoder::kFirstBytes) {}

Result<TextInput> TextInput::open(const std::string& path, const io::TextDecoding& decoding,
                                  std::stop_token stop) {
    const std::string name = path == "-" ? "standard input" : path;
    ASSIGN_OR_RETURN(io::TextDecoder decoder, io::TextDecoder::create(decoding));
    auto input = io::RawInput::open(path, std::move(stop));
    if (!input) {
        return named(input.error(), name);
    }
    return TextInput(std::move(*input), std::move(decoder), name);
}

Result<TextInput::State> TextInput::read(std::string& text, int waitMs) {
    std::size_t size = 0;
    // The first bytes decide whether this is text: as many as there are.
    do {
        pollfd waiting{m_input->descriptor(), POLLIN, 0};
        if (!m_input->size() && ::poll(&waiting, 1, waitMs) <= 0) {
            break;
        }
        const auto got = m_input->read(m_bytes.data() + size, m_bytes.size() - size);
        if (!got) {
            return named(got.error(), m_name);
        }
        size += *got;
        m_isEnd = *got == 0;
    } while (m_isStart && !m_isEnd && size < m_bytes.size());
    if (size == 0 && !m_isEnd) {
        return State::idle;
    }
    const std::size_t before = text.size();
    auto decoded = m_decoder.decode({m_bytes.data(), size}, m_isEnd, text);
    if (!decoded) {
        text.resize(m_isStart ? before : text.size());
        Error error = inFile(m_name)(std::move(decoded.error()));
        error.remedy = m_decoder.mayBeText() ? Remedy::givenFormat : Remedy::none;
        return tl::unexpected(std::move(error));
    }
    m_isStart = false;
    return m_isEnd ? State::end : State::data;
}

std::optional<double> TextInput::fractionRead(std::size_t without) const {
    const auto size = m_input->size();
    if (!size) {
        return std::nullopt;
    }
    const auto read = static_cast<double>(m_input->bytesRead());
    return *size == 0
               ? 1.0
               : std::max(0.0, read - static_cast<double>(without)) / static_cast<double>(*size);
}

}  // namespace epsilens::release
