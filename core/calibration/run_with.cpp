#include "core/calibration/run_with.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/pass_on.h"

namespace epsilens::calibration {
namespace {

/// Before the first larger value, so that rising values go on rising.
void include(std::vector<double>& values, double value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.insert(std::upper_bound(values.begin(), values.end(), value), value);
    }
}

}  // namespace

std::optional<std::size_t> cellOf(const mechanism::Grid& grid, const mechanism::Setting& setting) {
    const std::vector<mechanism::Mechanism> all = grid.mechanisms();
    const auto found = std::find(all.begin(), all.end(), setting.mechanism);
    const auto epsilon = std::find(grid.epsilons.begin(), grid.epsilons.end(), setting.epsilon);
    if (found == all.end() || epsilon == grid.epsilons.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - all.begin()) * grid.epsilons.size() +
           static_cast<std::size_t>(epsilon - grid.epsilons.begin());
}

Cell cellAt(const mechanism::Setting& setting) {
    const mechanism::Parameters parameters = setting.mechanism.parameters();
    Cell cell;
    cell.epsilon = setting.epsilon;
    cell.lambda = setting.mechanism.lambda();
    cell.gamma = parameters.gamma;
    cell.beta = parameters.beta;
    return cell;
}

mechanism::Grid including(mechanism::Grid grid, const mechanism::Setting& setting) {
    include(grid.epsilons, setting.epsilon);
    const mechanism::Parameters parameters = setting.mechanism.parameters();
    if (parameters.lambda) {
        include(grid.lambdas, *parameters.lambda);
    }
    if (parameters.gamma && grid.gammas.empty()) {
        grid.gammas = {*parameters.gamma};
    } else if (parameters.gamma) {
        include(grid.gammas, *parameters.gamma);
    } else if (parameters.beta && !grid.gammas.empty()) {
        grid.gammas.clear();
        grid.betas = {*parameters.beta};
    } else if (parameters.beta) {
        include(grid.betas, *parameters.beta);
    }
    return grid;
}

Result<RunHandle> runWith(const RunHandle& run, const mechanism::Setting& setting,
                          const engine::SearchSpace& space, const JobContext& job) {
    if (cellOf(run->summary->grid, setting)) {
        return run;
    }
    Run wanted = *run;
    wanted.request.options.grid = including(run->request.options.grid, setting);
    ASSIGN_OR_RETURN(auto again, repeatRun(wanted, space, run->request.options.threads, job));
    return std::make_shared<const Run>(std::move(again));
}

}  // namespace epsilens::calibration
