#pragma once

#include <cstdint>

#include "core/experiment/reference_text.h"

namespace epsilens::experiment {

/// What an attacker believes about words before he sees a release.
enum class PriorKind {
    training,  ///< from the training part of the data set
    file,      ///< from a reference text
    uniform    ///< every word is equally likely
};

/// Replaced words whose originals are guessed, in whole test documents.
inline constexpr std::int64_t kAttackedWords = 20'000;

/// Options of the tasks that attack.
struct AttackOptions {
    PriorKind prior = PriorKind::training;
    ReferenceTextHandle reference{};  ///< of PriorKind::file
    /// Of reconstruction only the attackers who compete for the best: their figures are the same,
    /// and what else a report has (controls, bounds) is left out. For searches, which read nothing
    /// else at many settings.
    bool bestAlone = false;
};

}  // namespace epsilens::experiment
