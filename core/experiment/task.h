#pragma once

#include <string_view>

#include "core/base/error.h"

namespace epsilens::experiment {

/// What an evaluation measures. All but the first are attacks on the released text.
enum class Task {
    classify,     ///< is the text still useful to learn from? utility.md
    reconstruct,  ///< which words does an attacker guess? attack/reconstruction.md
    membership,   ///< was a text used to train the classifier? attack/membership.md
    authorship,   ///< who wrote the text? attack/authorship.md
    audit         ///< whose texts was a language model trained on? attack/model_audit.md
};

/// Reads the names of --task: classify, reconstruct, membership, authorship, audit. Fails with
/// invalidArgument.
[[nodiscard]] Result<Task> parseTask(std::string_view name);
/// The name that parseTask reads.
[[nodiscard]] std::string_view taskName(Task task);

}  // namespace epsilens::experiment
