#include "core/release/release_manifest.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/io/replace_file.h"

namespace epsilens::release {
namespace {

/// Keeps other processes out while it exists.
class FileLock {
public:
    [[nodiscard]] static Result<FileLock> take(int descriptor, const std::string& path) {
        return change(descriptor, F_WRLCK) ? Result<FileLock>(FileLock(descriptor))
                                           : io::cannotWrite(path, errno);
    }
    ~FileLock() {
        if (m_descriptor >= 0) {
            change(m_descriptor, F_UNLCK);
        }
    }
    FileLock(FileLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    FileLock& operator=(FileLock&&) = delete;

private:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}

    static bool change(int descriptor, short type) {
        struct flock range {};
        range.l_type = type;
        range.l_whence = SEEK_SET;
        int result = -1;
        do {
            result = fcntl(descriptor, F_OFD_SETLKW, &range);
        } while (result != 0 && errno == EINTR);
        return result == 0;
    }

    int m_descriptor;
};

/// What a file holds behind so many bytes; nothing where it cannot be read.
std::optional<std::string> textBehind(int descriptor, std::int64_t offset) {
    std::string text;
    std::array<char, 1 << 16> bytes{};
    while (true) {
        const ssize_t count = pread(descriptor, bytes.data(), bytes.size(),
                                    static_cast<off_t>(offset) + static_cast<off_t>(text.size()));
        if (count < 0 && errno != EINTR) {
            return std::nullopt;
        }
        if (count == 0) {
            return text;
        }
        text.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
}

/// Calls act(line) for each whole line, without its end; returns the bytes of these lines.
template <typename Act>
std::size_t forLines(std::string_view text, const Act& act) {
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos;
         end = text.find('\n', begin)) {
        act(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return begin;
}

}  // namespace

std::string_view ReleaseManifest::nameOf(State state) {
    switch (state) {
        case State::begun:
            return "begun";
        case State::done:
            return "done";
        case State::failed:
            return "failed";
        case State::open:
            break;
    }
    return "open";
}

std::optional<ReleaseManifest::State> ReleaseManifest::stateOf(std::string_view name) {
    for (const State state : {State::begun, State::done, State::failed}) {
        if (name == nameOf(state)) {
            return state;
        }
    }
    return std::nullopt;
}

Result<void> ReleaseManifest::restart(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno == ENOENT ? io::replaceFile(path, {}) : io::cannotWrite(path, errno);
    }
    const auto text = textBehind(descriptor, 0);
    const int readError = errno;
    close(descriptor);
    if (!text) {
        return io::cannotWrite(path, readError);
    }
    // A line without an end was being written when the machine stopped.
    std::string kept;
    bool isManifest = true;
    forLines(*text, [&](std::string_view line) {
        const auto state = stateOf(line.substr(0, line.find('\t')));
        isManifest = isManifest && state && line.find('\t') != std::string_view::npos;
        if (state == State::done) {
            kept += fmt::format("{}\n", line);
        }
    });
    if (!isManifest) {
        return tl::unexpected(Error{
            ErrorCode::badFile,
            "this is no manifest of sanitize --list; name another file: --manifest FILE", path, 0});
    }
    return kept == *text ? Result<void>() : io::replaceFile(path, kept);
}

Result<ReleaseManifest> ReleaseManifest::open(const std::string& path,
                                              const std::vector<std::string>& names) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) {
        return io::cannotWrite(path, errno);
    }
    return ReleaseManifest(descriptor, path, names);
}

ReleaseManifest::ReleaseManifest(int descriptor, std::string path,
                                 const std::vector<std::string>& names)
    : m_descriptor(descriptor),
      m_path(std::move(path)),
      m_names(names),
      m_states(names.size(), State::open) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_places.emplace(names[i], i);
    }
}

ReleaseManifest::~ReleaseManifest() {
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
}

ReleaseManifest::ReleaseManifest(ReleaseManifest&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_path(std::move(other.m_path)),
      m_names(std::move(other.m_names)),
      m_places(std::move(other.m_places)),
      m_states(std::move(other.m_states)),
      m_firstOpen(other.m_firstOpen),
      m_read(other.m_read) {}

Result<std::optional<std::size_t>> ReleaseManifest::take() {
    ASSIGN_OR_RETURN(const auto lock, FileLock::take(m_descriptor, m_path));
    RETURN_IF_ERROR(update());
    while (m_firstOpen < m_states.size() && m_states[m_firstOpen] != State::open) {
        ++m_firstOpen;
    }
    if (m_firstOpen == m_states.size()) {
        return std::nullopt;
    }
    const std::size_t text = m_firstOpen;
    return append(State::begun, text).map([&] { return std::optional(text); });
}

Result<void> ReleaseManifest::finish(std::size_t text, bool isReleased) {
    ASSIGN_OR_RETURN(const auto lock, FileLock::take(m_descriptor, m_path));
    RETURN_IF_ERROR(append(isReleased ? State::done : State::failed, text));
    return fdatasync(m_descriptor) == 0 ? Result<void>() : io::cannotWrite(m_path, errno);
}

Result<ReleaseManifest::Counts> ReleaseManifest::counts() {
    ASSIGN_OR_RETURN(const auto lock, FileLock::take(m_descriptor, m_path));
    RETURN_IF_ERROR(update());
    Counts counts;
    for (const State state : m_states) {
        counts.done += state == State::done ? 1 : 0;
        counts.failed += state == State::failed ? 1 : 0;
        counts.open += state == State::open || state == State::begun ? 1 : 0;
    }
    return counts;
}

Result<void> ReleaseManifest::update() {
    const auto text = textBehind(m_descriptor, m_read);
    if (!text) {
        return io::cannotWrite(m_path, errno);
    }
    m_read += static_cast<std::int64_t>(forLines(*text, [this](auto line) { apply(line); }));
    return {};
}

void ReleaseManifest::apply(std::string_view line) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const auto state = stateOf(line.substr(0, tab));
    const auto place = m_places.find(std::string(line.substr(std::min(tab + 1, line.size()))));
    // Texts of an earlier list are none of this one's.
    if (state && place != m_places.end()) {
        m_states[place->second] = *state;
    }
}

Result<void> ReleaseManifest::append(State state, std::size_t text) {
    return io::writeAll(m_descriptor, fmt::format("{}\t{}\n", nameOf(state), m_names[text]),
                        m_path);
}

}  // namespace epsilens::release
