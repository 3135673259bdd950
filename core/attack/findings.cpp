#include "core/attack/findings.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/enum_names.h"

namespace epsilens::attack {
namespace {

constexpr EnumNames<Task, 5> kNames{{{"classify", Task::classify},
                                     {"reconstruct", Task::reconstruct},
                                     {"membership", Task::membership},
                                     {"authorship", Task::authorship},
                                     {"audit", Task::audit}}};

}  // namespace

Result<Task> parseTask(std::string_view name) {
    return valueIn(kNames, name);
}

std::string_view taskName(Task task) {
    return nameIn(kNames, task);
}

double chanceOf(const AttackResults& results) {
    switch (results.task) {
        case Task::reconstruct:
        case Task::membership:
            return 0.0;
        case Task::audit:
            return 0.5;
        case Task::authorship:
            if (const Figure* chance =
                    results.floor ? figureAt(*results.floor, "chance") : nullptr) {
                return chance->value;
            }
            break;
        case Task::classify:
            break;
    }
    return std::numeric_limits<double>::quiet_NaN();
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
        figure->title, figure->value, (*figure->ci95)[0], (*figure->ci95)[1], chance);
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
        figure->title, figure->value, chance);
}

}  // namespace epsilens::attack
