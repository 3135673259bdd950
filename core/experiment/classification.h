#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation.h"
#include "core/experiment/labelled_tokens.h"
#include "core/experiment/perturber.h"
#include "core/experiment/split.h"

namespace epsilens::experiment {

/// What training and testing need to know of the words.
struct WordNumbers {
    const TokenisedDocuments& words;
    const DataSet& data;
    std::int64_t vocabulary = 0;  ///< V
    bool keepsUnknown = false;    ///< unknown words are released as they are

    /// A masked word, after all rows and spellings.
    [[nodiscard]] Row mask() const {
        return static_cast<Row>(vocabulary + words.unknownSpellings());
    }
};

/// Documents as they were typed.
[[nodiscard]] LabelledTokens typedDocuments(const WordNumbers& numbers,
                                            std::span<const std::int64_t> documents);
/// Documents as a setting releases them.
///
/// documents  those of the pool, in its order
[[nodiscard]] LabelledTokens releasedDocuments(const WordNumbers& numbers,
                                               std::span<const std::int64_t> documents,
                                               const PerturbedPool& pool, std::size_t setting);

/// Scores of a model, with what an own split needs beside them.
struct ModelScores {
    Scores scores{};
    std::vector<Scores> resampled{};  ///< on resampled test documents; empty unless asked for
    std::vector<bool> correct{};      ///< for each test document; empty unless asked for
};

/// For processes that share an evaluation; see Packer.
template <typename Archive>
void transfer(Archive& archive, ModelScores& scores) {
    archive(scores.scores, scores.resampled, scores.correct);
}

/// Trains on some documents and scores on others.
///
/// resamples  seed of the resampled test documents, the same for models that are compared; nothing:
///            neither these nor the decisions about the documents are wanted
[[nodiscard]] Result<ModelScores> trainAndScore(const LabelledTokens& training,
                                                const LabelledTokens& test,
                                                const ClassifierOptions& options,
                                                std::optional<std::int32_t> positive,
                                                std::optional<std::uint64_t> resamples,
                                                const JobContext& job);

}  // namespace epsilens::experiment
