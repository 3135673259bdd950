#pragma once

#include <memory>
#include <unordered_map>

#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"
#include "core/engine/output_quantiles.h"
#include "ui/live/output_job.h"

namespace epsilens::ui::live {

/// A word's distances to all words, as TEM needs them at every epsilon and radius.
struct RankedWord {
    engine::RankedWords ranked{};
    engine::AlignedMatrix distances{};  ///< one row, what `row` points at
    engine::MetricRow row{};
    std::shared_ptr<const engine::Neighbourhood> neighbours{};
    mechanism::Mechanism criticalFor{};  ///< whose critical epsilon it is
    std::optional<double> critical{};
};

/// Distances of the words of a sentence, kept from one epsilon to the next. For one thread at a
/// time.
class SelectionCache {
public:
    /// Prepares for a metric on an embedding; what is held of others goes.
    void setSpace(MetricSpaceHandle space);
    [[nodiscard]] const engine::MetricSpace& space() const { return *m_space; }
    /// The words with their distances; those that are not held are measured. Forgets words not
    /// asked for when many are held. Fails with cancelled.
    [[nodiscard]] Result<std::vector<std::shared_ptr<RankedWord>>> words(
        const std::vector<Row>& rows, const JobContext& job);

private:
    MetricSpaceHandle m_space;
    std::unordered_map<Row, std::shared_ptr<RankedWord>> m_words;
};

/// Exact output probabilities of TEM, and R draws from them.
[[nodiscard]] Result<OutputAnswer> selectionOutputs(const OutputRequest& request,
                                                    const JobContext& job);

}  // namespace epsilens::ui::live
