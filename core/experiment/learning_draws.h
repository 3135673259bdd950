#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/sampled_reconstruction.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// Draws by which an attacker learns a mechanism without a formula: of each of the commonest words
/// by the prior, and for selection, scoring and rehearsal an output of each word, in pools of their
/// own.
class AttackerDraws {
public:
    static constexpr int kDrawsOfWord = 100;

    AttackerDraws() = default;
    /// prior      of all words
    /// expected   law of the words of a text
    /// bestAlone  only what chooses the attacker on a text is drawn, the same draws as otherwise:
    ///            none for selection and scoring
    AttackerDraws(const VectorD& prior, const VectorD& expected, std::uint64_t seed,
                  bool bestAlone = false);

    /// How many words an attacker learns, of a vocabulary.
    [[nodiscard]] static std::int64_t learnedWords(std::int64_t words);

    /// What has to be perturbed, a document for each pool.
    [[nodiscard]] std::vector<std::vector<Row>> documents() const;
    /// Draws at some epsilons of the grid, in place of what was drawn before. Fails as
    /// Perturber::perturb.
    [[nodiscard]] Result<void> draw(const EvaluationParts& parts, std::span<const double> epsilons,
                                    const JobContext& job);
    /// In place of draws any words, at one setting.
    void makeUp(Row words, std::uint64_t seed);
    /// In place of draws, at one setting, the words themselves.
    void copyWords();

    /// Gives the draws of a setting, by its place among those that were drawn, to a release.
    void addTo(SampledRelease& release, std::size_t setting) const;

private:
    [[nodiscard]] bool isNeeded(std::size_t document) const;
    /// The outputs of a role; none of a role that is not drawn.
    [[nodiscard]] DrawnPairs pairs(std::size_t role, std::size_t setting) const;

    bool m_bestAlone = false;
    std::vector<Row> m_learned{};
    std::vector<std::vector<Row>> m_words{};  ///< for selection, scoring and rehearsal
    std::vector<PerturbedPool> m_drawn{};     ///< of documents(); empty: not needed
    std::vector<SharedDraws> m_shared{};      ///< of the same; empty: none known
};

}  // namespace epsilens::experiment
