#include "core/release/text_input.h"

#include <utility>

#include <poll.h>

namespace epsilens::release {
namespace {

tl::unexpected<Error> named(Error error, const std::string& name) {
    if (error.code == ErrorCode::badFile) {
        error.message = name + ": " + error.message;
    }
    return tl::unexpected(std::move(error));
}

}  // namespace

Result<TextInput> TextInput::open(const std::string& path, std::stop_token stop) {
    const std::string name = path == "-" ? "standard input" : path;
    auto input = io::RawInput::open(path, std::move(stop));
    if (!input) {
        return named(input.error(), name);
    }
    return TextInput(std::move(*input), name);
}

Result<TextInput::Read> TextInput::read(char* target, std::size_t size, int waitMs) {
    pollfd waiting{m_input->descriptor(), POLLIN, 0};
    if (!m_input->size() && ::poll(&waiting, 1, waitMs) <= 0) {
        return Read{State::idle, 0};
    }
    const auto got = m_input->read(target, size);
    if (!got) {
        return named(got.error(), m_name);
    }
    return Read{*got > 0 ? State::data : State::end, *got};
}

}  // namespace epsilens::release
