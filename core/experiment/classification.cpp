#include "core/experiment/classification.h"

#include <utility>

#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/experiment/streams.h"

namespace epsilens::experiment {
namespace {

constexpr std::uint32_t kResamples = 100;
// Blocks of the stream of splits that no repeat has.
constexpr std::uint32_t kBootstrapBlock = 1U << 31U;

std::int32_t labelOf(const WordNumbers& numbers, std::int64_t document) {
    return numbers.data.documents[static_cast<std::size_t>(document)].label;
}

/// Scores on resampled test documents: the same documents for the same number of them and seed.
std::vector<Scores> bootstrapScores(const RowMatrixD& probabilities,
                                    std::span<const std::int32_t> labels,
                                    std::optional<std::int32_t> positive, std::uint64_t seed) {
    SeededStream stream({seed, kSplitStream, kBootstrapBlock, 0});
    std::vector<Scores> scores;
    RowMatrixD drawn(probabilities.rows(), probabilities.cols());
    std::vector<std::int32_t> drawnLabels(labels.size());
    for (std::uint32_t resample = 0; resample < kResamples; ++resample) {
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const auto chosen = stream.below(labels.size());
            drawn.row(static_cast<Eigen::Index>(i)) =
                probabilities.row(static_cast<Eigen::Index>(chosen));
            drawnLabels[i] = labels[chosen];
        }
        scores.push_back(scoresOf(drawn, drawnLabels, positive));
    }
    return scores;
}

}  // namespace

LabelledTokens typedDocuments(const WordNumbers& numbers, std::span<const std::int64_t> documents) {
    LabelledTokens typed;
    for (const std::int64_t document : documents) {
        const auto spellings = numbers.words.spellings().subspan(
            numbers.words.begin(document),
            numbers.words.end(document) - numbers.words.begin(document));
        typed.tokens.insert(typed.tokens.end(), spellings.begin(), spellings.end());
        typed.finishDocument(labelOf(numbers, document));
    }
    return typed;
}

LabelledTokens releasedDocuments(const WordNumbers& numbers,
                                 std::span<const std::int64_t> documents, const PerturbedPool& pool,
                                 std::size_t setting) {
    LabelledTokens released;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        std::size_t place = numbers.words.begin(documents[i]);
        for (const Row output : pool.document(setting, i)) {
            if (output >= 0) {
                released.tokens.push_back(output);
            } else if (output == kMasked) {
                released.tokens.push_back(numbers.keepsUnknown ? numbers.words.spellings()[place]
                                                               : numbers.mask());
            }
            ++place;
        }
        released.finishDocument(labelOf(numbers, documents[i]));
    }
    return released;
}

Result<ModelScores> trainAndScore(const LabelledTokens& training, const LabelledTokens& test,
                                  const ClassifierOptions& options,
                                  std::optional<std::int32_t> positive,
                                  std::optional<std::uint64_t> resamples, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto model, trainClassifier(training, options, job));
    const RowMatrixD probabilities = model->probabilities(test);
    ModelScores result{scoresOf(probabilities, test.labels, positive), {}, {}};
    if (resamples) {
        result.resampled = bootstrapScores(probabilities, test.labels, positive, *resamples);
        const std::vector<std::int32_t> predicted = predictedClasses(probabilities);
        for (std::size_t i = 0; i < predicted.size(); ++i) {
            result.correct.push_back(predicted[i] == test.labels[i]);
        }
    }
    return result;
}

}  // namespace epsilens::experiment
