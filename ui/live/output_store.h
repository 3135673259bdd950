#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>

#include "ui/live/output_job.h"

namespace epsilens::ui::live {

/// The outputs of one word under a setting.
struct StoredOutputs {
    OutputSetting setting{};
    WordOutputs outputs{};  ///< with neighbours

    /// The output of a draw; mechanisms without paths answer for the epsilon of the setting.
    [[nodiscard]] Row output(int draw, double epsilon) const;
    [[nodiscard]] ShownDistribution distribution(double epsilon) const;
};

/// Outputs and neighbours found so far for words of one embedding. Those of an earlier setting stay
/// until better ones arrive, so that there is something to show meanwhile.
class OutputStore {
public:
    void clear() { m_words.clear(); }
    void add(const OutputAnswer& answer);
    /// Forgets words not among `wanted` once more than about `mostDraws` (word, draw) pairs are
    /// held.
    void trim(std::span<const Row> wanted, std::size_t mostDraws);

    /// Nullptr for a word that no answer was about.
    [[nodiscard]] const StoredOutputs* find(Row word) const;
    [[nodiscard]] const engine::Neighbourhood* neighbours(Row word) const;
    [[nodiscard]] bool isCurrent(Row word, const OutputSetting& setting) const;
    /// Whether the neighbours held of a word are those of a setting.
    [[nodiscard]] bool hasNeighbours(Row word, const OutputSetting& setting) const;

private:
    std::unordered_map<Row, StoredOutputs> m_words;
};

}  // namespace epsilens::ui::live
