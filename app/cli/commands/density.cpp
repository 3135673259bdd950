#include "app/cli/commands/density.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::cli {
namespace {

constexpr double kWorthSayingSeconds = 2.0;

}  // namespace

Result<TimedProfile> computeDensity(const engine::SearchSpace& space,
                                    const CommandContext& context) {
    const double estimate = statistics::estimateDensitySeconds(space, context.general.threads);
    if (estimate >= kWorthSayingSeconds) {
        context.console.note(
            fmt::format("nearest-neighbour distances of {} vectors, about {:.0f} s",
                        formatCount(space.positions()), estimate));
    }
    RETURN_IF_ERROR(refuseLongWork(estimate, context));
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto profile, context.withProgress([&](const JobContext& job) {
        return statistics::densityProfile(space, context.general.threads, job);
    }));
    return TimedProfile{
        std::move(profile),
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace epsilens::cli
