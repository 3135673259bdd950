#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/detection.h"

namespace epsilens::experiment {

/// What a classifier says about documents of which it was trained on some.
struct ClassifierOutputs {
    RowMatrixD probabilities{};           ///< documents x classes, each row sums to 1
    std::vector<std::int32_t> labels{};   ///< true class of each document
    std::vector<std::uint8_t> members{};  ///< 1: it was trained on the document
};

enum class MembershipModel { threshold, perceptron };
/// "threshold", "perceptron".
[[nodiscard]] std::string_view modelName(MembershipModel model);

struct MembershipOptions {
    std::uint64_t seed = 1;
    int resamples = 1000;  ///< of the bootstrap, >= 40
    int threads = 0;
};

struct MembershipResult {
    MembershipModel model = MembershipModel::threshold;
    Detection
        detection{};  ///< of the target's members, at the threshold that is best on the shadow
};

/// Infers which documents the target was trained on. The attacker trains a shadow classifier in
/// the same way on documents of his own, learns from its outputs how members differ, and applies
/// this to the outputs of the target:
///   threshold   score -loss, no learning but of the threshold
///   perceptron  two layers of 64 on the class probabilities
/// Each document is a cluster of its own.
///
/// Fails with invalidArgument when either has no members, nothing but members, or labels outside
/// the classes, and with cancelled.
/// Source: Yeom et al. 2018; Carvalho et al. 2021, appendix C; Shokri et al. 2017. Derivation:
/// membership.md
[[nodiscard]] Result<std::vector<MembershipResult>> inferMembership(
    const ClassifierOutputs& shadow, const ClassifierOutputs& target,
    const MembershipOptions& options, const JobContext& job = {});

}  // namespace epsilens::experiment
