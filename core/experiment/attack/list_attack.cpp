#include "core/experiment/attack/list_attack.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/pass_on.h"
#include "core/experiment/attack/distance_visits.h"
#include "core/experiment/attack/in_parallel.h"
#include "core/experiment/attack/reconstruction.h"

namespace epsilens::experiment {

ListDecisions judgeDecisions(const ReplacedTokens& tokens, std::span<const Row> listed,
                             std::span<const float> called) {
    const std::vector<float> isListed = memberships(tokens, listed);
    return {weightedShareByDocuments(isListed, called, tokens.documents, tokens.draws),
            weightedShareByDocuments(called, isListed, tokens.documents, tokens.draws)};
}

Result<std::optional<double>> distanceFromList(const engine::MetricSpace& space,
                                               std::span<const Row> listed, int threads,
                                               const JobContext& job) {
    std::vector<std::uint8_t> isListed(static_cast<std::size_t>(space.wordCount()));
    for (const Row row : listed) {
        isListed[static_cast<std::size_t>(row)] = 1;
    }
    std::vector<double> largest(listed.size());
    RETURN_IF_ERROR(visitDistances(
        space, listed, 1, workersOf(threads), "List", job,
        [&](std::size_t index, int, const engine::MetricRow& row) {
            for (std::size_t other = 0; other < isListed.size(); ++other) {
                const auto distance = static_cast<double>(row.distances[other]);
                if (isListed[other] == 0 && distance > largest[index]) {
                    largest[index] = distance;
                }
            }
            largest[index] += row.distanceError + engine::kDistanceRounding * largest[index];
        }));
    if (largest.empty() || largest.size() == isListed.size()) {
        return std::optional<double>{};
    }
    return std::optional(*std::max_element(largest.begin(), largest.end()));
}

ListAttack boundListAttack(const VectorD& prior, std::span<const Row> listed,
                           const mechanism::Guarantee& guarantee, double distance, int releases) {
    ListAttack attack;
    for (const Row word : listed) {
        attack.priorProbability += prior[word];
    }
    attack.loss = mechanism::pairLoss(guarantee, distance);
    if (attack.loss) {
        *attack.loss *= releases;
        attack.posteriorBound = posteriorBound(attack.priorProbability, *attack.loss);
    }
    return attack;
}

double posteriorBound(double probability, double loss) {
    // Divided by e^L, so that a large loss does not overflow.
    const double others = (1.0 - probability) * std::exp(-loss);
    return probability == 0.0 ? 0.0 : probability / (probability + others);
}

double listedPosterior(std::span<const float> scores, float largest, std::span<const Row> listed) {
    // Lower terms add nothing to a sum with a term of 1, and exp would make them denormal.
    constexpr float kNegligible = -80.0F;
    double sum = 0.0;
    for (const Row row : listed) {
        const float score = scores[static_cast<std::size_t>(row)];
        sum += static_cast<double>(std::exp(std::max(score - largest, kNegligible)));
    }
    const Eigen::Map<const VectorF> all(scores.data(), static_cast<Eigen::Index>(scores.size()));
    const auto total =
        static_cast<double>((all.array() - largest).max(kNegligible).exp().cast<double>().sum());
    return std::min(1.0, sum / total);
}

}  // namespace epsilens::experiment
