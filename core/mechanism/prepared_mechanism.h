#pragma once

#include <optional>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/form.h"
#include "core/mechanism/guarantee.h"
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

}  // namespace epsilens::mechanism
