#include "core/mechanism/mechanism.h"

#include <array>

#include <fmt/format.h>

namespace epsilens::mechanism {

std::span<const Mechanism> Mechanism::all() {
    static const std::array<Mechanism, std::variant_size_v<Variant>> kAll{
        Laplace{}, Mahalanobis{}, Tem{}, Exponential{}, Hyperbolic{}};
    return kAll;
}

Result<Mechanism> Mechanism::named(std::string_view name, const Parameters& parameters) {
    std::vector<std::string_view> names;
    for (const Mechanism& mechanism : all()) {
        names.push_back(mechanism.name());
        if (name == names.back()) {
            return mechanism.with(parameters);
        }
    }
    return refuse(
        fmt::format("mechanism \"{}\" is unknown; allowed: {}", name, fmt::join(names, ", ")));
}

std::string_view Mechanism::name() const {
    return std::visit([](const auto& kind) { return kind.kName; }, m_value);
}

std::string_view Mechanism::title() const {
    return std::visit([](const auto& kind) { return kind.kTitle; }, m_value);
}

std::string Mechanism::formula() const {
    return std::visit([](const auto& kind) { return kind.formula(); }, m_value);
}

std::string_view Mechanism::rounding() const {
    return std::visit([](const auto& kind) { return kind.kRounding; }, m_value);
}

Parameters Mechanism::parameters() const {
    return std::visit([](const auto& kind) { return kind.parameters(); }, m_value);
}

Mechanism Mechanism::with(const Parameters& parameters) const {
    Mechanism result = *this;
    std::visit([&](auto& kind) { kind.take(parameters); }, result.m_value);
    return result;
}

bool Mechanism::hasRadius() const {
    const Parameters own = parameters();
    return own.gamma || own.beta;
}

Metric Mechanism::metric() const {
    return std::visit([](const auto& kind) { return kind.metric(); }, m_value);
}

bool Mechanism::isExact() const {
    return std::visit([](const auto& kind) { return kind.kIsExact; }, m_value);
}

double Mechanism::epsilonBound(Eigen::Index dimensions) const {
    const auto* hyperbolic = as<Hyperbolic>();
    return hyperbolic != nullptr ? numeric::epsilonBound(hyperbolic->law, dimensions) : 0.0;
}

bool Mechanism::sharesUnitWith(const Mechanism& other) const {
    const auto isElliptical = [](const Mechanism& mechanism) {
        return mechanism.as<Laplace>() || mechanism.as<Mahalanobis>();
    };
    if (isElliptical(*this) && isElliptical(other)) {
        return true;
    }
    return isExact() == other.isExact() && metric() == other.metric() &&
           parameters().law == other.parameters().law;
}

Result<Form> Mechanism::on(const embedding::EmbeddingHandle& embedding) const {
    return std::visit([&](const auto& kind) { return kind.on(embedding); }, m_value);
}

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
