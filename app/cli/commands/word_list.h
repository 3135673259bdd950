#pragma once

#include <stop_token>
#include <string>

#include "app/cli/console.h"
#include "core/base/error.h"
#include "core/calibration/options.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::cli {

/// What --words asks for, before the vocabulary is known.
struct WordsOption {
    calibration::WordSelection selection{};
    std::string listPath{};  ///< of @file, empty otherwise
    bool asked = false;      ///< typed, not the default
};

/// Reads "all", a number, "@file"; empty text gives the default of 500 random words.
[[nodiscard]] Result<WordsOption> parseWords(const std::string& typed);

/// The selection on a vocabulary. Words of a list file that the vocabulary does not have are
/// counted on the console. Fails with badFile when the file cannot be read or none of its words is
/// known.
[[nodiscard]] Result<calibration::WordSelection> resolveWords(const WordsOption& option,
                                                              const embedding::Vocabulary& words,
                                                              Console& console,
                                                              std::stop_token stop);

}  // namespace epsilens::cli
