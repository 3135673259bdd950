#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/engine/aligned_matrix.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/channel.h"
#include "core/experiment/attack/word_chain.h"

namespace epsilens::experiment {

/// The word with the largest of V scores, the lowest of equal ones.
struct BestGuess {
    Row word = kUnknownWord;
    float score = 0.0F;
};
[[nodiscard]] BestGuess bestGuess(const VectorF& scores);

/// The same with its probability, e^score over the sum of all.
struct SureGuess {
    Row word = kUnknownWord;
    double probability = 0.0;
};
[[nodiscard]] SureGuess sureGuess(const VectorF& scores);

/// What is asked of observations. All that it refers to outlives it.
struct EvidenceQuestion {
    const Channel& channel;
    const VectorF& logPrior;
    const WordChain* chain = nullptr;  ///< null: for guesses alone
};

/// What the observations of some tokens say: of each the best guess, and, for a chain, how
/// likely it is in each of its states. Equal observations are read once and share their evidence.
class Evidence {
public:
    /// Of the words that share a state, the most probable one.
    struct OtherWord {
        Row row = kUnknownWord;
        double share = 0.0;  ///< its part of pi times the likelihood of all of them
    };

    /// Observations that are read at once over a vocabulary: a block.
    [[nodiscard]] static std::size_t observationsAtOnce(Eigen::Index words);

    Evidence() = default;
    /// Nothing is read yet.
    ///
    /// tokens  rising
    Evidence(const EvidenceQuestion& question, std::vector<std::int64_t> tokens);

    [[nodiscard]] std::span<const std::int64_t> tokens() const { return m_tokens; }
    /// How many blocks there are to read: each by itself, by several threads at once if need be.
    [[nodiscard]] std::size_t blocks() const;

    /// The word with the largest pi times likelihood.
    [[nodiscard]] Row guess(std::int64_t token) const { return m_guesses[placeOf(token)]; }
    /// Likelihood in each state, up to a factor of the token; of any other word the mean by pi.
    [[nodiscard]] RowMatrixF::ConstRowXpr likelihood(std::int64_t token) const {
        return m_likelihoods.row(static_cast<Eigen::Index>(placeOf(token)));
    }
    [[nodiscard]] const OtherWord& otherWord(std::int64_t token) const {
        return m_others[placeOf(token)];
    }

private:
    friend class EvidenceReader;

    [[nodiscard]] std::size_t placeOf(std::int64_t token) const {
        return m_places[static_cast<std::size_t>(
            std::lower_bound(m_tokens.begin(), m_tokens.end(), token) - m_tokens.begin())];
    }

    std::size_t m_block = 1;
    std::vector<std::int64_t> m_tokens{};
    std::vector<std::size_t> m_places{};  ///< of each token's observation among the different ones
    std::vector<std::int64_t> m_distinct{};  ///< a token with each different observation
    std::vector<Row> m_guesses{};            ///< this and what follows: of each different one
    RowMatrixF m_likelihoods{};              ///< observations x states
    std::vector<OtherWord> m_others{};
};

/// Reads evidence. Holds scratch memory: one object per task.
class EvidenceReader {
public:
    explicit EvidenceReader(const EvidenceQuestion& question);

    /// evidence  of the same question
    /// block     below evidence.blocks()
    void read(Evidence& evidence, std::size_t block);

private:
    void readStates(VectorF& scores, std::size_t place, Evidence& evidence);

    const EvidenceQuestion& m_question;
    VectorF m_logPriorOfLinked{};
    ChannelScratch m_scratch{};
    VectorF m_ofLinked{};             ///< scores of the linked words
    engine::AlignedMatrix m_falls{};  ///< a row: by how much scores are below the best
};

}  // namespace epsilens::experiment
