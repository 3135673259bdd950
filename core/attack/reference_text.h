#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/attack/bigrams.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/vocabulary.h"
#include "core/text/letter_case.h"

namespace epsilens::attack {

/// A text from which an attacker knows how often words occur, and which follow each other.
struct ReferenceText {
    std::string file{};                  ///< name without folders
    std::vector<std::int64_t> counts{};  ///< of each of V words
    Bigrams bigrams{};                   ///< without pairs where only counts are known
    std::int64_t knownWords = 0;         ///< sum of the counts
};

using ReferenceTextHandle = std::shared_ptr<const ReferenceText>;

/// Reads the file of --prior: a text, or in every line a word, a tab and a count.
///
/// letterCase  as words of the data set are looked up
/// Fails with badFile, also where no word of it is in the vocabulary, and with cancelled.
[[nodiscard]] Result<ReferenceTextHandle> readReferenceText(const std::string& path,
                                                            const embedding::Vocabulary& vocabulary,
                                                            text::CasePolicy letterCase,
                                                            const JobContext& job = {});

}  // namespace epsilens::attack
