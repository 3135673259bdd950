#pragma once

#include <stop_token>
#include <string>

#include "core/base/error.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::embedding {

/// Reads a file with a word a line, plain or compressed as embeddings are; blanks around words,
/// blank lines and repetitions do not count. Fails with badFile, also when there is no word, and
/// cancelled; the error names the file.
[[nodiscard]] Result<Vocabulary> readWordList(const std::string& path, std::stop_token stop = {});

}  // namespace epsilens::embedding
