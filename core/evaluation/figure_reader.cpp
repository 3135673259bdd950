#include "core/evaluation/figure_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/evaluation/trade_off.h"

namespace epsilens::evaluation {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

/// A figure of the attackers who guess words; NaN where it does not exist.
FigureValue attackFigure(const attack::AttackResults* attack,
                         const std::optional<attack::Findings>& findings, const std::string& path) {
    const attack::Figure* const figure =
        attack != nullptr && findings ? attack::figureAt(*findings, path) : nullptr;
    return figure == nullptr ? FigureValue{kNotThere, std::nullopt}
                             : FigureValue{figure->value, figure->ci95};
}

/// What a figure comes to without any release; NaN where it has no such value to exceed.
double withoutRelease(const EvaluationSummary& summary, const FigureName& figure) {
    const attack::AttackResults* const attack = attackOf(summary, attack::Task::reconstruct);
    if (figure.kind == FigureName::Kind::best) {
        return priorSuccess(summary);
    }
    return figure.kind == FigureName::Kind::upper && attack != nullptr
               ? attackFigure(attack, attack->floor, "upper").value
               : kNotThere;
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
    if (!options.has(attack::Task::classify)) {
        options.repeats = 1;
    }
    options.attack.bestAlone = !needVectors(figures);
    return options;
}

FigureValue figureOf(const EvaluationSummary& summary, std::size_t cell, const FigureName& figure) {
    using Kind = FigureName::Kind;
    if (figure.isRisk()) {
        const attack::AttackResults* const attack = attackOf(summary, attack::Task::reconstruct);
        return attackFigure(attack, attack != nullptr ? attack->cells[cell] : std::nullopt,
                            figurePath(figure));
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
    const attack::AttackResults* const attack = attackOf(summary, attack::Task::reconstruct);
    if (attack == nullptr || attack->cells.empty()) {
        return kNotThere;
    }
    // He has the same success in the control and at every setting.
    return attackFigure(attack, attack->original ? attack->original : attack->cells.front(),
                        "prior")
        .value;
}

Result<EvaluationSummary> evaluateWhole(const engine::SearchSpace& space,
                                        const corpus::DataSet& data,
                                        const EvaluationOptions& options, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto evaluation,
                     Evaluation::create(space, data, options, {job.stop, {}}));
    ASSIGN_OR_RETURN(auto summary, evaluation.run(job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return summary;
}

Result<std::vector<Reading>> readFigures(
    const engine::SearchSpace& space, const corpus::DataSet& data, const EvaluationOptions& options,
    const std::vector<FigureName>& figures, const mechanism::Mechanism& mechanism,
    std::span<const double> epsilons, const FigureLimit* match, const JobContext& job) {
    if (needVectors(figures) && mechanism.isExact()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("attack.upper: {} has no noisy vector; match or limit attack.best",
                                mechanism.name()));
    }
    EvaluationOptions run = optionsFor(figures, options);
    run.grid = mechanism::Grid::of(mechanism);
    run.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    ASSIGN_OR_RETURN(const auto summary, evaluateWhole(space, data, run, job));
    const double least = match != nullptr ? withoutRelease(summary, match->figure) : kNotThere;
    if (match != nullptr && match->share() <= least) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("--match: without any release an attacker guesses {} of the words "
                                "by the prior; match a larger success than that",
                                figureValueText({least, std::nullopt})));
    }
    std::vector<Reading> readings;
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        Reading& reading = readings.emplace_back();
        reading.epsilon = summary.cells[cell].epsilon;
        for (const FigureName& figure : figures) {
            reading.figures.push_back(figureOf(summary, cell, figure));
        }
    }
    return readings;
}

}  // namespace epsilens::evaluation
