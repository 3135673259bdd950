#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/release/counts.h"

namespace epsilens::release {

/// A text of a list, and where its released form goes.
struct ListedText {
    std::string input{};
    std::string output{};
    std::string sidecar{};  ///< empty: none is written
};

/// Reads a list of texts, one a line: the file of the text, a tab, the file for its released form,
/// and perhaps another tab and the file for the sidecar. Empty lines do not count.
///
/// record    a file that the run writes beside the listed ones
/// alsoRead  other files that it reads; "-" is standard input
/// Fails with badFile, also when there is no text, when one file would be written twice, and when
/// one that is read or the list itself would be overwritten, under whatever name; the error names
/// the list.
[[nodiscard]] Result<std::vector<ListedText>> readTextList(const std::string& path,
                                                           const std::string& record,
                                                           std::vector<std::string> alsoRead,
                                                           const std::stop_token& stop = {});

/// Which texts of a list are released: a file that outlives a broken run, and that only its owner
/// may read. It has a line for each text: the name of the released file, a fingerprint of all that
/// decides what comes out, device, inode and time of modification of the text, and how much of it
/// was left unprotected. Nothing else in it follows from what a text says.
class ReleaseRecord {
public:
    [[nodiscard]] static std::string pathFor(const std::string& list) { return list + ".done"; }
    /// Begins the record anew with those of the texts that it has as they are now.
    ///
    /// settings   of the run, as text: all that decides what comes out
    /// isResumed  else no text counts as released
    /// Fails with badFile where another file has the name, and with ioFailed.
    [[nodiscard]] static Result<ReleaseRecord> open(const std::string& path,
                                                    const std::vector<ListedText>& texts,
                                                    const std::string& settings, bool isResumed);

    /// Of a text, by its place in the list, that was released and whose files are still there: what
    /// was left unprotected, and nothing else. Nothing for a text that is to be released.
    [[nodiscard]] const std::optional<ReleaseCounts>& before(std::size_t text) const {
        return m_before[text];
    }
    /// What the record says of a text once it is released; to be asked before it is read. Empty for
    /// what is no regular file, and may be another text every time.
    [[nodiscard]] std::string lineOf(const ListedText& text) const;
    /// Notes a released text, on the disk. Fails with ioFailed.
    [[nodiscard]] Result<void> add(const std::string& line, const ReleaseCounts& counts) const;

private:
    ReleaseRecord(std::string path, const std::string& settings);

    std::string m_path;
    std::string m_settings;  ///< fingerprint
    std::vector<std::optional<ReleaseCounts>> m_before{};
};

}  // namespace epsilens::release
