#include "core/attack/membership.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attack/attack_models.h"
#include "core/base/pass_on.h"

namespace epsilens::attack {
namespace {

// Smaller probabilities have no finite loss.
constexpr double kLeastProbability = 1e-12;

VectorD negativeLosses(const ClassifierOutputs& outputs) {
    VectorD scores(outputs.probabilities.rows());
    for (Eigen::Index document = 0; document < scores.size(); ++document) {
        const std::int32_t label = outputs.labels[static_cast<std::size_t>(document)];
        scores[document] =
            std::log(std::max(outputs.probabilities(document, label), kLeastProbability));
    }
    return scores;
}

ScoredCases scoredCases(const VectorD& scores, const ClassifierOutputs& outputs) {
    ScoredCases cases{{scores.begin(), scores.end()}, outputs.members, {}};
    cases.clusters.resize(cases.scores.size());
    std::iota(cases.clusters.begin(), cases.clusters.end(), 0);
    return cases;
}

}  // namespace

Result<Findings> inferMembership(const ClassifierOutputs& shadow, const ClassifierOutputs& target,
                                 const BootstrapOptions& options, const JobContext& job) {
    Findings findings;
    const auto tell = [&](const char* path, const VectorD& onShadow, const VectorD& onTarget) {
        detect(scoredCases(onTarget, target), bestThreshold(scoredCases(onShadow, shadow)), options,
               path, findings);
    };
    tell("threshold.", negativeLosses(shadow), negativeLosses(target));
    ASSIGN_OR_RETURN(const auto perceptron,
                     fitPerceptron(shadow.probabilities, shadow.members, options.seed, job));
    tell("perceptron.", perceptron(shadow.probabilities), perceptron(target.probabilities));
    return findings;
}

}  // namespace epsilens::attack
