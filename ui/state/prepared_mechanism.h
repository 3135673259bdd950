#pragma once

#include <optional>

#include "core/base/error.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"
#include "ui/state/mechanism_choice.h"

namespace epsilens::ui {

/// A mechanism on an embedding with everything checked that does not depend on epsilon, so that
/// its guarantee at an epsilon costs nothing. Keeps the embedding alive.
class PreparedMechanism {
public:
    /// Fails as the mechanism and its metric do.
    [[nodiscard]] static Result<PreparedMechanism> create(
        const embedding::EmbeddingHandle& embedding, const MechanismChoice& choice);

    [[nodiscard]] const MechanismChoice& choice() const { return m_choice; }
    /// Of the guarantee.
    [[nodiscard]] const metric::WordMetric& metric() const { return m_metric; }
    /// Fails where the mechanism does not exist at the epsilon.
    [[nodiscard]] Result<mechanism::Guarantee> guarantee(double epsilon) const;
    /// The radius of a TEM at an epsilon; nothing for other mechanisms, or where there is none.
    [[nodiscard]] std::optional<double> gammaAt(double epsilon) const;

private:
    PreparedMechanism(MechanismChoice choice, metric::WordMetric metric)
        : m_choice(choice), m_metric(std::move(metric)) {}

    MechanismChoice m_choice;
    metric::WordMetric m_metric;
    std::optional<mechanism::EllipticalNoise> m_elliptical{};
    std::optional<mechanism::HyperbolicNoise> m_hyperbolic{};
    std::optional<mechanism::Truncation> m_truncation{};
};

/// How the radius of a TEM is chosen. Fails as Truncation does.
[[nodiscard]] Result<mechanism::Truncation> truncationOf(const MechanismChoice& choice,
                                                         std::int64_t words);

}  // namespace epsilens::ui
