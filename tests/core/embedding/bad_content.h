#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tests/core/embedding/embedding_files.h"
#include "tests/support/refusal.h"

namespace epsilens::test {

/// Checks that the content is refused as a bad file, for a reason of which this is a part; gives
/// the error.
inline Error checkBadContent(std::string_view content, const std::string& part = {},
                             embedding::LoadOptions options = {}) {
    return checkRefused(loadContent(content, std::move(options)), ErrorCode::badFile, part);
}

}  // namespace epsilens::test
