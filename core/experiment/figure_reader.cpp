#include "core/experiment/figure_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::experiment {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

const AttackResults* reconstructionOf(const EvaluationSummary& summary) {
    const auto found =
        std::find_if(summary.attacks.begin(), summary.attacks.end(),
                     [](const AttackResults& attack) { return attack.task == Task::reconstruct; });
    return found == summary.attacks.end() ? nullptr : &*found;
}

FigureValue attackFigure(const EvaluationSummary& summary, std::size_t cell, const char* path) {
    const AttackResults* const attack = reconstructionOf(summary);
    if (attack == nullptr || !attack->cells[cell]) {
        return {kNotThere, std::nullopt};
    }
    const Figure* const figure = figureAt(*attack->cells[cell], path);
    return figure == nullptr ? FigureValue{kNotThere, std::nullopt}
                             : FigureValue{figure->value, figure->ci95};
}

/// What a figure comes to without any release; NaN where it has no such value to exceed.
double withoutRelease(const EvaluationSummary& summary, const FigureName& figure) {
    if (figure.kind == FigureName::Kind::best) {
        return priorSuccess(summary);
    }
    const AttackResults* const attack = reconstructionOf(summary);
    if (figure.kind != FigureName::Kind::upper || attack == nullptr || !attack->floor) {
        return kNotThere;
    }
    const Figure* const upper = figureAt(*attack->floor, "upper");
    return upper != nullptr ? upper->value : kNotThere;
}

/// Whether a figure is asked for whose value needs noisy vectors.
bool needVectors(const std::vector<FigureName>& figures) {
    return std::any_of(figures.begin(), figures.end(), [](const FigureName& figure) {
        return figure.kind == FigureName::Kind::upper;
    });
}

FigureValue valueOf(const Estimate& estimate) {
    return {estimate.mean, estimate.ci95};
}

template <typename Value>
void addOnce(std::vector<Value>& values, Value value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
    }
}

}  // namespace

EvaluationOptions optionsFor(const std::vector<FigureName>& figures, EvaluationOptions options) {
    options.tasks.clear();
    options.classifiers.clear();
    for (const FigureName& figure : figures) {
        addOnce(options.tasks, figure.task());
        if (!figure.isRisk()) {
            addOnce(options.classifiers, figure.classifier);
        }
    }
    if (options.classifiers.empty()) {
        options.classifiers = {ClassifierKind::linear};
    }
    if (!options.has(Task::classify)) {
        options.repeats = 1;
    }
    options.attack.bestAlone = !needVectors(figures);
    return options;
}

FigureValue figureOf(const EvaluationSummary& summary, std::size_t cell, const FigureName& figure) {
    using Kind = FigureName::Kind;
    if (figure.isRisk()) {
        return attackFigure(summary, cell,
                            figure.kind == Kind::best   ? "best"
                            : figure.kind == Kind::gain ? "gain"
                                                        : "upper");
    }
    const std::vector<ClassifierKind>& classifiers = summary.options.classifiers;
    const auto place = static_cast<std::size_t>(
        std::find(classifiers.begin(), classifiers.end(), figure.classifier) - classifiers.begin());
    const std::vector<ClassifierResults>& all = summary.cells[cell].classify;
    if (place >= all.size()) {
        return {kNotThere, std::nullopt};
    }
    if (figure.kind == Kind::retained) {
        return all[place].retained ? valueOf(*all[place].retained)
                                   : FigureValue{kNotThere, std::nullopt};
    }
    return valueOf(
        all[place].of(figure.kind == Kind::accuracy ? Measure::accuracy : Measure::macroF1));
}

double priorSuccess(const EvaluationSummary& summary) {
    const AttackResults* const attack = reconstructionOf(summary);
    if (attack == nullptr || attack->cells.empty()) {
        return kNotThere;
    }
    // He has the same success in the control and at every setting.
    const std::optional<Findings>& findings =
        attack->original ? attack->original : attack->cells.front();
    const Figure* const prior = findings ? figureAt(*findings, "prior") : nullptr;
    return prior == nullptr ? kNotThere : prior->value;
}

Result<EvaluationSummary> evaluateWhole(const engine::SearchSpace& space, const DataSet& data,
                                        const EvaluationOptions& options, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto evaluation,
                     Evaluation::create(space, data, options, {job.stop, {}}));
    ASSIGN_OR_RETURN(auto summary, evaluation.run(job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return summary;
}

FigureReader::FigureReader(const engine::SearchSpace& space, const DataSet& data,
                           EvaluationOptions options, std::vector<FigureName> figures)
    : m_space(space),
      m_data(data),
      m_options(optionsFor(figures, std::move(options))),
      m_figures(std::move(figures)) {}

Result<std::vector<Reading>> FigureReader::read(const mechanism::Mechanism& mechanism,
                                                std::span<const double> epsilons,
                                                std::span<const std::size_t> figures,
                                                const JobContext& job) const {
    std::vector<FigureName> wanted;
    for (const std::size_t figure : figures) {
        wanted.push_back(m_figures[figure]);
    }
    if (needVectors(m_figures) && mechanism.isExact()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("attack.upper: {} has no noisy vector; match or limit attack.best",
                                mechanism.name()));
    }
    EvaluationOptions options = optionsFor(wanted, m_options);
    options.grid = mechanism::Grid::of(mechanism);
    options.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    ASSIGN_OR_RETURN(const auto summary, evaluateWhole(m_space, m_data, options, job));
    const double least = m_match ? withoutRelease(summary, m_match->figure) : kNotThere;
    if (m_match && m_match->share() <= least) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("--match: without any release an attacker guesses {} of the words "
                                "by the prior; match a larger success than that",
                                figureValueText({least, std::nullopt})));
    }
    std::vector<Reading> readings;
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        Reading reading;
        reading.epsilon = summary.cells[cell].epsilon;
        for (const FigureName& figure : wanted) {
            reading.figures.push_back(figureOf(summary, cell, figure));
        }
        readings.push_back(std::move(reading));
    }
    return readings;
}

}  // namespace epsilens::experiment
