#include "core/experiment/attack/near_guesses.h"

#include <algorithm>
#include <cstddef>

#include "core/base/pass_on.h"
#include "core/experiment/attack/distance_visits.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {

Result<std::vector<Share>> nearShares(const engine::MetricSpace& space,
                                      const ReplacedTokens& tokens,
                                      std::span<const std::vector<Row>> guesses,
                                      const Nearness& nearness, const JobContext& job) {
    const std::vector<Row> words = tokens.distinctWords();
    std::vector<std::vector<std::size_t>> tokensOf(words.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto place = std::lower_bound(words.begin(), words.end(), tokens.words[i]);
        tokensOf[static_cast<std::size_t>(place - words.begin())].push_back(i);
    }
    std::vector<std::vector<float>> isNear(guesses.size(), std::vector<float>(tokens.size()));
    RETURN_IF_ERROR(visitDistances(
        space, words, nearness.neighbours, workersOf(nearness.threads), "Words near the guesses",
        job, [&](std::size_t word, int, const engine::MetricRow& row) {
            std::vector<Row> near(row.neighbours.rows.begin(), row.neighbours.rows.end());
            near.push_back(row.word);
            std::sort(near.begin(), near.end());
            for (std::size_t i = 0; i < guesses.size(); ++i) {
                for (const std::size_t token : tokensOf[word]) {
                    isNear[i][token] =
                        std::binary_search(near.begin(), near.end(), guesses[i][token]) ? 1.0F
                                                                                        : 0.0F;
                }
            }
        }));
    std::vector<Share> shares;
    shares.reserve(isNear.size());
    for (const std::vector<float>& values : isNear) {
        shares.push_back(shareByDocuments(values, tokens.documents, tokens.draws));
    }
    return shares;
}

}  // namespace epsilens::experiment
