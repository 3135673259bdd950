#include "core/evaluation/evaluation.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/calibration/run_curves.h"

namespace epsilens::evaluation {
namespace {

/// What a task found under a condition; null where it was not tried there.
const attack::Findings* findingsAt(const EvaluationSummary& summary, std::size_t condition,
                                   std::string_view task) {
    if (task == attack::taskName(attack::Task::classify)) {
        return condition == kOriginal  ? &summary.original
               : condition == kCeiling ? &summary.ceiling
               : condition == kFloor   ? &summary.floor
                                       : &summary.cells[condition - kBaselines].classify;
    }
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

}  // namespace

std::optional<FigureValue> figureAt(const EvaluationSummary& summary, std::size_t condition,
                                    std::string_view path) {
    const std::size_t dot = path.find('.');
    const auto* findings = findingsAt(summary, condition, path.substr(0, dot));
    const attack::Figure* figure =
        findings != nullptr ? attack::figureAt(*findings, path.substr(dot + 1)) : nullptr;
    return figure == nullptr || figure->kind != attack::Figure::Kind::share ||
                   std::isnan(figure->value)
               ? std::nullopt
               : std::optional<FigureValue>(*figure);
}

FigureValue figureOf(const EvaluationSummary& summary, std::size_t condition,
                     const FigureName& figure) {
    return figureAt(summary, condition, figurePath(figure))
        .value_or(FigureValue{std::numeric_limits<double>::quiet_NaN(), std::nullopt});
}

std::vector<SettingFamily> familiesOf(const EvaluationSummary& summary) {
    std::vector<SettingFamily> families;
    const std::size_t epsilons = summary.options.grid.epsilons.size();
    for (const mechanism::Mechanism& mechanism : summary.options.grid.mechanisms()) {
        const std::size_t first = families.size() * epsilons;
        SettingFamily& family = families.emplace_back(SettingFamily{mechanism});
        for (std::size_t i = first; i < std::min(first + epsilons, summary.cells.size()); ++i) {
            family.cells.push_back(i);
        }
        std::ranges::sort(family.cells, {},
                          [&](std::size_t cell) { return summary.cells[cell].epsilon; });
    }
    return families;
}

std::size_t nearestFamily(const std::vector<SettingFamily>& families,
                          const mechanism::Mechanism& mechanism) {
    using calibration::CurveParameter;
    const CurveParameter parameter = calibration::parameterOf(families.front().mechanism);
    const double wanted = calibration::parameterValue(mechanism, parameter);
    const auto distance = [&](const SettingFamily& family) {
        const double value = calibration::parameterValue(family.mechanism, parameter);
        return parameter == CurveParameter::beta ? std::fabs(std::log(value / wanted))
                                                 : std::fabs(value - wanted);
    };
    const auto nearest = std::ranges::min_element(families, {}, distance);
    return static_cast<std::size_t>(nearest - families.begin());
}

std::optional<std::size_t> nearestCell(const EvaluationSummary& summary,
                                       const SettingFamily& family, double epsilon) {
    if (family.cells.empty() || epsilon < summary.cells[family.cells.front()].epsilon ||
        epsilon > summary.cells[family.cells.back()].epsilon) {
        return std::nullopt;
    }
    return *std::ranges::min_element(family.cells, {}, [&](std::size_t cell) {
        return std::fabs(std::log(summary.cells[cell].epsilon / epsilon));
    });
}

std::vector<TradeOffPoint> tradeOffOf(const EvaluationSummary& summary, attack::Task task) {
    std::vector<TradeOffPoint> points;
    const auto attack = std::ranges::find(summary.attacks, task, &attack::AttackResults::task);
    if (attack == summary.attacks.end()) {
        return points;
    }
    const FigureName accuracy{FigureName::Kind::accuracy, summary.options.classifiers.front()};
    const std::string path = fmt::format("{}.{}", attack::taskName(task), attack->risk);
    const std::vector<SettingFamily> families = familiesOf(summary);
    for (std::size_t family = 0; family < families.size(); ++family) {
        for (const std::size_t cell : families[family].cells) {
            const auto risk = figureAt(summary, kBaselines + cell, path);
            const double utility = figureOf(summary, kBaselines + cell, accuracy).value;
            if (risk && std::isfinite(utility)) {
                points.push_back({cell, family, utility, risk->value, false});
            }
        }
    }
    for (TradeOffPoint& one : points) {
        one.isDominated = std::ranges::any_of(points, [&](const TradeOffPoint& other) {
            return other.risk <= one.risk && other.utility >= one.utility &&
                   (other.risk < one.risk || other.utility > one.utility);
        });
    }
    return points;
}

}  // namespace epsilens::evaluation
