#pragma once

#include <string>
#include <string_view>

namespace epsilens::document {

/// The folder in which a file of this path is written, absolute: links are followed, as they are
/// when it is written.
[[nodiscard]] std::string folderOf(const std::string& path);

/// Name of the file beside a session that holds these results: NAME-0123456789abcdef.results with
/// digits of their SHA-256, so that other results never take the place of those that a session
/// refers to.
[[nodiscard]] std::string resultsName(const std::string& sessionPath, std::string_view results);

/// Removes what saves of a session left beside it: results of its name to which no session of the
/// folder refers. Removes nothing while one of the sessions cannot be read.
///
/// kept  name of results that stay in any case; may be empty
void removeUnusedResults(const std::string& sessionPath, const std::string& kept);

}  // namespace epsilens::document
