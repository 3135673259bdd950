#include "core/mechanism/mechanism.h"

#include <array>
#include <vector>

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
    return fail(ErrorCode::invalidArgument, fmt::format("mechanism \"{}\" is unknown; allowed: {}",
                                                        name, fmt::join(names, ", ")));
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
    return std::visit([&](const auto& kind) { return kind.epsilonBound(dimensions); }, m_value);
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

}  // namespace epsilens::mechanism
