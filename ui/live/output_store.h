#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>

#include "core/statistics/output_distribution.h"
#include "ui/live/path_job.h"

namespace epsilens::ui::live {

/// The paths of one word, as part of the table of the job that found them.
struct WordPaths {
    PathSetting setting{};
    std::shared_ptr<const engine::PathTable> table{};
    std::size_t index = 0;  ///< of the word in the table
    CriticalEpsilon critical{};

    [[nodiscard]] Row output(int draw, double epsilon) const {
        return table->output(index, draw % table->draws(), epsilon);
    }
};

/// Paths and neighbours found so far for words of one embedding. Those of an earlier setting stay
/// until better ones arrive, so that there is something to show meanwhile.
class PathStore {
public:
    void clear();
    void add(const PathAnswer& answer);
    /// Forgets words not among `wanted` once more than about `mostPaths` (word, draw) pairs are
    /// held.
    void trim(std::span<const Row> wanted, std::size_t mostPaths);

    /// Nullptr for a word that no answer was about.
    [[nodiscard]] const WordPaths* find(Row word) const;
    [[nodiscard]] const engine::Neighbourhood* neighbours(Row word) const;
    [[nodiscard]] bool isCurrent(Row word, const PathSetting& setting) const;
    /// Output distribution at epsilon > 0 of a word that find() knows.
    [[nodiscard]] statistics::OutputDistribution distribution(Row word, double epsilon) const;

private:
    std::unordered_map<Row, WordPaths> m_paths;
    std::unordered_map<Row, engine::Neighbourhood> m_neighbours;
};

}  // namespace epsilens::ui::live
