#pragma once

#include <cstdint>
#include <vector>

#include "core/attack/detection.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::attack {

/// What a classifier says about documents of which it was trained on some.
struct ClassifierOutputs {
    RowMatrixD probabilities{};           ///< documents x classes, each row sums to 1
    std::vector<std::int32_t> labels{};   ///< true class of each document
    std::vector<std::uint8_t> members{};  ///< 1: it was trained on the document
};

/// Infers which documents the target was trained on. The attacker trains a shadow classifier in
/// the same way on documents of his own, learns from its outputs how members differ, and applies
/// this to the outputs of the target:
///   threshold   score -loss, no learning but of the threshold
///   perceptron  two layers of 64 on the class probabilities
/// Returns how members of the target are told from its other documents by each, as detect with the
/// path threshold. or perceptron., at the threshold that is best on the shadow, each document a
/// cluster of its own.
///
/// shadow, target  both with members and with others, labels within the classes
/// options         also the seed of the perceptron
/// Fails with cancelled.
/// Source: Yeom et al. 2018; Carvalho et al. 2021, appendix C; Shokri et al. 2017. Derivation:
/// membership.md
[[nodiscard]] Result<Findings> inferMembership(const ClassifierOutputs& shadow,
                                               const ClassifierOutputs& target,
                                               const BootstrapOptions& options,
                                               const JobContext& job = {});

}  // namespace epsilens::attack
