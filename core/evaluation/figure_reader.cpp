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

const FigureValue kNotThere{std::numeric_limits<double>::quiet_NaN(), std::nullopt};

/// What a figure comes to without any release; NaN where it has no such value to exceed.
double withoutRelease(const EvaluationSummary& summary, const FigureName& figure) {
    if (figure.kind == FigureName::Kind::best) {
        return priorSuccess(summary);
    }
    return figure.kind == FigureName::Kind::upper
               ? figureAt(summary, kFloor, figurePath(figure)).value_or(kNotThere).value
               : kNotThere.value;
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

/// A figure of a classifier, "linear.accuracy"; NaN where it does not exist.
FigureValue classifierFigure(const EvaluationSummary& summary, std::size_t condition,
                             std::string_view path) {
    const std::vector<ClassifierResults>& all = summary.classified(condition);
    const std::size_t dot = path.find('.');
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (classifierName(summary.options.classifiers[i]) != path.substr(0, dot)) {
            continue;
        }
        const std::string_view name = path.substr(dot + 1);
        if (name == "retained") {
            return all[i].retained ? valueOf(*all[i].retained) : kNotThere;
        }
        return valueOf(
            all[i].of(*std::find_if(kMeasures.begin(), kMeasures.end(), [name](Measure measure) {
                return measureName(measure) == name;
            })));
    }
    return kNotThere;
}

/// What the attackers of a task found under a condition; null where they were not there.
const attack::Findings* findingsAt(const EvaluationSummary& summary, std::size_t condition,
                                   std::string_view task) {
    for (const attack::AttackResults& attack : summary.attacks) {
        if (condition != kCeiling && attack::taskName(attack.task) == task) {
            const auto& findings = condition == kOriginal ? attack.original
                                   : condition == kFloor  ? attack.floor
                                                          : attack.cells[condition - kBaselines];
            return findings ? &*findings : nullptr;
        }
    }
    return nullptr;
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

std::optional<FigureValue> figureAt(const EvaluationSummary& summary, std::size_t condition,
                                    std::string_view path) {
    const std::size_t dot = path.find('.');
    const std::string_view task = path.substr(0, dot);
    FigureValue value = kNotThere;
    if (task == attack::taskName(attack::Task::classify)) {
        value = classifierFigure(summary, condition, path.substr(dot + 1));
    } else if (const auto* findings = findingsAt(summary, condition, task)) {
        const auto* figure = attack::figureAt(*findings, std::string(path.substr(dot + 1)));
        if (figure != nullptr && figure->kind == attack::Figure::Kind::share) {
            value = {figure->value, figure->ci95};
        }
    }
    return std::isnan(value.value) ? std::nullopt : std::optional(value);
}

FigureValue figureOf(const EvaluationSummary& summary, std::size_t cell, const FigureName& figure) {
    return figureAt(summary, kBaselines + cell, figurePath(figure)).value_or(kNotThere);
}

double priorSuccess(const EvaluationSummary& summary) {
    // He has the same success in the control and at every setting.
    const auto control = figureAt(summary, kOriginal, "reconstruct.prior");
    return control ? control->value
                   : figureAt(summary, kBaselines, "reconstruct.prior").value_or(kNotThere).value;
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
    const double least =
        match != nullptr ? withoutRelease(summary, match->figure) : kNotThere.value;
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
