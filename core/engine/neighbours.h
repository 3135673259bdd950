#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/score_columns.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// The words nearest to one word in Euclidean distance, without the word itself.
struct Neighbourhood {
    std::vector<Row> rows{};          ///< by ascending distance, ties by lower row
    std::vector<double> distances{};  ///< in float64, same order

    [[nodiscard]] bool contains(Row row) const;
};

/// A row and a number that orders rows by distance.
struct RankedRow {
    double rank = 0.0;
    Row row = 0;
};

/// The first `count` rows by rank; ties go to the lower row. `distance` turns a rank into a
/// distance.
[[nodiscard]] Neighbourhood nearestOf(std::vector<RankedRow> rows, int count,
                                      double (*distance)(double));

/// Neighbourhood of one word from the list of its least squared distances, decided in float64 where
/// float32 could be wrong. count  K >= 1
[[nodiscard]] Neighbourhood neighboursOf(const SearchSpace& space, Row word,
                                         const ColumnList& nearest, int count);

/// count  K >= 1; at most V - 1 neighbours are returned
/// One neighbourhood per word. Fails with cancelled.
[[nodiscard]] Result<std::vector<Neighbourhood>> nearestNeighbours(const SearchSpace& space,
                                                                   std::span<const Row> words,
                                                                   int count, int threads = 0,
                                                                   const JobContext& job = {});

/// The nearest other vector of every vector of a space.
struct ClosestVectors {
    std::vector<double> distances{};        ///< Euclidean, in float64, one per position, > 0
    std::vector<std::int32_t> positions{};  ///< the nearest vector; ties go to the lowest row
};

/// Decided as neighbourhoods are. Fails with unsupported if there is only one vector, and with
/// cancelled.
[[nodiscard]] Result<ClosestVectors> closestVectors(const SearchSpace& space, int threads = 0,
                                                    const JobContext& job = {});

}  // namespace epsilens::engine
