#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/job_context.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/measurement.h"
#include "core/calibration/run_results.h"
#include "core/calibration/tem_run.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/metric_rows.h"
#include "core/io/memory_limit.h"

namespace epsilens::calibration {
namespace {

using mechanism::TruncatedExponential;

// Words that a process takes at a time, where several share them.
constexpr std::int64_t kWordsPerUnit = 256;
// Words that one alone does before it looks at their size: some 100 MiB.
constexpr std::int64_t kWordsBetweenChecks = 8192;
// Words whose shares a thread adds up at a time: fewer are done before another thread has come.
constexpr std::size_t kSharesPerTask = 2048;
// Beyond, all outputs are equally likely or all are kept.
constexpr double kBeyondAxis = 10'000.0;

// A float keeps 8 bits of its mantissa: 256 groups per factor of 2.
constexpr unsigned kDroppedBits = 15;

std::uint32_t groupOf(float distance) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &distance, sizeof bits);
    return bits >> kDroppedBits;
}

// Why kProfileError bounds the relative error of the probabilities that a DistanceProfile gives:
// Within a group, exponents differ by less than h = 2^-8 x, and the weight exp(-x) is replaced by
// its Taylor polynomial of degree 2 around the mean: the rest is at most h^3 / 6 relative to the
// weight, below 7e-4 for x = 40 and 2e-5 for x = 13. Words with x > 40 together weigh less
// than V e^-40 beside the weight 1 of the word itself. Where the radius lies within a group, the
// weights of that group alone are wrong by up to h / 2.

/// The distances of one word to the vocabulary, condensed: those to its nearest words one by one,
/// those of the others in groups in which they differ by less than 0.4%. It tells the law of the
/// outputs under any truncated exponential mechanism of that metric in microseconds.
class DistanceProfile {
public:
    /// Holds the scratch memory of making profiles.
    class Maker {
    public:
        /// squaredNorms  per row
        explicit Maker(const VectorD& squaredNorms)
            : m_isApart(static_cast<std::size_t>(squaredNorms.size())) {
            std::transform(squaredNorms.begin(), squaredNorms.end(),
                           std::back_inserter(m_hasVector),
                           [](double norm) { return std::uint8_t{norm > 0.0}; });
        }
        /// row  with cosines and with the neighbours that count as near
        [[nodiscard]] DistanceProfile make(const engine::MetricRow& row);

    private:
        struct Group {
            double distances = 0.0;  ///< sums of differences from the first distance of the group
            double squares = 0.0;
            double cosines = 0.0;
            double first = 0.0;
            std::int64_t words = 0;
            std::int64_t withVector = 0;
        };

        std::vector<std::uint8_t> m_hasVector{};  ///< per row, whether its vector is not zero
        std::vector<std::uint8_t> m_isApart;      ///< per row: the word itself and its neighbours
        std::vector<Group> m_groups{};
    };

    /// Scratch memory of at(), for one thread at a time.
    using Scratch = engine::AlignedMatrix;

