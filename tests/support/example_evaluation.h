#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/document/evaluation_document.h"

namespace epsilens::test {

/// Sets a figure of the first setting of an evaluation, with an interval of 0.01 on either side.
///
/// path  in the JSON: "classify.linear.accuracy", "reconstruct.gain"
inline void setFigure(evaluation::EvaluationSummary& summary, const std::string& path,
                      double value) {
    const std::array interval{value - 0.01, value + 0.01};
    const std::size_t dot = path.find('.');
    const attack::Task task = attack::parseTask(path.substr(0, dot)).value();
    const attack::Figure figure{{value, interval}, path.substr(dot + 1)};
    const auto set = [&](attack::Findings& findings) {
        std::erase_if(findings.figures,
                      [&](const auto& known) { return known.path == figure.path; });
        findings.figures.push_back(figure);
    };
    if (task == attack::Task::classify) {
        set(summary.cells.front().classify);
        return;
    }
    auto attack = std::ranges::find_if(summary.attacks,
                                       [task](const auto& known) { return known.task == task; });
    if (attack == summary.attacks.end()) {
        attack = summary.attacks.insert(attack, attack::AttackResults{});
        attack->task = task;
        attack->risk = attack::ofClassifier(attack::headlineOf(task).path, "linear");
        attack->floor.emplace();
        attack->cells.emplace_back(attack::Findings{});
    }
    set(*attack->floor);
    set(*attack->cells.front());
}

/// An evaluation of the first setting of a run by a linear classifier, whose accuracy is 0.79
/// without noise.
[[nodiscard]] inline document::EvaluationRecord exampleEvaluation(
    const calibration::Run& run, const std::string& file,
    const std::vector<std::pair<const char*, double>>& figures) {
    document::EvaluationRecord record{run.provenance, {}, {}, {}};
    evaluation::EvaluationSummary& summary = record.summary;
    const calibration::Cell& chosen = run.summary->cells.front();
    summary.data.file = file;
    summary.repeats = 2;
    summary.options.grid = run.summary->grid;
    summary.options.grid.epsilons = {chosen.epsilon};
    summary.options.grid.lambdas = {chosen.lambda};
    attack::Findings results;
    results.add("linear.accuracy", corpus::Measured{0.79, std::array{0.78, 0.80}});
    summary.original = summary.ceiling = summary.floor = results;
    summary.cells.push_back({chosen, results});
    for (const auto& [path, value] : figures) {
        setFigure(summary, path, value);
    }
    return record;
}

}  // namespace epsilens::test
