#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"

namespace epsilens::release {

/// Which texts of a list are begun, done or failed: a file that outlives a broken run, and from
/// which several processes, also on several machines, take their next text. A line for each change,
/// a state, a tab and the name of the released file; the last line about a file counts. No sizes
/// and no hashes: those of an unprotected text would tell what it was.
///
/// Every change is made under a lock of the file, which the file system must have.
class ReleaseManifest {
public:
    struct Counts {
        std::int64_t done = 0;
        std::int64_t failed = 0;
        std::int64_t open = 0;  ///< begun or not
    };

    /// Prepares the file of an earlier run, or a new one: what is done stays, all else is to be
    /// done again. By one process, before any opens the file. Fails with badFile where it is no
    /// manifest, else as io::replaceFile.
    [[nodiscard]] static Result<void> restart(const std::string& path);
    /// names  of the released files, each once
    /// Fails with ioFailed.
    [[nodiscard]] static Result<ReleaseManifest> open(const std::string& path,
                                                      const std::vector<std::string>& names);

    ~ReleaseManifest();
    ReleaseManifest(ReleaseManifest&& other) noexcept;
    ReleaseManifest& operator=(ReleaseManifest&&) = delete;

    /// The first text that nobody has begun, begun by this; nothing when there is none. Fails with
    /// ioFailed.
    [[nodiscard]] Result<std::optional<std::size_t>> take();
    /// Notes how a text that was taken ended, on the disk. Fails with ioFailed.
    [[nodiscard]] Result<void> finish(std::size_t text, bool isReleased);
    /// As all processes left it. Fails with ioFailed.
    [[nodiscard]] Result<Counts> counts();

private:
    enum class State : std::uint8_t { open, begun, done, failed };

    ReleaseManifest(int descriptor, std::string path, const std::vector<std::string>& names);

    /// Learns what others have written.
    [[nodiscard]] Result<void> update();
    [[nodiscard]] Result<void> append(State state, std::size_t text);
    [[nodiscard]] static std::string_view nameOf(State state);
    [[nodiscard]] static std::optional<State> stateOf(std::string_view name);
    void apply(std::string_view line);

    int m_descriptor;
    std::string m_path;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::size_t> m_places{};
    std::vector<State> m_states;
    std::size_t m_firstOpen = 0;  ///< none before it is open
    std::int64_t m_read = 0;      ///< bytes of the file
};

}  // namespace epsilens::release
