#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/experiment/data_set.h"
#include "core/experiment/epsilon_scan.h"
#include "core/experiment/evaluation.h"

namespace epsilens::experiment {

/// The options of an evaluation that measures figures and nothing else: attackers who cannot be the
/// best are left out, unless `upper` is among the figures.
///
/// figures  at least one
[[nodiscard]] EvaluationOptions optionsFor(const std::vector<FigureName>& figures,
                                           EvaluationOptions options);

/// A figure of one setting of an evaluation that measured it; NaN where it does not exist.
///
/// cell  index of the setting
[[nodiscard]] FigureValue figureOf(const EvaluationSummary& summary, std::size_t cell,
                                   const FigureName& figure);

/// Success of an attacker who knows the prior alone, of an evaluation that attacked words; NaN
/// without.
[[nodiscard]] double priorSuccess(const EvaluationSummary& summary);

/// An evaluation that is wanted as a whole: fails with cancelled where it is partial.
[[nodiscard]] Result<EvaluationSummary> evaluateWhole(const engine::SearchSpace& space,
                                                      const DataSet& data,
                                                      const EvaluationOptions& options,
                                                      const JobContext& job);

/// Measures figures of single settings. All settings and epsilons share splits, draws and
/// attackers' draws, whatever is read together.
class FigureReader {
public:
    /// space and data must outlive this object.
    ///
    /// options  of the evaluation; its tasks, classifiers and grid do not matter
    /// figures  at least one
    FigureReader(const engine::SearchSpace& space, const DataSet& data, EvaluationOptions options,
                 std::vector<FigureName> figures);

    /// figures  places of those to measure, rising, at least one. Each has the value that it has
    ///          beside any others.
    /// Fails as Evaluation does; with invalidArgument for a match that the prior alone reaches,
    /// and for `upper` where the mechanism has no noisy vector with a density.
    [[nodiscard]] Result<std::vector<Reading>> read(const mechanism::Mechanism& mechanism,
                                                    std::span<const double> epsilons,
                                                    std::span<const std::size_t> figures,
                                                    const JobContext& job) const;

    /// No reading where an attacker is asked to have no more success than the prior.
    void setLeastSuccess(const FigureLimit& limit) { m_match = limit; }

private:
    const engine::SearchSpace& m_space;
    const DataSet& m_data;
    EvaluationOptions m_options;
    std::vector<FigureName> m_figures;
    std::optional<FigureLimit> m_match{};
};

}  // namespace epsilens::experiment