    /// Fills the scratch memory with the weight of each entry: of the word, its nearest words in
    /// their order, then groups.
    ///
    /// Returns the sum over all words.
    [[nodiscard]] double weigh(const TruncatedExponential& mechanism, Scratch& scratch) const {
        if (scratch.stride() < m_values.stride()) {
            scratch = Scratch(1, m_values.stride());
        }
        const KernelLaw law(mechanism);
        float* const weights = scratch.row(0);
        static_cast<void>(engine::exponentialWeights(m_values.row(distance), nullptr, m_entries,
                                                     law.rate, law.cap, weights));
        const double square = static_cast<double>(law.rate) * static_cast<double>(law.rate);
        double total = 0.0;
        for (std::int64_t i = 0; i < m_entries; ++i) {
            const bool isCapped = law.rate * m_values.row(distance)[i] >= law.cap;
            const double bend = isCapped ? 0.0 : square * valueOf(halfVariance, i);
            const double weight = static_cast<double>(weights[i]) * (1.0 + bend);
            weights[i] = static_cast<float>(weight);
            total += weight * valueOf(count, i);
        }
        return total;
    }
    /// Only the shares of outputs that are the word itself and that are near.
    [[nodiscard]] OutputShares sharesAt(const TruncatedExponential& mechanism,
                                        Scratch& scratch) const {
        const double total = weigh(mechanism, scratch);
        double near = 0.0;
        for (std::size_t i = 1; i <= m_nearest.size(); ++i) {
            near += static_cast<double>(scratch.row(0)[i]);
        }
        return {1.0 / total, near / total, 0.0};
    }
    /// The statistics of the word; N_w and S_w out of `draws`.
    [[nodiscard]] ExactStatistics at(const TruncatedExponential& mechanism, int draws,
                                     Scratch& scratch) const {
        const OutputShares shares = sharesAt(mechanism, scratch);
        ExactStatistics result;
        result.kept = shares.kept;
        result.nw = draws * shares.kept;
        result.near = shares.near;
        double exponents = 0.0;
        for (std::int64_t i = 0; i < m_entries; ++i) {
            // Of one word of the entry.
            const double probability = static_cast<double>(scratch.row(0)[i]) * shares.kept;
            const double words = valueOf(count, i);
            const double away = valueOf(distance, i);
            result.sw += words * -std::expm1(draws * std::log1p(-std::min(probability, 1.0)));
            result.meanDistance += words * probability * away;
            exponents += words * probability * mechanism.exponent(away);
            result.cosineSum += probability * valueOf(cosine, i);
            result.cosineShare += probability * valueOf(withVector, i);
        }
        if (valueOf(withVector, 0) == 0.0) {
            result.cosineSum = 0.0;
            result.cosineShare = 0.0;
        }
        result.minEntropy = -std::log2(shares.kept);
        result.shannonEntropy = result.minEntropy + exponents * std::numbers::log2e;
        result.relativeError = kProfileError;
        return result;
    }

    [[nodiscard]] const std::vector<engine::Row>& nearest() const { return m_nearest; }
    [[nodiscard]] std::size_t bytes() const {
        return sizeof *this + m_nearest.capacity() * sizeof(engine::Row) +
               static_cast<std::size_t>(kValues * m_values.stride()) * sizeof(float);
    }

    /// For other processes; see Archive.
    template <typename Archive>
    friend void transfer(Archive& archive, DistanceProfile& profile) {
        const engine::AlignedMatrix& from = profile.m_values;
        std::vector<float> values;
        if (from.rows() > 0) {
            values.assign(from.row(0), from.row(0) + from.rows() * from.stride());
        }
        archive(profile.m_nearest, profile.m_entries, values);
        const auto size = std::ssize(values);
        profile.m_values = engine::AlignedMatrix(kValues, size / kValues);
        std::ranges::copy(values, profile.m_values.row(0));
    }

private:
    enum Values { distance, count, halfVariance, cosine, withVector, kValues };

    [[nodiscard]] double valueOf(Values value, std::int64_t entry) const {
        return static_cast<double>(m_values.row(value)[entry]);
    }

    std::vector<engine::Row> m_nearest{};
    std::int64_t m_entries = 0;        ///< the word, its nearest words, groups
    engine::AlignedMatrix m_values{};  ///< kValues rows
};

DistanceProfile DistanceProfile::Maker::make(const engine::MetricRow& row) {
    DistanceProfile profile;
    profile.m_nearest = row.neighbours.rows;
    m_isApart[static_cast<std::size_t>(row.word)] = 1;
    for (const engine::Row near : row.neighbours.rows) {
        m_isApart[static_cast<std::size_t>(near)] = 1;
    }
    const auto [least, largest] =
        std::minmax_element(row.distances, row.distances + m_isApart.size());
    const std::uint32_t base = groupOf(*least);
    m_groups.assign(groupOf(*largest) - base + 1, Group{});
    std::size_t groups = 0;
    for (std::size_t other = 0; other < m_isApart.size(); ++other) {
        if (m_isApart[other] != 0) {
            continue;
        }
        Group& group = m_groups[groupOf(row.distances[other]) - base];
        const auto distance = static_cast<double>(row.distances[other]);
        if (group.words++ == 0) {
            group.first = distance;
            ++groups;
        }
        group.distances += distance - group.first;
        group.squares += (distance - group.first) * (distance - group.first);
        group.cosines += static_cast<double>(row.cosines[other]);
        group.withVector += m_hasVector[other];
    }
    const std::size_t nearest = row.neighbours.rows.size();
    profile.m_entries = static_cast<std::int64_t>(1 + nearest + groups);
    profile.m_values = engine::AlignedMatrix(kValues, engine::paddedRowLength(profile.m_entries));
    std::int64_t entry = 0;
    const auto add = [&](double distance, double count, double variance, double cosine,
                         double withVector) {
        const double values[kValues] = {distance, count, 0.5 * variance, cosine, withVector};
        for (std::int64_t value = 0; value < kValues; ++value) {
            profile.m_values.row(value)[entry] = static_cast<float>(values[value]);
        }
        ++entry;
    };
    const bool isVector = m_hasVector[static_cast<std::size_t>(row.word)] != 0;
    add(0.0, 1.0, 0.0, isVector ? 1.0 : 0.0, isVector ? 1.0 : 0.0);
    for (std::size_t i = 0; i < nearest; ++i) {
        const auto near = static_cast<std::size_t>(row.neighbours.rows[i]);
        add(row.neighbours.distances[i], 1.0, 0.0, static_cast<double>(row.cosines[near]),
            m_hasVector[near]);
        m_isApart[near] = 0;
    }
    m_isApart[static_cast<std::size_t>(row.word)] = 0;
    for (const Group& group : m_groups) {
        if (group.words > 0) {
            const auto words = static_cast<double>(group.words);
            const double mean = group.distances / words;
            add(group.first + mean, words, std::max(0.0, group.squares / words - mean * mean),
                group.cosines, static_cast<double>(group.withVector));
        }
    }
    return profile;
}

