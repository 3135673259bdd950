#include "core/experiment/matched_evaluation.h"

#include <algorithm>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/figure_reader.h"
#include "core/experiment/score_table.h"

namespace epsilens::experiment {
namespace {

// Share of the progress of one setting that is searching.
constexpr double kSearchShare = 0.9;

calibration::EpsilonSpan spanOf(const std::vector<double>& epsilons) {
    const auto [least, most] = std::minmax_element(epsilons.begin(), epsilons.end());
    return {*least, *most};
}

double originOf(const engine::SearchSpace& space, const mechanism::Grid& grid) {
    return grid.mechanism.epsilonBound(space.embedding().dimensions());
}

/// Appends the one cell of an evaluation to another of the same data and tasks.
void append(EvaluationSummary& all, EvaluationSummary&& next) {
    all.cells.push_back(std::move(next.cells.front()));
    all.guarantees.push_back(std::move(next.guarantees.front()));
    all.substitutions += next.substitutions;
    all.perturbSeconds += next.perturbSeconds;
    all.classifySeconds += next.classifySeconds;
    for (std::size_t i = 0; i < all.attacks.size(); ++i) {
        all.attacks[i].cells.push_back(std::move(next.attacks[i].cells.front()));
        all.attacks[i].seconds += next.attacks[i].seconds;
    }
}

std::vector<double> accuraciesOf(const ClassifierResults& results) {
    std::vector<double> values;
    for (const Scores& scores : results.repeats) {
        values.push_back(scores.at(static_cast<std::size_t>(Measure::accuracy)));
    }
    return values;
}

/// Of two settings, over repeats whose test documents are others in each or the same in all.
Difference compared(const ClassifierResults& first, const ClassifierResults& second,
                    const EvaluationSummary& summary) {
    const double testRatio = static_cast<double>(summary.data.testDocuments) /
                             static_cast<double>(summary.data.trainingDocuments);
    const RepeatDesign design{summary.data.hasOwnSplit ? 0.0 : testRatio,
                              sharedVariance(first.correct, second.correct)};
    return compareRepeats(accuraciesOf(first), accuraciesOf(second), design,
                          EvaluationOptions::kMargin);
}

/// Every pair of settings.
void compareSettings(EvaluationSummary& summary) {
    if (summary.repeats < 2) {
        return;
    }
    std::vector<Difference> differences;
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        for (std::size_t first = 0; first < summary.cells.size(); ++first) {
            for (std::size_t second = first + 1; second < summary.cells.size(); ++second) {
                summary.differences.push_back({first, second, i, {}});
                differences.push_back(compared(summary.cells[first].classify[i],
                                               summary.cells[second].classify[i], summary));
            }
        }
    }
    decide(differences);
    for (std::size_t i = 0; i < differences.size(); ++i) {
        summary.differences[i].accuracy = differences[i];
    }
}

class MatchRun {
public:
    MatchRun(const engine::SearchSpace& space, const DataSet& data,
             const EvaluationOptions& options, const FigureLimit& limit)
        : m_space(space),
          m_data(data),
          m_options(options),
          m_limit(limit),
          m_span(spanOf(options.grid.epsilons)),
          m_origin(originOf(space, options.grid)),
          m_reader(space, data, options, {limit.figure}) {
        m_reader.setLeastSuccess(limit);
        if (!m_options.has(limit.figure.task())) {
            m_options.tasks.push_back(limit.figure.task());
        }
    }

    Result<MatchedEvaluation> run(const JobContext& job) {
        const std::vector<mechanism::Mechanism> mechanisms = m_options.grid.mechanisms();
        m_result.match = {m_limit, {}, mechanisms.size()};
        const auto count = static_cast<double>(mechanisms.size());
        bool isPartial = false;
        for (std::size_t i = 0; i < mechanisms.size() && !isPartial; ++i) {
            const auto done = runSetting(mechanisms[i], partOf(job, static_cast<double>(i) / count,
                                                               static_cast<double>(i + 1) / count));
            isPartial = !done && done.error().code == ErrorCode::cancelled &&
                        !m_result.match.settings.empty();
            if (!done && !isPartial) {
                return tl::unexpected(done.error());
            }
        }
        if (m_result.summary) {
            m_result.summary->options.grid = m_options.grid.used();
            m_result.summary->options.grid.epsilons = {m_result.summary->cells.front().epsilon};
            m_result.summary->partial = isPartial;
            compareSettings(*m_result.summary);
        }
        return std::move(m_result);
    }

private:
    Result<void> runSetting(const mechanism::Mechanism& mechanism, const JobContext& job) {
        MatchedSetting setting{mechanism, {}, std::nullopt};
        ASSIGN_OR_RETURN(setting.found,
                         findMatch(
                             m_span, m_origin, m_limit,
                             [&](std::span<const double> epsilons,
                                 std::span<const std::size_t> wanted, const JobContext& part) {
                                 return m_reader.read(mechanism, epsilons, wanted, part);
                             },
                             partOf(job, 0.0, kSearchShare)));
        if (setting.found.epsilon) {
            EvaluationOptions there = m_options;
            there.grid = mechanism::Grid::of(mechanism);
            there.grid.epsilons = {*setting.found.epsilon};
            ASSIGN_OR_RETURN(auto summary,
                             evaluateWhole(m_space, m_data, there, partOf(job, kSearchShare, 1.0)));
            setting.cell = m_result.summary ? m_result.summary->cells.size() : 0;
            if (m_result.summary) {
                append(*m_result.summary, std::move(summary));
            } else {
                m_result.summary = std::move(summary);
            }
        }
        m_result.match.settings.push_back(setting);
        return {};
    }

    const engine::SearchSpace& m_space;
    const DataSet& m_data;
    EvaluationOptions m_options;
    const FigureLimit& m_limit;
    calibration::EpsilonSpan m_span;
    double m_origin;
    FigureReader m_reader;
    MatchedEvaluation m_result{};
};

}  // namespace

std::optional<Error> validateSpan(const std::vector<double>& epsilons) {
    const bool isSpan =
        !epsilons.empty() && *std::min_element(epsilons.begin(), epsilons.end()) <
                                 *std::max_element(epsilons.begin(), epsilons.end());
    return isSpan ? std::nullopt
                  : std::optional(invalidArgument(
                        "the epsilons bound the search: give a smallest and a largest one"));
}

Result<MatchedEvaluation> evaluateMatched(const engine::SearchSpace& space, const DataSet& data,
                                          const EvaluationOptions& options,
                                          const FigureLimit& limit, const JobContext& job) {
    if (auto problem = validateSpan(options.grid.epsilons)) {
        return tl::unexpected(*std::move(problem));
    }
    return MatchRun(space, data, options, limit).run(job);
}

}  // namespace epsilens::experiment
