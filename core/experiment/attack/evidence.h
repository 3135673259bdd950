#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/eigen.h"
#include "core/experiment/attack/guess_table.h"
#include "core/experiment/attack/observations.h"
#include "core/experiment/attack/word_chain.h"

namespace epsilens::experiment {

/// What the observations of some tokens say: of each the best guesses, and, for a chain, how
/// likely it is in each of its states. Holds scratch memory: one object per task.
class Evidence {
public:
    /// Of the words that share a state, the most probable one.
    struct OtherWord {
        Row row = kUnknownWord;
        double share = 0.0;  ///< its part of pi times the likelihood of all of them
    };

    /// Tokens whose likelihoods are read at once over a vocabulary: a block.
    [[nodiscard]] static std::size_t tokensAtOnce(Eigen::Index words);

    /// chain   null: for best guesses alone
    /// listed  words whose probability together is wanted; may be empty
    Evidence(const Observations& observations, VectorF logPrior, const WordChain* chain,
             std::span<const Row> listed)
        : m_reader(observations.reader()),
          m_logPrior(std::move(logPrior)),
          m_chain(chain),
          m_listed(listed) {}

    /// tokens  rising; whose evidence is read in place of that of others
    void read(std::span<const std::int64_t> tokens);
    [[nodiscard]] bool has(std::int64_t token) const {
        return !m_tokens.empty() && token >= m_tokens.front() && token <= m_tokens.back();
    }

    /// Words by falling pi times likelihood. i  of a token that was read, by its place
    [[nodiscard]] const RankedGuesses& ranked(std::size_t i) const { return m_ranked[i]; }
    /// Probability that the word is listed, of a token by its place. There is a list.
    [[nodiscard]] double listedPosterior(std::size_t i) const { return m_listedPosteriors[i]; }
    /// Likelihood in each state, up to a factor of the token; of any other word the mean by pi.
    [[nodiscard]] RowMatrixF::ConstRowXpr likelihood(std::int64_t token) const {
        return m_likelihoods.row(placeOf(token));
    }
    [[nodiscard]] const OtherWord& otherWord(std::int64_t token) const {
        return m_others[static_cast<std::size_t>(placeOf(token))];
    }

private:
    [[nodiscard]] Eigen::Index placeOf(std::int64_t token) const;
    void readStates(Eigen::Index place, float largest);

    std::unique_ptr<ObservationReader> m_reader;
    VectorF m_logPrior;
    const WordChain* m_chain;
    std::span<const Row> m_listed;
    std::vector<std::int64_t> m_tokens{};
    std::vector<RankedGuesses> m_ranked{};
    std::vector<double> m_listedPosteriors{};
    RowMatrixF m_scores{};       ///< ln pi + ln likelihood, tokens x V
    RowMatrixF m_likelihoods{};  ///< tokens x states
    std::vector<OtherWord> m_others{};
};

}  // namespace epsilens::experiment
