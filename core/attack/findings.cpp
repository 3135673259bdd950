#include "core/attack/findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/enum_names.h"

namespace epsilens::attack {
namespace {

constexpr EnumNames<Task, 5> kTaskNames{{{"classify", Task::classify},
                                         {"reconstruct", Task::reconstruct},
                                         {"membership", Task::membership},
                                         {"authorship", Task::authorship},
                                         {"audit", Task::audit}}};

double chanceOf(const AttackResults& results) {
    const Figure* chance = results.floor ? figureAt(*results.floor, "chance") : nullptr;
    return chance != nullptr ? chance->value : headlineOf(results.task).chance;
}

/// What the figure is called that a task is judged by.
std::string riskTitle(const AttackResults& results) {
    return ofClassifier(headlineOf(results.task).title,
                        results.risk.substr(0, results.risk.find('.')));
}

}  // namespace

Result<Task> parseTask(std::string_view name) {
    return valueIn(kTaskNames, name);
}

std::string_view taskName(Task task) {
    return nameIn(kTaskNames, task);
}

const Figure* figureAt(const Findings& findings, std::string_view path) {
    const auto found = std::ranges::find(findings.figures, path, &Figure::path);
    return found == findings.figures.end() ? nullptr : &*found;
}

std::string ofClassifier(std::string_view text, std::string_view classifier) {
    std::string named(text);
    if (const std::size_t star = named.find('*'); star != std::string::npos) {
        named.replace(star, 1, classifier);
    }
    return named;
}

const Headline& headlineOf(Task task) {
    return *std::ranges::find(kHeadlines, task, &Headline::task);
}

std::string nullSentence(const AttackResults& results) {
    const Figure* figure = results.floor ? figureAt(*results.floor, results.risk) : nullptr;
    const double chance = chanceOf(results);
    if (figure == nullptr || !figure->ci95 || std::isnan(chance) ||
        ((*figure->ci95)[0] <= chance && chance <= (*figure->ci95)[1])) {
        return {};
    }
    return fmt::format(
        "On random words this attack is told from chance: {} {:.3f} ({:.3f} to {:.3f}), chance is "
        "{:.3f}. What is not replaced tells that much at any setting (length, punctuation, words "
        "that stay), unless it is chance after all: one interval in twenty errs.",
        riskTitle(results), figure->value, (*figure->ci95)[0], (*figure->ci95)[1], chance);
}

std::string originalSentence(const AttackResults& results) {
    const Figure* figure = results.original ? figureAt(*results.original, results.risk) : nullptr;
    const double chance = chanceOf(results);
    if (figure == nullptr || std::isnan(chance) ||
        (figure->ci95 ? (*figure->ci95)[0] : figure->value) > chance) {
        return {};
    }
    return fmt::format(
        "Even on the original text this attack is not told from chance ({} {:.3f}, chance is "
        "{:.3f}): it says nothing about the settings.",
        riskTitle(results), figure->value, chance);
}

}  // namespace epsilens::attack
