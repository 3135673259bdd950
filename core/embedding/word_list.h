#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::embedding {

/// Reads a file with a word a line, plain or compressed as embeddings are; blanks around words,
/// blank lines and repetitions do not count. Fails with badFile, also for bytes that are no UTF-8
/// and when there is no word, resourceLimit and cancelled; the error names the file.
///
/// memoryLimit  largest memory to take, in bytes; 0: what the system leaves
[[nodiscard]] Result<Vocabulary> readWordList(const std::string& path, std::stop_token stop = {},
                                              std::uint64_t memoryLimit = 0);

/// Words of a list that a vocabulary has.
struct ListedWords {
    std::vector<Row> rows{};  ///< in the order of the list, each once
    std::int64_t words = 0;   ///< of the list, known or not
};

/// Looks up the words of a list as they are written there. Fails as readWordList does; not when no
/// word is known.
[[nodiscard]] Result<ListedWords> findListedWords(const std::string& path,
                                                  const Vocabulary& vocabulary,
                                                  std::stop_token stop = {});

}  // namespace epsilens::embedding