/// TEM or an exponential mechanism, whose law is known at every epsilon.
class SelectionMeasurement final : public Measurement {
public:
    /// profiles    of the words of the basis, in their order
    /// vocabulary  V
    SelectionMeasurement(MeasurementBasis basis, std::vector<DistanceProfile> profiles,
                         const std::vector<double>& halfKept, mechanism::Truncation truncation,
                         std::int64_t vocabulary)
        : Measurement(std::move(basis)),
          m_profiles(std::move(profiles)),
          m_truncation(truncation),
          m_vocabulary(vocabulary) {
        setScale(halfKept, engine::rangeOfCriticals(halfKept, std::ssize(halfKept)));
    }

    [[nodiscard]] OutputShares sharesAt(double epsilon) const override {
        const TruncatedExponential mechanism = mechanismAt(epsilon);
        // Weighted sums over the words of each task.
        std::vector<OutputShares> sums((m_profiles.size() + kSharesPerTask - 1) / kSharesPerTask);
        parallelFor(std::ssize(sums), options().threads, [&](std::int64_t index) {
            const auto task = static_cast<std::size_t>(index);
            const std::size_t first = task * kSharesPerTask;
            DistanceProfile::Scratch scratch;
            for (std::size_t word = first;
                 word < std::min(first + kSharesPerTask, m_profiles.size()); ++word) {
                const OutputShares shares = m_profiles[word].sharesAt(mechanism, scratch);
                sums[task].kept += weights()[word] * shares.kept;
                sums[task].near += weights()[word] * shares.near;
            }
        });
        const double all = std::accumulate(weights().begin(), weights().end(), 0.0);
        OutputShares shares;
        for (const OutputShares& sum : sums) {
            shares.kept += sum.kept / all;
            shares.near += sum.near / all;
        }
        shares.far = std::max(0.0, 1.0 - shares.kept - shares.near);
        return shares;
    }

    [[nodiscard]] MeasuredWord wordAt(std::size_t word, double epsilon) const override {
        DistanceProfile::Scratch scratch;
        const ExactStatistics values =
            m_profiles[word].at(mechanismAt(epsilon), options().draws, scratch);
        return {values.nw, values.sw, options().draws * values.near};
    }

    [[nodiscard]] std::vector<MeasuredOutput> outputsAt(std::size_t word, double epsilon,
                                                        std::size_t most) const override {
        DistanceProfile::Scratch scratch;
        const DistanceProfile& profile = m_profiles[word];
        const double total = profile.weigh(mechanismAt(epsilon), scratch);
        std::vector<MeasuredOutput> outputs;
        for (std::size_t i = 0; i < std::min(most, profile.nearest().size() + 1); ++i) {
            outputs.push_back({i == 0 ? words()[word] : profile.nearest()[i - 1],
                               options().draws * static_cast<double>(scratch.row(0)[i]) / total,
                               i == 0 ? OutputClass::kept : OutputClass::near});
        }
        return outputs;
    }

