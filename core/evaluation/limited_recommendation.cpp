#include "core/evaluation/limited_recommendation.h"

#include <algorithm>
#include <utility>

#include "core/base/pass_on.h"
#include "core/evaluation/figure_reader.h"

namespace epsilens::evaluation {
namespace {

using calibration::EpsilonFound;
using calibration::Measurement;

/// Of an evaluation that measures what the limits name, at the ends of the search.
EvaluationOptions preparedOptions(const LimitedOptions& options,
                                  const embedding::PreparedEmbedding& embedding) {
    std::vector<FigureName> figures;
    for (const FigureLimit& limit : options.figures) {
        figures.push_back(limit.figure);
    }
    EvaluationOptions ends = optionsFor(figures, options.evaluation);
    ends.grid = options.search.calibration.grid;
    if (ends.grid.epsilons.empty()) {
        ends.grid.epsilons = {ends.grid.mechanism.epsilonBound(embedding.dimensions()) + 1.0};
    }
    return ends;
}

class NarrowedRun {
public:
    /// evaluation  of preparedOptions
    NarrowedRun(const engine::SearchSpace& space, const corpus::DataSet& data,
                const LimitedOptions& options, const Evaluation& evaluation)
        : m_space(space), m_data(data), m_options(options), m_evaluation(evaluation) {}

    Result<LimitedRecommendation> run(const JobContext& job) {
        calibration::RecommendationOptions search = m_options.search;
        search.narrow = [this](const Measurement& measured, const EpsilonFound& within,
                               const JobContext& part) { return narrow(measured, within, part); };
        ASSIGN_OR_RETURN(auto found, calibration::recommend(m_space, search, job));
        // A cancelled search may have lost the setting that it was at.
        m_settings.resize(found.settings.size());
        return LimitedRecommendation{
            std::move(found),
            {m_options.figures, std::move(m_settings), m_options.evaluation.repeats}};
    }

private:
    /// What the search over the figures makes of what the calibration found.
    Result<EpsilonFound> narrow(const Measurement& measured, const EpsilonFound& within,
                                const JobContext& job) {
        LimitsFound& figures = m_settings.emplace_back();
        if (!within.epsilon) {
            return within;
        }
        const std::vector<calibration::Limit>& limits = m_options.search.limits;
        const auto also = [&](double epsilon) -> Result<bool> {
            if (limits.empty() || epsilon == *within.epsilon) {
                return true;
            }
            return measured.check(limits, epsilon).map(calibration::allMet);
        };
        const mechanism::Mechanism& mechanism = measured.options().mechanism;
        ASSIGN_OR_RETURN(
            figures,
            findWithinLimits(
                {within.searched.low, *within.epsilon}, measured.origin(), m_options.figures, also,
                [&](std::span<const double> epsilons, std::span<const std::size_t> wanted,
                    const JobContext& part) { return read(mechanism, epsilons, wanted, part); },
                job));
        if (figures.epsilon) {
            ASSIGN_OR_RETURN(figures.again, measuredAgain({mechanism, *figures.epsilon}, job));
            for (const FigureLimit& limit : m_options.figures) {
                figures.fresh.push_back(
                    checkFigure(limit, figureOf(*figures.again, 0, limit.figure)));
            }
        }
        EpsilonFound found;
        if (figures.epsilon == within.epsilon) {
            found = within;
            found.everywhere = false;
        } else {
            found.epsilon = figures.epsilon;
            found.above = figures.above;
            found.closest = figures.closest;
            found.searched = within.searched;
        }
        found.looked = figures.looked;
        return found;
    }

    /// wanted  places of the limits whose figures are measured
    [[nodiscard]] Result<Readings> read(const mechanism::Mechanism& mechanism,
                                        std::span<const double> epsilons,
                                        std::span<const std::size_t> wanted,
                                        const JobContext& job) const {
        const std::vector<FigureLimit>& limits = m_options.figures;
        std::vector<FigureName> figures;
        for (const std::size_t limit : wanted) {
            figures.push_back(limits[limit].figure);
        }
        return readFigures(m_evaluation, figures, mechanism, epsilons,
                           limits.front().isMatch ? &limits.front() : nullptr, job);
    }

    /// As anybody would measure the figures of a setting, so that it can be done again.
    [[nodiscard]] Result<EvaluationSummary> measuredAgain(const mechanism::Setting& setting,
                                                          const JobContext& job) const {
        EvaluationOptions options = preparedOptions(m_options, m_space.embedding());
        options.attack.bestAlone = false;
        options.seed += kSeedsAhead;
        options.grid = mechanism::Grid::of(setting.mechanism);
        options.grid.epsilons = {setting.epsilon};
        const JobContext quiet{job.stop, {}};
        ASSIGN_OR_RETURN(const auto evaluation,
                         Evaluation::create(m_space, m_data, std::move(options), quiet));
        return runWhole(evaluation, quiet);
    }

    const engine::SearchSpace& m_space;
    const corpus::DataSet& m_data;
    const LimitedOptions& m_options;
    const Evaluation& m_evaluation;
    std::vector<LimitsFound> m_settings{};
};

}  // namespace

std::optional<Error> validate(const LimitedOptions& options, const corpus::DataSet& data,
                              const embedding::PreparedEmbedding& embedding) {
    const bool isClassified = std::ranges::any_of(
        options.figures, [](const FigureLimit& limit) { return !limit.endsAbove(); });
    if (isClassified && options.evaluation.repeats < 2) {
        return invalidArgument(
            "limits on a classifier are judged by its interval, which takes two repeats or more");
    }
    return validate(preparedOptions(options, embedding), data, embedding);
}

Result<LimitedRecommendation> recommendWithin(const engine::SearchSpace& space,
                                              const corpus::DataSet& data,
                                              const LimitedOptions& options,
                                              const JobContext& job) {
    if (auto problem = validate(options, data, space.embedding())) {
        return tl::unexpected(*std::move(problem));
    }
    ASSIGN_OR_RETURN(const auto evaluation,
                     Evaluation::create(space, data, preparedOptions(options, space.embedding()),
                                        {job.stop, {}}));
    return NarrowedRun(space, data, options, evaluation).run(job);
}

}  // namespace epsilens::evaluation
