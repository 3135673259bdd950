#include "app/cli/commands/density.h"

#include <chrono>
#include <utility>

#include "core/base/pass_on.h"

namespace epsilens::cli {

Result<TimedProfile> computeDensity(const engine::SearchSpace& space,
                                    const CommandContext& context) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto profile, context.withProgress([&](const JobContext& job) {
        return statistics::densityProfile(space, context.general.threads, job);
    }));
    return TimedProfile{
        std::move(profile),
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace epsilens::cli
