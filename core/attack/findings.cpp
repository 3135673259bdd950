#include "core/attack/findings.h"

#include <algorithm>

#include "core/base/enum_names.h"

namespace epsilens::attack {
namespace {

constexpr EnumNames<Task, 5> kTaskNames{{{"classify", Task::classify},
                                         {"reconstruct", Task::reconstruct},
                                         {"membership", Task::membership},
                                         {"authorship", Task::authorship},
                                         {"audit", Task::audit}}};

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

}  // namespace epsilens::attack
