#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>

#include "ui/live/output_job.h"
#include "ui/live/sentence.h"
#include "ui/state/word.h"

namespace epsilens::ui::live {

/// The outputs of one word under a setting.
struct StoredOutputs {
    embedding::EmbeddingHandle embedding{};  ///< whose rows the outputs are
    OutputSetting setting{};
    WordOutputs outputs{};  ///< with neighbours

    /// The output of a draw; mechanisms without paths answer for the epsilon of the setting.
    [[nodiscard]] Row output(int draw, double epsilon) const;
    [[nodiscard]] ShownDistribution distribution(double epsilon) const;
};

/// The output of a draw with its class.
[[nodiscard]] WordOutput outputOf(const StoredOutputs& stored, const Word& word, int draw,
                                  double epsilon, Freshness freshness);

/// Outputs and neighbours found so far for words of one embedding. Those of an earlier setting stay
/// until better ones arrive, so that there is something to show meanwhile.
class OutputStore {
public:
    void clear() { m_words.clear(); }
    void add(const OutputAnswer& answer);
    /// Forgets words not among `wanted` once more than about `mostDraws` (word, draw) pairs are
    /// held.
    void trim(std::span<const Word> wanted, std::size_t mostDraws);

    /// Nullptr for a word that no answer was about.
    [[nodiscard]] const StoredOutputs* find(const Word& word) const;
    /// Null where find() is.
    [[nodiscard]] NeighbourhoodHandle neighbours(const Word& word) const;
    [[nodiscard]] bool isCurrent(const Word& word, const OutputSetting& setting) const;
    /// Those words whose outputs under a setting are not held.
    [[nodiscard]] OutputRequest missingOf(std::span<const Word> wanted,
                                          const OutputSetting& setting) const;

private:
    /// Whether the neighbours held of a word are those of a setting.
    [[nodiscard]] bool hasNeighbours(const Word& word, const OutputSetting& setting) const;

    std::unordered_map<Row, StoredOutputs> m_words;
};

}  // namespace epsilens::ui::live
