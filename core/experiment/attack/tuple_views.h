#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/experiment/attack/learned_attack.h"
#include "core/experiment/attack/smoothing_models.h"

namespace epsilens::experiment {

/// What a learned attacker thinks of a word by its K outputs.
struct TupleView {
    Row word = 0;           ///< the most probable one
    float lead = 0.0F;      ///< ln of how many times as probable it is as the commonest word
    float listOdds = 0.0F;  ///< ln of the odds that the word is listed; 0 without a list
};

/// Views of tuples of outputs, for some h_s and every kappa.
class TupleViews {
public:
    /// The view of a tuple at one of the scales asked for, by its place, and at kWeights[k].
    [[nodiscard]] const TupleView& at(std::size_t tuple, std::size_t scale, std::size_t k) const {
        return m_views[(m_places[tuple] * m_scales + scale) * m_weights + k];
    }
    [[nodiscard]] std::size_t tuples() const { return m_places.size(); }

private:
    friend class TupleViewer;

    std::size_t m_scales = 0;
    std::size_t m_weights = 0;
    std::vector<std::size_t> m_places{};  ///< of each tuple among the distinct ones
    std::vector<TupleView> m_views{};     ///< distinct tuples x scales x weights
};

/// The distances of all words to all words, V x V, where that is little memory; else an empty
/// matrix. Fails with cancelled.
[[nodiscard]] Result<RowMatrixF> distanceTable(const engine::MetricSpace& space, int threads,
                                               const JobContext& job);

/// Looks at tuples of outputs with what an attacker learned of one setting:
///   pi(w) C'(w, u_1) ... C'(w, u_K)
/// of every word w, C' as in LearnedAttacker. Words without a count in any of the outputs differ by
/// the sum of their distances alone, but for a factor that depends on whether they were learned, so
/// that one pass over the vocabulary serves all kappa. Derivation: sampled_reconstruction.md
class TupleViewer {
public:
    /// models    with one for each of smoothingScales() from firstModel on
    /// learning  of the setting
    /// prior     pi, V entries, > 0
    /// listed    words of a list, none twice; may be empty
    /// distances of distanceTable; empty: they are computed for each tuple
    /// All but `outputs` outlive this object.
    TupleViewer(const engine::MetricSpace& space, const SmoothingModels& models,
                std::size_t firstModel, const LearningDraws& learning, const VectorD& prior,
                std::span<const Row> listed, int outputs, const RowMatrixF& distances);

    /// outputs  K of each tuple, one tuple after the other
    /// scales   places in smoothingScales()
    /// Fails with cancelled.
    [[nodiscard]] Result<TupleViews> look(std::span<const Row> outputs,
                                          std::span<const std::size_t> scales, int threads,
                                          std::string_view stage, const JobContext& job) const;

private:
    const engine::MetricSpace& m_space;
    const SmoothingModels& m_models;
    std::size_t m_firstModel;
    const LearningDraws& m_learning;
    const VectorD& m_prior;
    std::span<const Row> m_listed;
    int m_outputs;
    const RowMatrixF& m_distances;
};

}  // namespace epsilens::experiment
