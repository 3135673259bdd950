#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/base/job_context.h"
#include "core/base/random_stream.h"
#include "core/engine/draw_path.h"
#include "core/engine/neighbours.h"
#include "core/engine/search_space.h"
#include "core/mechanism/guarantee.h"

namespace epsilens::engine {

/// Which draws: draw r of a block is the stream (seed, purpose, block, r) alone.
struct DrawSource {
    std::uint64_t seed = 1;
    StreamPurpose purpose = StreamPurpose::unitDraws;
    std::uint32_t block = 0;
};

/// One task's way through the words and draws of a batch. Holds scratch memory.
class DrawSearch {
public:
    DrawSearch() = default;
    DrawSearch(const DrawSearch&) = delete;
    DrawSearch& operator=(const DrawSearch&) = delete;
    virtual ~DrawSearch() = default;

    /// Chooses the word: index into the words of the batch.
    virtual void setWord(std::int64_t index) = 0;
    /// Chooses the draw: variant of the series, index into the draws of the batch.
    virtual void setDraw(std::int64_t variant, std::int64_t index) = 0;

    [[nodiscard]] virtual std::int32_t wordPosition() const = 0;
    /// Position returned for the word under the draw at an epsilon of the batch, by its index.
    /// guess  any position; a good one saves time
    [[nodiscard]] virtual std::int32_t nearest(std::size_t epsilon, std::int32_t guess) = 0;
    /// Smallest epsilon at and above which the draw returns the word: 0 if it always does, infinite
    /// if it never does. Only where the series has paths.
    [[nodiscard]] virtual double criticalEpsilon() = 0;
    /// The output for every epsilon. Only where the series has paths.
    [[nodiscard]] virtual DrawPath path() = 0;
    /// Decisions too close for the fast search, so far.
    [[nodiscard]] virtual std::int64_t rechecked() const = 0;
};

/// Words and draws prepared for searches: what they share is computed once, by all threads.
class SearchBatch {
public:
    SearchBatch() = default;
    SearchBatch(const SearchBatch&) = delete;
    SearchBatch& operator=(const SearchBatch&) = delete;
    virtual ~SearchBatch() = default;

    /// Undefined contents when the job was stopped.
    virtual void setWords(std::span<const Row> words) = 0;
    /// Draws [first, first + count) under every variant. Undefined contents when the job was
    /// stopped.
    virtual void setDraws(const DrawSource& source, std::int64_t first, std::int64_t count) = 0;
    /// A search in the present words and draws; one per task. The batch must outlive it and stay
    /// unchanged.
    [[nodiscard]] virtual std::unique_ptr<DrawSearch> search() const = 0;
    /// The nearest words of words[index] by the mechanism's neighbour distance.
    [[nodiscard]] virtual Neighbourhood neighbours(std::int64_t index, int count) const = 0;
};

/// How far two vectors are apart, in float64.
struct PairDistances {
    double distance = 0.0;          ///< in which neighbours and E d are reported
    double squaredEuclidean = 0.0;  ///< for the cosine
};

/// A noise mechanism on an embedding under one or more variants of its shape (lambda), ready for
/// searches. All variants share their unit draws. Immutable.
class NoiseSeries {
public:
    NoiseSeries() = default;
    NoiseSeries(const NoiseSeries&) = delete;
    NoiseSeries& operator=(const NoiseSeries&) = delete;
    virtual ~NoiseSeries() = default;

    [[nodiscard]] virtual const SearchSpace& space() const = 0;
    [[nodiscard]] virtual std::int64_t variants() const = 0;
    /// 0 where the mechanism has no lambda.
    [[nodiscard]] virtual double lambda(std::int64_t variant) const = 0;
    [[nodiscard]] virtual mechanism::Guarantee guarantee(std::int64_t variant,
                                                         double epsilon) const = 0;
    /// Whether outputs change with epsilon only at countable breaks that can be found exactly.
    [[nodiscard]] virtual bool hasPaths() const = 0;
    /// Between the vectors of two positions.
    [[nodiscard]] virtual PairDistances distances(std::int32_t a, std::int32_t b) const = 0;
    /// Bytes a batch holds for each of its words, and for each draw and variant.
    [[nodiscard]] virtual std::int64_t rowBytes() const = 0;

    /// epsilons  that searches will ask for, each finite, > 0; none for critical values and paths
    /// The series, the epsilons and the job must outlive the batch.
    [[nodiscard]] virtual std::unique_ptr<SearchBatch> batch(std::span<const double> epsilons,
                                                             int threads,
                                                             const JobContext& job) const = 0;
};

using NoiseSeriesHandle = std::shared_ptr<const NoiseSeries>;

}  // namespace epsilens::engine
