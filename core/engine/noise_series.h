#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/base/job_context.h"
#include "core/base/random_stream.h"
#include "core/engine/neighbours.h"
#include "core/engine/output_runs.h"
#include "core/engine/path_search.h"
#include "core/engine/search_space.h"
#include "core/mechanism/guarantee.h"

namespace epsilens::engine {

/// Identifies draws: draw r of a block depends only on (seed, purpose, block, r).
struct DrawSource {
    std::uint64_t seed = 1;
    StreamPurpose purpose = StreamPurpose::unitDraws;
    std::uint32_t block = 0;
};

/// Searches the words and draws of a batch. Holds scratch memory: one object per task.
class DrawSearch {
public:
    DrawSearch() = default;
    DrawSearch(const DrawSearch&) = delete;
    DrawSearch& operator=(const DrawSearch&) = delete;
    virtual ~DrawSearch() = default;

    /// Selects the word: index into the words of the batch.
    virtual void setWord(std::int64_t index) = 0;
    /// Selects the draw: variant of the series, index into the draws of the batch.
    virtual void setDraw(std::int64_t variant, std::int64_t index) = 0;

    [[nodiscard]] virtual std::int32_t wordPosition() const = 0;
    /// Position returned for the word under the draw, at the epsilon with this index in the batch.
    [[nodiscard]] virtual std::int32_t nearest(std::size_t epsilon) = 0;
    /// Positions returned at every epsilon of the batch, in their order.
    virtual void nearestAtAll(std::span<std::int32_t> positions) = 0;
    /// The same as runs over the epsilons, numbered from the largest down; see RunFinder. With many
    /// epsilons it takes a series with paths far less time. They hold until the next call.
    [[nodiscard]] virtual std::span<const OutputRun> runsAtAll() = 0;
    /// Smallest epsilon from which on the draw returns the word: 0 if it always does, infinite if
    /// it never does. Only for series with paths.
    [[nodiscard]] virtual double criticalEpsilon() = 0;
    /// The output for every epsilon. Only for series with paths.
    [[nodiscard]] virtual DrawPath path() = 0;
    /// Number of decisions so far that were too close for the fast search.
    [[nodiscard]] virtual std::int64_t rechecked() const = 0;
};

/// Words and draws prepared for searches. Shared data are computed once, by all threads.
class SearchBatch {
public:
    SearchBatch() = default;
    SearchBatch(const SearchBatch&) = delete;
    SearchBatch& operator=(const SearchBatch&) = delete;
    virtual ~SearchBatch() = default;

    /// The contents are undefined if the job was stopped.
    virtual void setWords(std::span<const Row> words) = 0;
    /// Sets draws [first, first + count) for every variant. The contents are undefined if the job
    /// was stopped.
    virtual void setDraws(const DrawSource& source, std::int64_t first, std::int64_t count) = 0;
    /// A search in the current words and draws; one per task. The batch must outlive it and must
    /// not change.
    [[nodiscard]] virtual std::unique_ptr<DrawSearch> search() const = 0;
    /// The nearest words of words[index] in the neighbour distance of the mechanism.
    [[nodiscard]] virtual Neighbourhood neighbours(std::int64_t index, int count) const = 0;
};

/// Distances between two vectors, in float64.
struct PairDistances {
    double distance = 0.0;          ///< the one in which neighbours and E d are reported
    double squaredEuclidean = 0.0;  ///< for the cosine
};

/// A noise mechanism on an embedding with one or more variants of its shape (lambda), prepared for
/// searches. All variants share their unit draws. Immutable.
class NoiseSeries {
public:
    NoiseSeries() = default;
    NoiseSeries(const NoiseSeries&) = delete;
    NoiseSeries& operator=(const NoiseSeries&) = delete;
    virtual ~NoiseSeries() = default;

    [[nodiscard]] virtual const SearchSpace& space() const = 0;
    [[nodiscard]] virtual std::int64_t variants() const = 0;
    /// 0 if the mechanism has no lambda.
    [[nodiscard]] virtual double lambda(std::int64_t variant) const = 0;
    [[nodiscard]] virtual mechanism::Guarantee guarantee(std::int64_t variant,
                                                         double epsilon) const = 0;
    /// Distances between the vectors of two positions.
    [[nodiscard]] virtual PairDistances distances(std::int32_t a, std::int32_t b) const = 0;
    /// Bytes that a batch takes for each word, and for each draw and variant.
    [[nodiscard]] virtual std::int64_t rowBytes() const = 0;

    /// epsilons  those that searches will use, each finite, > 0; empty for critical values and
    /// paths The series, the epsilons and the job must outlive the batch.
    [[nodiscard]] virtual std::unique_ptr<SearchBatch> batch(std::span<const double> epsilons,
                                                             int threads,
                                                             const JobContext& job) const = 0;
};

using NoiseSeriesHandle = std::shared_ptr<const NoiseSeries>;

}  // namespace epsilens::engine
