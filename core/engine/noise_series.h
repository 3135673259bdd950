#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/random_stream.h"
#include "core/engine/neighbours.h"
#include "core/engine/path_search.h"
#include "core/engine/search_space.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::engine {

/// Identifies draws: draw r of a block depends only on (seed, purpose, block, r).
struct DrawSource {
    std::uint64_t seed = 1;
    StreamPurpose purpose = StreamPurpose::unitDraws;
    std::uint32_t block = 0;
};

/// An output that one draw returns for one word at neighbouring epsilons of a batch.
struct OutputRun {
    std::uint32_t first = 0;    ///< number of its largest epsilon; 0 is the largest of the batch
    std::int32_t position = 0;  ///< of the output in the search space
};

/// Searches the words and draws of a batch. Holds scratch memory: one object per task.
class DrawSearch {
public:
    /// falling  the indices of the epsilons of the batch, from the largest down; outlives the
    ///          search
    explicit DrawSearch(std::span<const std::size_t> falling) : m_falling(falling) {}
    DrawSearch(const DrawSearch&) = delete;
    DrawSearch& operator=(const DrawSearch&) = delete;
    virtual ~DrawSearch() = default;

    /// Selects the word: index into the words of the batch.
    virtual void setWord(std::int64_t index) = 0;
    /// Selects the draw: variant of the series, index into the draws of the batch.
    virtual void setDraw(std::int64_t variant, std::int64_t index) = 0;

    [[nodiscard]] std::int32_t wordPosition() { return lines().wordPosition(); }
    /// Position returned for the word under the draw, at the epsilon with this index in the batch.
    [[nodiscard]] std::int32_t nearest(std::size_t epsilon);
    /// Positions returned at every epsilon of the batch, in their order.
    void nearestAtAll(std::span<std::int32_t> positions);
    /// The same as runs over the epsilons, numbered from the largest down: the first begins at 0,
    /// each ends where the next one begins, with another output.
    ///
    /// As epsilon falls, no output comes back once another one has taken its place. So few searches
    /// suffice: at epsilons that are spread over all, then on either side of where two outputs that
    /// were found meet, until no gap between different outputs is left.
    /// They hold until the next call.
    [[nodiscard]] std::span<const OutputRun> runsAtAll();
    /// The output for every epsilon.
    [[nodiscard]] virtual DrawPath path() { return drawPath(lines()); }
    /// Number of decisions so far that were too close for the fast search.
    [[nodiscard]] std::int64_t rechecked() { return lines().rechecked(); }

protected:
    /// Indices of the epsilons of the batch by their number from the largest down.
    [[nodiscard]] std::span<const std::size_t> falling() const { return m_falling; }

private:
    [[nodiscard]] virtual LineSearch& lines() = 0;
    /// The outputs at some epsilons, by their number from the largest down; they rise in number.
    virtual void outputsAt(std::span<const std::uint32_t> numbers,
                           std::span<std::int32_t> positions) = 0;
    /// Where one output probably gives way to the next: the last epsilon of the first one. A wrong
    /// guess costs time only.
    [[nodiscard]] virtual std::uint32_t lastOf(const OutputRun& output, const OutputRun& next);

    void askSpread();
    void askGaps();
    void answer();

    std::span<const std::size_t> m_falling;
    std::vector<std::uint32_t> m_asked{};
    std::vector<std::int32_t> m_positions{};
    std::vector<OutputRun> m_known{};  ///< single epsilons, rising in number
    std::vector<OutputRun> m_merged{};
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
    /// The space must outlive the series.
    explicit NoiseSeries(const SearchSpace& space) : m_space(space) {}
    NoiseSeries(const NoiseSeries&) = delete;
    NoiseSeries& operator=(const NoiseSeries&) = delete;
    virtual ~NoiseSeries() = default;

    [[nodiscard]] const SearchSpace& space() const { return m_space; }
    [[nodiscard]] virtual std::int64_t variants() const { return 1; }
    /// 0 if the mechanism has no lambda.
    [[nodiscard]] virtual double lambda(std::int64_t /*variant*/) const { return 0.0; }
    [[nodiscard]] virtual mechanism::Guarantee guarantee(std::int64_t variant,
                                                         double epsilon) const = 0;
    /// Distances between the vectors of two positions.
    [[nodiscard]] virtual PairDistances distances(std::int32_t a, std::int32_t b) const = 0;
    /// Bytes that a batch takes for each word, and for each draw and variant.
    [[nodiscard]] virtual std::int64_t rowBytes() const = 0;

    /// epsilons  those that searches will use, each in the range of the mechanism; empty for
    ///           critical values and paths. The series, the epsilons and the job must outlive the
    ///           batch.
    [[nodiscard]] virtual std::unique_ptr<SearchBatch> batch(std::span<const double> epsilons,
                                                             int threads,
                                                             const JobContext& job) const = 0;

private:
    const SearchSpace& m_space;
};

using NoiseSeriesHandle = std::shared_ptr<const NoiseSeries>;

/// Creates a noise mechanism on a space, which must outlive it.
///
/// lambdas  variants of its shape; ignored by a mechanism without lambda
/// Fails as Mechanism::on, and with unsupported for a mechanism that draws no noise.
[[nodiscard]] Result<NoiseSeriesHandle> createSeries(const SearchSpace& space,
                                                     const mechanism::Mechanism& mechanism,
                                                     const std::vector<double>& lambdas);

/// The multivariate Laplace and regularized Mahalanobis mechanisms, one variant per lambda, with
/// Euclidean distances.
[[nodiscard]] NoiseSeriesHandle ellipticalSeries(const SearchSpace& space,
                                                 std::vector<mechanism::EllipticalNoise> noises);
/// The hyperbolic mechanism with one law of the radius, with Poincaré distances. All rows of the
/// space must lie inside the ball.
[[nodiscard]] NoiseSeriesHandle hyperbolicSeries(const SearchSpace& space,
                                                 const mechanism::HyperbolicNoise& noise);

}  // namespace epsilens::engine
