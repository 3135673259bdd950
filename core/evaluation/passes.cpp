#include "core/evaluation/passes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::evaluation {
namespace {

/// The largest difference of two cells in a figure of use or of risk.
double differenceOf(const EvaluationSummary& summary, std::size_t a, std::size_t b) {
    std::vector<std::string> paths;
    for (const ClassifierKind kind : summary.classified()) {
        paths.push_back(figurePath({FigureName::Kind::retained, kind}));
    }
    for (const attack::AttackResults& attack : summary.attacks) {
        paths.push_back(fmt::format("{}.{}", attack::taskName(attack.task), attack.risk));
    }
    double largest = 0.0;
    for (const std::string& path : paths) {
        const auto first = figureAt(summary, kBaselines + a, path);
        const auto second = figureAt(summary, kBaselines + b, path);
        if (first && second) {
            largest = std::max(largest, std::abs(first->value - second->value));
        }
    }
    return largest;
}

}  // namespace

EvaluationSummary together(EvaluationSummary before, const EvaluationSummary& later) {
    std::vector<double>& epsilons = before.options.grid.epsilons;
    for (std::size_t cell = 0; cell < later.cells.size(); ++cell) {
        const double epsilon = later.cells[cell].epsilon;
        const auto place = std::ranges::lower_bound(epsilons, epsilon) - epsilons.begin();
        const auto insert = [place](auto& values, const auto& value) {
            values.insert(values.begin() + place, value);
        };
        insert(epsilons, epsilon);
        insert(before.cells, later.cells[cell]);
        insert(before.guarantees, later.guarantees[cell]);
        for (std::size_t i = 0; i < before.attacks.size(); ++i) {
            insert(before.attacks[i].cells, later.attacks[i].cells[cell]);
        }
    }
    for (std::size_t i = 0; i < before.attacks.size(); ++i) {
        before.attacks[i].seconds += later.attacks[i].seconds;
    }
    before.data = later.data;  // with the names of classes, which no session keeps
    before.substitutions += later.substitutions;
    before.perturbSeconds += later.perturbSeconds;
    before.classifySeconds += later.classifySeconds;
    return before;
}

std::optional<double> steepest(const EvaluationSummary& summary) {
    constexpr int kDigits = 3;
    std::optional<double> found;
    double largest = 0.0;
    for (std::size_t i = 1; i < summary.cells.size(); ++i) {
        const double low = summary.cells[i - 1].epsilon;
        const double high = summary.cells[i].epsilon;
        const double middle = rounded(std::sqrt(low * high), kDigits);
        const double difference = differenceOf(summary, i - 1, i);
        if (difference > largest && low < middle && middle < high) {
            largest = difference;
            found = middle;
        }
    }
    return found;
}

}  // namespace epsilens::evaluation
