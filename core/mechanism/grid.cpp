#include "core/mechanism/grid.h"

namespace epsilens::mechanism {

bool Grid::operator==(const Grid& other) const {
    return epsilons == other.epsilons && mechanisms() == other.mechanisms();
}

std::vector<double> Grid::usedLambdas() const {
    return mechanism.hasLambda() ? lambdas : std::vector<double>{0.0};
}

Grid Grid::used() const {
    Grid result = *this;
    result.lambdas = usedLambdas();
    if (!mechanism.hasRadius()) {
        result.gammas.clear();
    }
    if (!mechanism.hasRadius() || !gammas.empty()) {
        result.betas.clear();
    }
    return result;
}

std::vector<Mechanism> Grid::mechanisms() const {
    std::vector<Mechanism> result;
    for (const double lambda : usedLambdas()) {
        if (!mechanism.hasRadius()) {
            result.push_back(mechanism.with({.lambda = lambda}));
            continue;
        }
        for (const double gamma : gammas) {
            result.push_back(mechanism.with({.lambda = lambda, .gamma = gamma}));
        }
        for (const double beta : gammas.empty() ? betas : std::vector<double>()) {
            result.push_back(mechanism.with({.lambda = lambda, .beta = beta}));
        }
    }
    return result;
}

Grid Grid::of(const Mechanism& mechanism) {
    Grid grid;
    grid.mechanism = mechanism;
    const Parameters parameters = mechanism.parameters();
    grid.lambdas = {parameters.lambda.value_or(0.0)};
    if (parameters.gamma) {
        grid.gammas = {*parameters.gamma};
    }
    grid.betas = {parameters.beta.value_or(kDefaultBeta)};
    return grid;
}

}  // namespace epsilens::mechanism
