#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/attack/distance_kernel.h"
#include "core/attack/fitted_kernel.h"
#include "core/attack/prior.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/vocabulary.h"
#include "core/engine/metric_space.h"
#include "core/engine/search_space.h"
#include "core/mechanism/form.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::attack {

/// The word that an attacker guesses behind an output.
struct WordGuess {
    Row word = 0;
    /// That he is right: given the output where `isExact`, else of all guesses that claim as much.
    double probability = 0.0;
    bool isExact = false;
};

/// A mechanism at some epsilons in the eyes of an attacker who knows mechanism, setting and
/// vocabulary and expects words by a prior: exact probabilities of TEM and the exponential
/// mechanism, fitted kernels of those that add noise. Derivation: fitted_kernel.md
class AttackerView {
public:
    /// prior  pi, V entries, > 0, sum 1
    /// Fails with cancelled, and as Mechanism::on and drawPairs.
    [[nodiscard]] static Result<AttackerView> learn(const engine::SearchSpace& space,
                                                    const mechanism::Mechanism& mechanism,
                                                    std::span<const double> epsilons,
                                                    const VectorD& prior, std::uint64_t seed,
                                                    int threads = 0, const JobContext& job = {});

    [[nodiscard]] const mechanism::Form& form() const { return m_form; }
    [[nodiscard]] const engine::MetricSpace& space() const { return m_space; }
    /// One for each epsilon.
    [[nodiscard]] const std::vector<AttackerKernel>& settings() const { return m_settings; }

    /// The guess behind each of some outputs, at the setting with this index. Fails with cancelled.
    [[nodiscard]] Result<std::vector<WordGuess>> guesses(std::size_t setting,
                                                         std::span<const Row> outputs,
                                                         int threads = 0,
                                                         const JobContext& job = {}) const;

private:
    AttackerView(mechanism::Form form, engine::MetricSpace space, const VectorD& prior)
        : m_form(std::move(form)),
          m_space(std::move(space)),
          m_logPrior(prior.array().log().cast<float>()),
          m_commonest(commonestWords(prior, 1).front()) {}

    mechanism::Form m_form;
    engine::MetricSpace m_space;
    VectorF m_logPrior;
    Row m_commonest;
    std::vector<AttackerKernel> m_settings{};
};

}  // namespace epsilens::attack
