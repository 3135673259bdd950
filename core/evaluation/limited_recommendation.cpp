#include "core/evaluation/limited_recommendation.h"

#include <algorithm>
#include <utility>

#include "core/base/pass_on.h"
#include "core/evaluation/figure_reader.h"

namespace epsilens::evaluation {
namespace {

using calibration::EpsilonFound;
using calibration::EpsilonSpan;
using calibration::Measurement;

std::vector<FigureName> figuresOf(const std::vector<FigureLimit>& limits) {
    std::vector<FigureName> figures(limits.size());
    std::transform(limits.begin(), limits.end(), figures.begin(),
                   [](const FigureLimit& limit) { return limit.figure; });
    return figures;
}

/// What the search over the figures makes of what the calibration found.
EpsilonFound narrowed(const EpsilonFound& within, const LimitsFound& figures) {
    if (figures.epsilon == within.epsilon) {
        EpsilonFound same = within;
        same.everywhere = false;
        same.looked = figures.looked;
        return same;
    }
    EpsilonFound found;
    found.epsilon = figures.epsilon;
    found.above = figures.above;
    found.closest = figures.closest;
    found.searched = within.searched;
    found.looked = figures.looked;
    return found;
}

class NarrowedRun {
public:
    NarrowedRun(const engine::SearchSpace& space, const corpus::DataSet& data,
                const LimitedOptions& options)
        : m_space(space), m_data(data), m_options(options) {}

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
    Result<EpsilonFound> narrow(const Measurement& measured, const EpsilonFound& within,
                                const JobContext& job) {
        if (!within.epsilon) {
            m_settings.emplace_back();
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
            auto figures,
            findWithinLimits(
                EpsilonSpan{within.searched.low, *within.epsilon}, measured.origin(),
                m_options.figures, also,
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
        m_settings.push_back(figures);
        return narrowed(within, figures);
    }

    /// wanted  places of the limits whose figures are measured
    [[nodiscard]] Result<std::vector<Reading>> read(const mechanism::Mechanism& mechanism,
                                                    std::span<const double> epsilons,
                                                    std::span<const std::size_t> wanted,
                                                    const JobContext& job) const {
        const std::vector<FigureLimit>& limits = m_options.figures;
        std::vector<FigureName> figures;
        for (const std::size_t limit : wanted) {
            figures.push_back(limits[limit].figure);
        }
        const FigureLimit* const match = limits.front().isMatch ? &limits.front() : nullptr;
        return readFigures(m_space, m_data, m_options.evaluation, figures, mechanism, epsilons,
                           match, job);
    }

    /// As anybody would measure the figures of a setting, so that it can be done again.
    [[nodiscard]] Result<EvaluationSummary> measuredAgain(const mechanism::Setting& setting,
                                                          const JobContext& job) const {
        EvaluationOptions options = optionsFor(figuresOf(m_options.figures), m_options.evaluation);
        options.attack.bestAlone = false;
        options.seed += kSeedsAhead;
        options.grid = mechanism::Grid::of(setting.mechanism);
        options.grid.epsilons = {setting.epsilon};
        return evaluateWhole(m_space, m_data, options, {job.stop, {}});
    }

    const engine::SearchSpace& m_space;
    const corpus::DataSet& m_data;
    const LimitedOptions& m_options;
    std::vector<LimitsFound> m_settings{};
};

}  // namespace

std::optional<Error> validate(const LimitedOptions& options, const corpus::DataSet& data,
                              const embedding::PreparedEmbedding& embedding) {
    const bool isClassified =
        std::any_of(options.figures.begin(), options.figures.end(),
                    [](const FigureLimit& limit) { return !limit.endsAbove(); });
    if (isClassified && options.evaluation.repeats < 2) {
        return invalidArgument(
            "limits on a classifier are judged by its interval, which takes two repeats or more");
    }
    EvaluationOptions ends = optionsFor(figuresOf(options.figures), options.evaluation);
    ends.grid = options.search.calibration.grid;
    if (ends.grid.epsilons.empty()) {
        ends.grid.epsilons = {ends.grid.mechanism.epsilonBound(embedding.dimensions()) + 1.0};
    }
    return validate(ends, data, embedding);
}

Result<LimitedRecommendation> recommendWithin(const engine::SearchSpace& space,
                                              const corpus::DataSet& data,
                                              const LimitedOptions& options,
                                              const JobContext& job) {
    if (auto problem = validate(options, data, space.embedding())) {
        return tl::unexpected(*std::move(problem));
    }
    return NarrowedRun(space, data, options).run(job);
}

}  // namespace epsilens::evaluation
