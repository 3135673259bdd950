#include "core/evaluation/figure_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/evaluation/evaluation_parts.h"

namespace epsilens::evaluation {
namespace {

using Kind = FigureName::Kind;

const FigureValue kNotThere{std::numeric_limits<double>::quiet_NaN(), std::nullopt};

/// Whether a figure is asked for whose value needs noisy vectors.
bool needVectors(const std::vector<FigureName>& figures) {
    return std::ranges::find(figures, Kind::upper, &FigureName::kind) != figures.end();
}

/// A figure of a classifier, "linear.accuracy"; NaN where it does not exist.
FigureValue classifierFigure(const EvaluationSummary& summary, std::size_t condition,
                             std::string_view path) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(dot + 1);
    const std::vector<ClassifierResults>& all = summary.classified(condition);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (classifierName(summary.options.classifiers[i]) == path.substr(0, dot)) {
            const auto* const measure = std::ranges::find(kMeasures, name, measureName);
            const Estimate estimate =
                name != "retained"
                    ? all[i].of(*measure)
                    : all[i].retained.value_or(Estimate{kNotThere.value, std::nullopt});
            return {estimate.mean, estimate.ci95};
        }
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

/// Fails where an attacker reaches the value to match without any release.
Result<void> checkMatch(const EvaluationSummary& summary, const FigureLimit& match) {
    const Kind kind = match.figure.kind;
    // The prior has the same success at every setting.
    const FigureValue least =
        kind == Kind::best ? figureAt(summary, kBaselines, "reconstruct.prior").value_or(kNotThere)
        : kind == Kind::upper ? figureAt(summary, kFloor, "reconstruct.upper").value_or(kNotThere)
                              : kNotThere;
    if (match.share() <= least.value) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("--match: without any release an attacker guesses {} of the words "
                                "by the prior; match a larger success than that",
                                figureValueText({least.value, std::nullopt})));
    }
    return {};
}

template <typename Value>
void addOnce(std::vector<Value>& values, Value value) {
    if (std::ranges::find(values, value) == values.end()) {
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
    if (!options.has(attack::Task::classify)) {
        options.classifiers = {ClassifierKind::linear};
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

Result<EvaluationSummary> runWhole(const Evaluation& evaluation, const JobContext& job) {
    ASSIGN_OR_RETURN(auto summary, evaluation.run(job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return summary;
}

Result<Readings> readFigures(const Evaluation& evaluation, const std::vector<FigureName>& figures,
                             const mechanism::Mechanism& mechanism,
                             std::span<const double> epsilons, const FigureLimit* match,
                             const JobContext& job) {
    if (needVectors(figures) && mechanism.isExact()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("attack.upper: {} has no noisy vector; match or limit attack.best",
                                mechanism.name()));
    }
    EvaluationOptions options = optionsFor(figures, evaluation.parts().options);
    options.grid = mechanism::Grid::of(mechanism);
    options.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    ASSIGN_OR_RETURN(const auto summary, runWhole(evaluation.with(std::move(options)), job));
    if (match != nullptr) {
        RETURN_IF_ERROR(checkMatch(summary, *match));
    }
    Readings readings(epsilons.size());
    for (std::size_t cell = 0; cell < readings.size(); ++cell) {
        for (const FigureName& figure : figures) {
            readings[cell].push_back(figureOf(summary, cell, figure));
        }
    }
    return readings;
}

}  // namespace epsilens::evaluation
