#include "core/experiment/attack/membership.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/experiment/attack/perceptron.h"

namespace epsilens::experiment {
namespace {

// Smaller probabilities have no finite loss.
constexpr double kLeastProbability = 1e-12;

double lossOf(const ClassifierOutputs& outputs, Eigen::Index document) {
    const std::int32_t label = outputs.labels[static_cast<std::size_t>(document)];
    return -std::log(std::max(outputs.probabilities(document, label), kLeastProbability));
}

VectorD negativeLosses(const ClassifierOutputs& outputs) {
    VectorD scores(outputs.probabilities.rows());
    for (Eigen::Index document = 0; document < scores.size(); ++document) {
        scores[document] = -lossOf(outputs, document);
    }
    return scores;
}

ScoredCases scoredCases(const VectorD& scores, const ClassifierOutputs& outputs) {
    ScoredCases cases;
    cases.scores.assign(scores.begin(), scores.end());
    cases.members = outputs.members;
    cases.clusters.resize(cases.scores.size());
    std::iota(cases.clusters.begin(), cases.clusters.end(), 0);
    return cases;
}

Result<void> check(const ClassifierOutputs& outputs, std::string_view name) {
    const auto members = std::count(outputs.members.begin(), outputs.members.end(), 1);
    if (members == 0 || members == static_cast<std::ptrdiff_t>(outputs.members.size())) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("the {} needs documents that it was trained on and others", name));
    }
    for (const std::int32_t label : outputs.labels) {
        if (label < 0 || label >= outputs.probabilities.cols()) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("the {} has a label outside its {} classes", name,
                                    outputs.probabilities.cols()));
        }
    }
    return {};
}

}  // namespace

std::string_view modelName(MembershipModel model) {
    switch (model) {
        case MembershipModel::threshold:
            return "threshold";
        case MembershipModel::perceptron:
            return "perceptron";
    }
    return {};
}

Result<std::vector<MembershipResult>> inferMembership(const ClassifierOutputs& shadow,
                                                      const ClassifierOutputs& target,
                                                      const MembershipOptions& options,
                                                      const JobContext& job) {
    RETURN_IF_ERROR(check(shadow, "shadow classifier"));
    RETURN_IF_ERROR(check(target, "target classifier"));
    const BootstrapOptions bootstrap{options.resamples, options.seed, options.threads};
    std::vector<MembershipResult> results;
    const auto add = [&](MembershipModel model, const VectorD& onShadow, const VectorD& onTarget) {
        const double threshold = bestThreshold(scoredCases(onShadow, shadow));
        results.push_back({model, detect(scoredCases(onTarget, target), threshold, bootstrap)});
    };
    add(MembershipModel::threshold, negativeLosses(shadow), negativeLosses(target));
    PerceptronOptions perceptronOptions;
    perceptronOptions.seed = options.seed;
    ASSIGN_OR_RETURN(const auto perceptron,
                     Perceptron::fit(shadow.probabilities, shadow.members, perceptronOptions, job));
    add(MembershipModel::perceptron, perceptron.scores(shadow.probabilities),
        perceptron.scores(target.probabilities));
    return results;
}

}  // namespace epsilens::experiment
