#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"
#include "core/experiment/attack/observations.h"

namespace epsilens::experiment {

using embedding::Row;

/// Outputs of a text, read by the columns of a channel C.
class ReleasedObservations : public Observations {
public:
    /// Sets V entries to ln C(x, u) of every word x, from the distances of u. Called by several
    /// threads at once.
    using Column = std::function<void(const engine::MetricRow& output, float* result)>;
    /// Changes what a column says, V entries; called as Column is.
    using Afterthought = std::function<void(std::span<float> said)>;

    /// space         outlives this object, as do the outputs
    /// outputs       one for every token; those of tokens that are not replaced are never read
    /// afterthought  may be empty
    ReleasedObservations(const engine::MetricSpace& space, Column column,
                         std::span<const Row> outputs, Afterthought afterthought = {})
        : m_space(space),
          m_column(std::move(column)),
          m_outputs(outputs),
          m_afterthought(std::move(afterthought)) {}

    [[nodiscard]] std::unique_ptr<ObservationReader> reader() const override;
    [[nodiscard]] std::vector<std::size_t> firstEqual(
        std::span<const std::int64_t> observations) const override;

private:
    class Reader;

    const engine::MetricSpace& m_space;
    Column m_column;
    std::span<const Row> m_outputs;
    Afterthought m_afterthought;
};

}  // namespace epsilens::experiment
