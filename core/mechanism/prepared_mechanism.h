#pragma once

#include <optional>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/kinds.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/word_metric.h"

namespace epsilens::mechanism {

/// A mechanism on an embedding with everything checked that does not depend on epsilon, so that
/// its guarantee at an epsilon costs nothing. Keeps the embedding alive.
class PreparedMechanism {
public:
    /// Fails as Mechanism::on and the metric of the guarantee do.
    [[nodiscard]] static Result<PreparedMechanism> create(
        const embedding::EmbeddingHandle& embedding, const Mechanism& mechanism);

    [[nodiscard]] const Mechanism& mechanism() const { return m_mechanism; }
    /// Of the guarantee.
    [[nodiscard]] const metric::WordMetric& metric() const { return m_metric; }
    [[nodiscard]] const Form& form() const { return m_form; }
    /// Fails where the mechanism does not exist at the epsilon.
    [[nodiscard]] Result<Guarantee> guarantee(double epsilon) const;
    /// The radius of a TEM at an epsilon; nothing for other mechanisms, or where there is none.
    [[nodiscard]] std::optional<double> gammaAt(double epsilon) const;

private:
    PreparedMechanism(const Mechanism& mechanism, metric::WordMetric metric, Form form)
        : m_mechanism(mechanism), m_metric(std::move(metric)), m_form(std::move(form)) {}

    Mechanism m_mechanism;
    metric::WordMetric m_metric;
    Form m_form;
};

/// How far a promise to two words reaches: the epsilons at which seeing the output changes their
/// odds by at most a factor.
struct PromiseReach {
    double factor = 2.0;
    /// The largest such epsilon, rounded down; infinite when a cap holds the odds there for every
    /// epsilon; nothing when no epsilon does.
    std::optional<double> epsilon{};
};

/// The reach of a factor, found by bisection: the loss of a pair does not fall as epsilon grows.
///
/// distance  of the words in the metric of the guarantee, >= 0
/// factor    finite, > 1
[[nodiscard]] PromiseReach promiseReach(const PreparedMechanism& mechanism, double distance,
                                        double factor);

}  // namespace epsilens::mechanism
