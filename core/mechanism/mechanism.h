#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/mechanism/kinds.h"

namespace epsilens::mechanism {

/// A mechanism with all its parameters but epsilon. The ranges of parameters are checked where it
/// meets an embedding.
class Mechanism {
public:
    using Variant = std::variant<Laplace, Mahalanobis, Tem, Exponential, Hyperbolic>;

    Mechanism() = default;
    /// Any of the mechanisms above.
    template <typename Kind>
    requires(std::is_constructible_v<Variant, Kind> &&
             !std::is_same_v<std::remove_cvref_t<Kind>, Mechanism>) Mechanism(Kind kind)
        : m_value(std::move(kind)) {}

    /// Every mechanism with its default parameters, in the order in which they are offered.
    [[nodiscard]] static std::span<const Mechanism> all();
    /// The mechanism of that name. Parameters that are missing have their defaults; those that it
    /// does not have are without effect.
    /// Fails with invalidArgument for another name; the message lists the names.
    [[nodiscard]] static Result<Mechanism> named(std::string_view name,
                                                 const Parameters& parameters = {});

    /// Parameters without effect do not count.
    [[nodiscard]] bool operator==(const Mechanism& other) const {
        return isKindOf(other) && parameters() == other.parameters();
    }

    /// Itself as one of the mechanisms above, or null.
    template <typename Kind>
    [[nodiscard]] const Kind* as() const {
        return std::get_if<Kind>(&m_value);
    }
    /// Whether the two differ in parameters only.
    [[nodiscard]] bool isKindOf(const Mechanism& other) const {
        return m_value.index() == other.m_value.index();
    }

    /// As --mechanism and files call it.
    [[nodiscard]] std::string_view name() const;
    /// As people call it, in English.
    [[nodiscard]] std::string_view title() const;
    /// Its law in one sentence, for reports.
    [[nodiscard]] std::string formula() const;
    /// What arithmetic in float64 does to the guarantee of a release, for reports; see release.md.
    [[nodiscard]] std::string_view rounding() const;
    /// The parameters that it has and that have an effect.
    [[nodiscard]] Parameters parameters() const;
    /// The same with other values of those parameters that it has.
    [[nodiscard]] Mechanism with(const Parameters& parameters) const;

    /// Whether it has the parameter lambda, the shape of a Mahalanobis distance.
    [[nodiscard]] bool hasLambda() const { return parameters().lambda.has_value(); }
    /// 0 where it has none.
    [[nodiscard]] double lambda() const { return parameters().lambda.value_or(0.0); }
    /// Whether it has a radius beyond which all words weigh the same.
    [[nodiscard]] bool hasRadius() const;

    /// The metric of the guarantee.
    [[nodiscard]] Metric metric() const;
    /// Whether its probabilities are known exactly, because it weighs all words instead of drawing
    /// noise. The output of a draw of noise changes with epsilon only at breaks that can be found
    /// exactly.
    [[nodiscard]] bool isExact() const;
    /// epsilon must exceed this: m - 1 for riemannian noise, else 0.
    ///
    /// dimensions  m
    [[nodiscard]] double epsilonBound(Eigen::Index dimensions) const;
    /// Whether the noise exists above an epsilon that grows with the dimensions.
    [[nodiscard]] bool hasEpsilonBound() const { return epsilonBound(2) > 0.0; }
    /// Whether values of epsilon can be compared with those of another mechanism.
    [[nodiscard]] bool sharesUnitWith(const Mechanism& other) const;

    /// What it does on an embedding. Fails with invalidArgument for parameters outside their
    /// ranges, with unsupported where the vectors do not admit it.
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;

private:
    Variant m_value = Mahalanobis{};
};

/// A mechanism at one epsilon, > 0, per unit of the mechanism's metric.
struct Setting {
    Mechanism mechanism{};
    double epsilon = 10.0;

    [[nodiscard]] bool operator==(const Setting&) const = default;
};

/// A mechanism over values of its parameters.
struct Grid {
    Mechanism mechanism{Laplace{}};
    std::vector<double> epsilons{};           ///< each finite, > 0
    std::vector<double> lambdas{0.0};         ///< each in [0, 1]; unused where it has none
    std::vector<double> gammas{};             ///< radii, each finite, >= 0; unused likewise
    std::vector<double> betas{kDefaultBeta};  ///< the same by error probability, without gammas

    /// Unused values do not count.
    [[nodiscard]] bool operator==(const Grid& other) const;

    /// The lambdas; a single 0 for a mechanism without.
    [[nodiscard]] std::vector<double> usedLambdas() const;
    /// Without the values that are unused.
    [[nodiscard]] Grid used() const;
    /// The mechanism at every lambda and radius, lambda-major; a run has all epsilons of the first
    /// one first.
    [[nodiscard]] std::vector<Mechanism> mechanisms() const;
    /// One mechanism as a grid without epsilons.
    [[nodiscard]] static Grid of(const Mechanism& mechanism);
};

}  // namespace epsilens::mechanism
