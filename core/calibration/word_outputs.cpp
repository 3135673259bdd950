#include "core/calibration/word_outputs.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace epsilens::calibration {
Reach reachBetween(const engine::NoiseSeries& series, std::int32_t own, std::int32_t position) {
    const engine::PairDistances pair = series.distances(own, position);
    const double first = series.space().squaredNorms()[own];
    const double second = series.space().squaredNorms()[position];
    Reach reach{pair.distance, 0.0, first > 0.0 && second > 0.0};
    if (reach.hasCosine) {
        reach.cosine =
            0.5 * (first + second - pair.squaredEuclidean) / (std::sqrt(first) * std::sqrt(second));
    }
    return reach;
}

DrawSums& DrawSums::operator+=(const DrawSums& other) {
    for (std::size_t s = 0; s < kDrawStatistics; ++s) {
        std::transform(of[s].begin(), of[s].end(), other.of[s].begin(), of[s].begin(),
                       std::plus<>());
    }
    return *this;
}

WordOutputs::WordOutputs(const engine::NoiseSeries& series, int draws)
    : m_series(series),
      m_space(series.space()),
      m_counts(static_cast<std::size_t>(m_space.positions())),
      m_isNear(static_cast<std::size_t>(m_space.positions())),
      m_reachIndex(static_cast<std::size_t>(m_space.positions()), -1),
      m_countLog(static_cast<std::size_t>(draws) + 1),
      m_log(static_cast<std::size_t>(draws) + 1),
      m_contributions(2 * m_log.size()) {
    for (std::size_t c = 1; c < m_log.size(); ++c) {
        m_log[c] = std::log2(static_cast<double>(c));
        m_countLog[c] = static_cast<double>(c) * m_log[c];
    }
}

void WordOutputs::setWord(engine::Row word, const engine::Neighbourhood& neighbours) {
    for (const std::int32_t position : m_nearPositions) {
        m_isNear[static_cast<std::size_t>(position)] = 0;
    }
    for (const std::int32_t position : m_reached) {
        m_reachIndex[static_cast<std::size_t>(position)] = -1;
    }
    m_nearPositions.clear();
    m_reached.clear();
    m_reaches.clear();
    m_ownPosition = static_cast<std::int32_t>(m_space.positionOf(word));
    m_canBeKept = m_space.rowAt(m_ownPosition) == word;
    for (const engine::Row row : neighbours.rows) {
        const auto position = static_cast<std::int32_t>(m_space.positionOf(row));
        // Of identical rows only the lowest is ever returned.
        if (m_space.rowAt(position) == row) {
            m_isNear[static_cast<std::size_t>(position)] = 1;
            m_nearPositions.push_back(position);
        }
    }
}

const Reach& WordOutputs::reachOf(std::int32_t position) {
    std::int32_t& index = m_reachIndex[static_cast<std::size_t>(position)];
    if (index < 0) {
        index = static_cast<std::int32_t>(m_reaches.size());
        m_reached.push_back(position);
        m_reaches.push_back(reachBetween(m_series, m_ownPosition, position));
    }
    return m_reaches[static_cast<std::size_t>(index)];
}

void WordOutputs::tally(std::span<const std::int32_t> positions) {
    m_distinct.clear();
    for (const std::int32_t position : positions) {
        if (m_counts[static_cast<std::size_t>(position)]++ == 0) {
            m_distinct.push_back(position);
        }
    }
}

WordStatistics WordOutputs::statisticsOfTally(std::size_t draws) {
    WordStatistics statistics;
    statistics.distinct = static_cast<int>(m_distinct.size());
    m_largest = 0;
    m_largestOften = 0;
    m_countLogSum = 0.0;
    for (const std::int32_t position : m_distinct) {
        const int count = m_counts[static_cast<std::size_t>(position)];
        m_largestOften = count > m_largest ? 1 : m_largestOften + (count == m_largest ? 1 : 0);
        m_largest = std::max(m_largest, count);
        m_countLogSum += m_countLog[static_cast<std::size_t>(count)];
        statistics.singletons += count == 1 ? 1 : 0;
        if (position == m_ownPosition && m_canBeKept) {
            statistics.kept = count;
        } else if (m_isNear[static_cast<std::size_t>(position)] != 0) {
            statistics.near += count;
        }
    }
    statistics.minEntropy = m_log[draws] - m_log[static_cast<std::size_t>(m_largest)];
    statistics.shannonEntropy =
        std::max(0.0, m_log[draws] - m_countLogSum / static_cast<double>(draws));
    return statistics;
}

void WordOutputs::addReaches(WordStatistics& statistics) {
    for (const std::int32_t position : m_distinct) {
        const int count = m_counts[static_cast<std::size_t>(position)];
        const Reach& reach = reachOf(position);
        statistics.distanceSum += count * reach.distance;
        if (reach.hasCosine) {
            statistics.cosineSum += count * reach.cosine;
            statistics.cosines += count;
        }
    }
}

void WordOutputs::clearTally() {
    for (const std::int32_t position : m_distinct) {
        m_counts[static_cast<std::size_t>(position)] = 0;
    }
}

WordStatistics WordOutputs::count(std::span<const std::int32_t> positions, DrawSums& sums) {
    tally(positions);
    WordStatistics statistics = statisticsOfTally(positions.size());
    addReaches(statistics);
    m_contributionOf.clear();
    if (positions.size() > 1) {
        findContributions(positions, statistics);
        addAgain(sums);
    }
    clearTally();
    return statistics;
}

void WordOutputs::findContributions(std::span<const std::int32_t> positions,
                                    const WordStatistics& statistics) {
    for (const std::int32_t position : m_distinct) {
        const int count = m_counts[static_cast<std::size_t>(position)];
        const auto index = static_cast<std::size_t>(count);
        m_contributions[index] = contributionOf(count, statistics.distinct, positions.size());
    }
    const std::size_t behind = m_log.size();
    const auto kept = static_cast<std::size_t>(statistics.kept);
    m_contributions[behind + kept] = m_contributions[kept];
    m_contributions[behind + kept][kKept] = 1.0;
    for (const std::int32_t position : positions) {
        const bool isKept = position == m_ownPosition && m_canBeKept;
        m_contributionOf.push_back(static_cast<std::uint32_t>(
            static_cast<std::size_t>(m_counts[static_cast<std::size_t>(position)]) +
            (isKept ? behind : 0)));
    }
}

WordOutputs::Contribution WordOutputs::contributionOf(int count, int distinct,
                                                      std::size_t draws) const {
    const std::size_t rest = draws - 1;
    const int others = distinct - (count == 1 ? 1 : 0);
    const int largest = count == m_largest && m_largestOften == 1 ? m_largest - 1 : m_largest;
    const double countLogSum = m_countLogSum - m_countLog[static_cast<std::size_t>(count)] +
                               m_countLog[static_cast<std::size_t>(count - 1)];
    return {0.0, static_cast<double>(others), m_log[static_cast<std::size_t>(others)],
            m_log[rest] - m_log[static_cast<std::size_t>(largest)],
            m_log[rest] - countLogSum / static_cast<double>(rest)};
}

void WordOutputs::addAgain(DrawSums& sums) const {
    for (std::size_t draw = 0; draw < m_contributionOf.size(); ++draw) {
        const Contribution& own = m_contributions[m_contributionOf[draw]];
        for (std::size_t s = 0; s < kDrawStatistics; ++s) {
            sums.of[s][draw] += own[s];
        }
    }
}

}  // namespace epsilens::calibration
