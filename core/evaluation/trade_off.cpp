#include "core/evaluation/trade_off.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/calibration/run_curves.h"
#include "core/evaluation/figure_reader.h"

namespace epsilens::evaluation {

std::vector<SettingFamily> familiesOf(const EvaluationSummary& summary) {
    std::vector<SettingFamily> families;
    const std::size_t epsilons = summary.options.grid.epsilons.size();
    for (const mechanism::Mechanism& mechanism : summary.options.grid.mechanisms()) {
        SettingFamily& family = families.emplace_back(SettingFamily{mechanism, {}});
        const std::size_t first = (families.size() - 1) * epsilons;
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
    const auto ratio = [&](std::size_t cell) {
        return std::fabs(std::log(summary.cells[cell].epsilon / epsilon));
    };
    return *std::ranges::min_element(family.cells, {}, ratio);
}

const attack::AttackResults* attackOf(const EvaluationSummary& summary, attack::Task task) {
    const auto found = std::ranges::find(summary.attacks, task, &attack::AttackResults::task);
    return found == summary.attacks.end() ? nullptr : &*found;
}

std::vector<TradeOffPoint> tradeOffOf(const EvaluationSummary& summary, std::size_t classifier,
                                      attack::Task task) {
    std::vector<TradeOffPoint> points;
    const attack::AttackResults* attack = attackOf(summary, task);
    if (attack == nullptr || classifier >= summary.original.size()) {
        return points;
    }
    const std::string path = fmt::format("{}.{}", attack::taskName(task), attack->risk);
    const std::vector<SettingFamily> families = familiesOf(summary);
    for (std::size_t family = 0; family < families.size(); ++family) {
        for (const std::size_t cell : families[family].cells) {
            const auto risk = figureAt(summary, kBaselines + cell, path);
            const double utility =
                summary.cells[cell].classify[classifier].of(Measure::accuracy).mean;
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
