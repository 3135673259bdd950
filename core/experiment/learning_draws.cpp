#include "core/experiment/learning_draws.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/pass_on.h"
#include "core/experiment/attack/noisy_vectors.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack_pools.h"
#include "core/experiment/tokenised_documents.h"

namespace epsilens::experiment {
namespace {

constexpr std::int64_t kLearnedWords = 1000;
constexpr std::int64_t kPairs = 10'000;
// Of words as the text may have them: half to choose a learned attacker, half to confirm him.
constexpr std::int64_t kRehearsals = 20'000;

constexpr std::size_t kSelection = 0;
constexpr std::size_t kScoring = 1;
constexpr std::size_t kRehearsal = 2;

// Of the documents.
constexpr std::array kPools{kLearningPool, kSelectionPool, kScoringPool, kRehearsalPool};

}  // namespace

AttackerDraws::AttackerDraws(const VectorD& prior, const VectorD& expected, std::uint64_t seed,
                             bool bestAlone)
    : m_bestAlone(bestAlone),
      m_learned(commonestWords(prior, learnedWords(prior.size()))),
      m_words{drawWords(prior, kPairs, seed + 1), drawWords(prior, kPairs, seed + 2),
              drawWords(expected, kRehearsals, seed + 3)} {}

std::int64_t AttackerDraws::learnedWords(std::int64_t words) {
    return std::min(kLearnedWords, words);
}

std::vector<std::vector<Row>> AttackerDraws::documents() const {
    std::vector<std::vector<Row>> documents(1);
    for (const Row word : m_learned) {
        documents.front().insert(documents.front().end(), kDrawsOfWord, word);
    }
    documents.insert(documents.end(), m_words.begin(), m_words.end());
    return documents;
}

Result<void> AttackerDraws::draw(const EvaluationParts& parts, std::span<const double> epsilons,
                                 const JobContext& job) {
    const auto words = TokenisedDocuments::ofWords(documents());
    ASSIGN_OR_RETURN(
        const auto perturber,
        Perturber::create(parts.space, words, parts.options.policies, parts.options.grid,
                          parts.options.seed, parts.options.threads));
    std::vector<DrawPool> pools;
    for (std::size_t document = 0; document < kPools.size(); ++document) {
        if (isNeeded(document)) {
            pools.push_back({kPools[document], {static_cast<std::int64_t>(document)}});
        }
    }
    ASSIGN_OR_RETURN(auto drawn, perturber->perturb(pools, epsilons, job));
    m_drawn.assign(kPools.size(), {});
    m_shared.assign(kPools.size(), {});
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
        const auto document = static_cast<std::size_t>(pools[pool].documents.front());
        m_drawn[document] = std::move(drawn[pool]);
        m_shared[document] = perturber->drawsOf(pools[pool]);
    }
    return {};
}

bool AttackerDraws::isNeeded(std::size_t document) const {
    return !m_bestAlone || document == 0 || document == 1 + kRehearsal;
}

void AttackerDraws::makeUp(Row words, std::uint64_t seed) {
    const VectorD uniform = uniformPrior(words);
    m_drawn.clear();
    m_shared.clear();
    for (const std::vector<Row>& document : documents()) {
        // Seeds that no words are drawn with, or outputs would tell their words.
        m_drawn.push_back({{drawWords(uniform, static_cast<std::int64_t>(document.size()),
                                      ~(seed + m_drawn.size()))},
                           {}});
    }
}

void AttackerDraws::copyWords() {
    m_drawn.clear();
    m_shared.clear();
    for (std::vector<Row>& document : documents()) {
        m_drawn.push_back({{std::move(document)}, {}});
    }
}

void AttackerDraws::addTo(SampledRelease& release, std::size_t setting) const {
    release.setting.learning = {m_learned, kDrawsOfWord, m_drawn.front().outputs[setting]};
    release.setting.selection = pairs(kSelection, setting);
    release.setting.rehearsal = pairs(kRehearsal, setting);
    release.scoring = pairs(kScoring, setting);
}

DrawnPairs AttackerDraws::pairs(std::size_t role, std::size_t setting) const {
    if (m_drawn[1 + role].outputs.empty()) {
        return {};
    }
    return {m_words[role], m_drawn[1 + role].outputs[setting],
            m_shared.empty() ? SharedDraws{} : m_shared[1 + role]};
}

}  // namespace epsilens::experiment
