#include "core/experiment/task.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace epsilens::experiment {
namespace {

constexpr std::array<std::pair<Task, std::string_view>, 5> kNames{
    {{Task::classify, "classify"},
     {Task::reconstruct, "reconstruct"},
     {Task::membership, "membership"},
     {Task::authorship, "authorship"},
     {Task::audit, "audit"}}};

}  // namespace

Result<Task> parseTask(std::string_view name) {
    const auto* const found = std::find_if(kNames.begin(), kNames.end(),
                                           [&](const auto& entry) { return entry.second == name; });
    if (found == kNames.end()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("\"{}\" is not one of classify, reconstruct, membership, "
                                "authorship, audit",
                                name));
    }
    return found->first;
}

std::string_view taskName(Task task) {
    return kNames.at(static_cast<std::size_t>(task)).second;
}

}  // namespace epsilens::experiment
