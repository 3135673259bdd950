#include "core/release/text_input.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <poll.h>

#include "core/base/pass_on.h"

namespace epsilens::release {
namespace {

tl::unexpected<Error> named(Error error, const std::string& name) {
    return tl::unexpected(error.code == ErrorCode::badFile ? inFile(std::move(error), name)
                                                           : std::move(error));
}

/// The longest begin of UTF-8 that fits and ends with a character.
std::string_view wholeCharacters(std::string_view text, std::size_t size) {
    if (size >= text.size()) {
        return text;
    }
    while ((static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
        --size;
    }
    return text.substr(0, size);
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

Result<TextInput::Read> TextInput::read(char* target, std::size_t size, int waitMs) {
    while (m_given == m_text.size()) {
        if (m_failure) {
            return tl::unexpected(*m_failure);
        }
        if (m_isEnd) {
            return Read{State::end, 0};
        }
        ASSIGN_OR_RETURN(const bool isMore, refill(waitMs));
        if (!isMore) {
            return Read{State::idle, 0};
        }
    }
    const std::string_view given = wholeCharacters(std::string_view(m_text).substr(m_given), size);
    std::copy(given.begin(), given.end(), target);
    m_given += given.size();
    return Read{State::data, given.size()};
}

Result<bool> TextInput::refill(int waitMs) {
    m_size = 0;
    // The first bytes decide whether this is text: as many as there are.
    do {
        pollfd waiting{m_input->descriptor(), POLLIN, 0};
        if (!m_input->size() && ::poll(&waiting, 1, waitMs) <= 0) {
            break;
        }
        const auto got = m_input->read(m_bytes.data() + m_size, m_bytes.size() - m_size);
        if (!got) {
            return named(got.error(), m_name);
        }
        m_size += *got;
        m_isEnd = *got == 0;
    } while (m_isStart && !m_isEnd && m_size < m_bytes.size());
    if (m_size == 0 && !m_isEnd) {
        return false;
    }
    m_text.clear();
    m_given = 0;
    if (auto decoded = m_decoder.decode({m_bytes.data(), m_size}, m_isEnd, m_text); !decoded) {
        m_failure = inFile(std::move(decoded.error()), m_name);
        m_failure->remedy = m_decoder.mayBeText() ? Remedy::givenFormat : Remedy::none;
        if (m_isStart) {
            m_text.clear();
        }
    }
    m_isStart = false;
    return true;
}

std::optional<double> TextInput::fractionRead() const {
    const auto size = m_input->size();
    if (!size) {
        return std::nullopt;
    }
    const auto before = static_cast<double>(m_input->bytesRead() - m_size);
    const double ofPiece =
        m_text.empty() ? 1.0 : static_cast<double>(m_given) / static_cast<double>(m_text.size());
    return *size == 0
               ? 1.0
               : (before + ofPiece * static_cast<double>(m_size)) / static_cast<double>(*size);
}

}  // namespace epsilens::release
