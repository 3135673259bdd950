#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/embedding/vocabulary.h"
#include "core/experiment/data_set.h"
#include "core/experiment/perturber.h"
#include "core/experiment/tokenised_documents.h"

namespace epsilens::experiment {

/// The texts of documents as a setting releases them: words in the case pattern of those that they
/// stand for, and all between them as it was. For study from a seed, never for release.
///
/// documents  those of the pool, in its order
/// policies   those that the documents were tokenised with
[[nodiscard]] std::vector<std::string> writeDocuments(const DataSet& data,
                                                      const embedding::Vocabulary& vocabulary,
                                                      const ReplacementPolicies& policies,
                                                      std::span<const std::int64_t> documents,
                                                      const PerturbedPool& pool,
                                                      std::size_t setting, int threads = 0);

}  // namespace epsilens::experiment
