#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"

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

}  // namespace epsilens::release