    [[nodiscard]] std::vector<Cell> cellsAt(std::span<const double> epsilons) const override {
        const double share =
            static_cast<double>(m_profiles.size()) / static_cast<double>(m_vocabulary);
        std::vector<Cell> cells(epsilons.size());
        parallelFor(std::ssize(epsilons), options().threads, [&](std::int64_t index) {
            const auto e = static_cast<std::size_t>(index);
            const TruncatedExponential mechanism = mechanismAt(epsilons[e]);
            DistanceProfile::Scratch scratch;
            std::vector<ExactStatistics> words;
            for (const DistanceProfile& profile : m_profiles) {
                words.push_back(profile.at(mechanism, options().draws, scratch));
            }
            cells[e] = exactCell(words, mechanism, share);
            cells[e].lambda = options().mechanism.lambda();
            cells[e].beta = m_truncation.beta();
        });
        return cells;
    }

    [[nodiscard]] Result<EpsilonFound> findLargest(const std::vector<Limit>& limits,
                                                   const std::optional<EpsilonSpan>& bounds,
                                                   const JobContext& job) const override {
        CellSource source;
        source.searched = bounds.value_or(widened(shown(), origin(), kBeyondAxis));
        source.tolerance = kProfileError;
        source.cells = [&](std::span<const double> epsilons) { return cellsAt(epsilons); };
        source.draws = options().draws;
        source.words = std::ssize(m_profiles);
        return findLargestEpsilon(source, limits, job);
    }

private:
    // Every epsilon > 0 is allowed, as the truncation was checked when it was made.
    [[nodiscard]] TruncatedExponential mechanismAt(double epsilon) const {
        return m_truncation.at(epsilon).value();
    }

    std::vector<DistanceProfile> m_profiles;
    mechanism::Truncation m_truncation;
    std::int64_t m_vocabulary;
};

}  // namespace

Result<MeasurementHandle> measureSelection(const engine::SearchSpace& space, MeasurementBasis basis,
                                           Crew* crew, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto grid,
                     selectionGrid(space.handle(), mechanism::Grid::of(basis.options.mechanism),
                                   basis.options.threads));
    const engine::MetricSpace& metricSpace = grid.spaces.front();
    const mechanism::Truncation truncation = grid.columns.front().truncation;
    const std::int64_t words = std::ssize(basis.words);
    std::vector<DistanceProfile> profiles(basis.words.size());
    std::vector<double> halfKept(basis.words.size());
    const auto checkSize = [&] {
        double bytes = 0.0;
        for (const DistanceProfile& profile : profiles) {
            bytes += static_cast<double>(profile.bytes());
        }
        return io::MemoryBudget(kMostMeasurementBytes)
            .check(bytes, fmt::format("the distances of {} words", formatCount(words)),
                   "lower the words");
    };
    struct Worker {
        ExactStatisticsOfWords statistics;
        DistanceProfile::Maker maker;
    };
    constexpr std::size_t kWordsPerTask = 32;
    const auto runWords = [&](std::int64_t begin, std::int64_t end) -> Result<void> {
        const auto first = static_cast<std::size_t>(begin);
        RETURN_IF_ERROR(engine::sweepRows(
            {{&metricSpace, 1},
             std::span(basis.words).subspan(first, static_cast<std::size_t>(end - begin)),
             kWordsPerTask,
             true,
             basis.options.nearNeighbours,
             basis.options.threads,
             "Measuring"},
            partOf(job, begin, end, words),
            [&](int /*worker*/) {
                return Worker{ExactStatisticsOfWords(metricSpace, basis.options.draws),
                              DistanceProfile::Maker(space.embedding().squaredNorms)};
            },
            [&](Worker& worker, std::size_t word, std::size_t /*space*/,
                const engine::MetricRow& row) {
                profiles[first + word] = worker.maker.make(row);
                halfKept[first + word] = worker.statistics.criticalEpsilon(row, truncation);
            }));
        return checkSize();
    };
    RETURN_IF_ERROR(inRanges(crew, words, crew != nullptr ? kWordsPerUnit : kWordsBetweenChecks,
                             runWords, [&](Archive& archive, std::int64_t word) {
                                 archive(profiles[static_cast<std::size_t>(word)],
                                         halfKept[static_cast<std::size_t>(word)]);
                             }));
    RETURN_IF_ERROR(checkSize());
    return std::make_shared<const SelectionMeasurement>(
        std::move(basis), std::move(profiles), halfKept, truncation, metricSpace.wordCount());
}

}  // namespace epsilens::calibration
