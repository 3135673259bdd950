#include "core/io/raw_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

/// Largest piece read and hashed at once: small enough to be hashed while it is in the cache.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr int kPollMs = 50;

std::string systemMessage(int code) {
    return std::system_category().message(code);
}

tl::unexpected<Error> cancelled() {
    return fail(ErrorCode::cancelled, "loading was cancelled");
}

tl::unexpected<Error> changed() {
    return fail(ErrorCode::badFile, "the file changed while it was read");
}

using Digest = std::array<unsigned char, 32>;

std::string inHexadecimal(const Digest& digest) {
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::int64_t modificationTime(const struct stat& status) {
    return static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
           status.st_mtim.tv_nsec;
}

}  // namespace

RawInput::RawInput(int descriptor, bool owned, std::stop_token stop)
    : m_descriptor(descriptor),
      m_owned(owned),
      m_stop(std::move(stop)),
      m_digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    EVP_DigestInit_ex(m_digest.get(), EVP_sha256(), nullptr);
}

RawInput::~RawInput() {
    if (m_owned) {
        ::close(m_descriptor);
    }
}

Result<std::unique_ptr<RawInput>> RawInput::open(const std::string& path, std::stop_token stop) {
    const bool standardInput = path == "-";
    // Without O_NONBLOCK, opening a FIFO waits for a writer and cannot be cancelled.
    const int descriptor = standardInput
                               ? STDIN_FILENO
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        return fail(ErrorCode::badFile,
                    fmt::format("cannot open the file: {}", systemMessage(errno)));
    }
    std::unique_ptr<RawInput> input(new RawInput(descriptor, !standardInput, std::move(stop)));
    RETURN_IF_ERROR(input->examine(standardInput));
    return input;
}

Result<void> RawInput::examine(bool standardInput) {
    struct stat status {};
    if (::fstat(m_descriptor, &status) != 0) {
        return fail(ErrorCode::badFile,
                    fmt::format("cannot examine the file: {}", systemMessage(errno)));
    }
    if (S_ISDIR(status.st_mode)) {
        return fail(ErrorCode::badFile, "this is a folder; give a file");
    }
    // Standard input of a regular file may stand anywhere in it, so it is read as a stream.
    if (standardInput || S_ISFIFO(status.st_mode)) {
        return {};
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(ErrorCode::badFile, "this is a device; give a file or a pipe");
    }
    m_size = static_cast<std::uint64_t>(status.st_size);
    m_modifiedNs = modificationTime(status);
    return {};
}

Result<std::size_t> RawInput::read(char* target, std::size_t size) {
    if (m_stop.stop_requested()) {
        return cancelled();
    }
    const std::size_t wanted = std::min(size, kPieceBytes);
    auto got = m_size ? readFile(target, wanted) : readStream(target, wanted);
    if (got && *got > 0) {
        EVP_DigestUpdate(m_digest.get(), target, *got);
        m_bytesRead += *got;
    }
    return got;
}

Result<std::size_t> RawInput::readFile(char* target, std::size_t size) {
    const std::uint64_t offset = m_bytesRead.load();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, *m_size - offset));
    if (wanted == 0) {
        return 0;
    }
    ssize_t got = -1;
    do {
        got = ::pread(m_descriptor, target, wanted, static_cast<off_t>(offset));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return fail(ErrorCode::badFile, fmt::format("reading failed: {}", systemMessage(errno)));
    }
    if (got == 0) {
        return changed();
    }
    return static_cast<std::size_t>(got);
}

Result<std::size_t> RawInput::readStream(char* target, std::size_t size) {
    while (!m_stop.stop_requested()) {
        pollfd waiting{m_descriptor, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, kPollMs);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;
        }
        const ssize_t got = ::read(m_descriptor, target, size);
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR && errno != EAGAIN) {
            return fail(ErrorCode::badFile,
                        fmt::format("reading failed: {}", systemMessage(errno)));
        }
    }
    return cancelled();
}

Result<void> RawInput::checkUnchanged() const {
    struct stat status {};
    if (m_size && (::fstat(m_descriptor, &status) != 0 ||
                   static_cast<std::uint64_t>(status.st_size) != *m_size ||
                   modificationTime(status) != m_modifiedNs)) {
        return changed();
    }
    return {};
}

Result<std::string> RawInput::finish() {
    std::vector<char> rest(kPieceBytes);
    for (std::size_t got = 1; got > 0;) {
        ASSIGN_OR_RETURN(const auto piece, read(rest.data(), rest.size()));
        got = piece;
    }
    RETURN_IF_ERROR(checkUnchanged());
    Digest digest{};
    EVP_DigestFinal_ex(m_digest.get(), digest.data(), nullptr);
    return inHexadecimal(digest);
}

std::string sha256(const void* bytes, std::size_t size) {
    Digest digest{};
    EVP_Digest(bytes, size, digest.data(), nullptr, EVP_sha256(), nullptr);
    return inHexadecimal(digest);
}

}  // namespace epsilens::io
