#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/job_context.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/measurement.h"
#include "core/calibration/run_results.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/metric_rows.h"
#include "core/mechanism/form.h"

namespace epsilens::calibration {
namespace {

using mechanism::TruncatedExponential;

constexpr std::size_t kMostBytes = std::size_t{4} << 30;
constexpr std::int64_t kWordsPerTask = 32;
// Words that a process takes at a time, where several share them.
constexpr std::int64_t kWordsPerUnit = 256;
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
        /// hasVector  per row, whether its vector is not zero
        explicit Maker(std::vector<std::uint8_t> hasVector)
            : m_hasVector(std::move(hasVector)), m_isApart(m_hasVector.size()) {}
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

        std::vector<std::uint8_t> m_hasVector;
        std::vector<std::uint8_t> m_isApart;  ///< per row: the word itself and its neighbours
        std::vector<Group> m_groups{};
    };

    /// Scratch memory of at(), for one thread at a time.
    using Scratch = engine::AlignedMatrix;

    /// The statistics of the word; N_w and S_w out of `draws`.
    [[nodiscard]] ExactStatistics at(const TruncatedExponential& mechanism, int draws,
                                     Scratch& scratch) const {
        const OutputShares shares = sharesAt(mechanism, scratch);
        const float* const weights = scratch.row(0);
        ExactStatistics result;
        result.kept = shares.kept;
        result.nw = draws * shares.kept;
        result.near = shares.near;
        double exponents = 0.0;
        for (std::int64_t i = 0; i < m_entries; ++i) {
            // Of one word of the entry.
            const double probability = static_cast<double>(weights[i]) * shares.kept;
            const auto words = static_cast<double>(m_values.row(count)[i]);
            const auto away = static_cast<double>(m_values.row(distance)[i]);
            result.sw += words * -std::expm1(draws * std::log1p(-std::min(probability, 1.0)));
            result.meanDistance += words * probability * away;
            exponents += words * probability * mechanism.exponent(away);
            result.beyond += away >= mechanism.gamma() ? words * probability : 0.0;
            result.cosineSum += probability * static_cast<double>(m_values.row(cosine)[i]);
            result.cosineShare += probability * static_cast<double>(m_values.row(withVector)[i]);
        }
        if (m_values.row(withVector)[0] == 0.0F) {
            result.cosineSum = 0.0;
            result.cosineShare = 0.0;
        }
        result.minEntropy = -std::log2(shares.kept);
        result.shannonEntropy = result.minEntropy + exponents * std::numbers::log2e;
        result.relativeError = kProfileError;
        return result;
    }
    /// Only the shares of outputs that are the word itself and that are near.
    [[nodiscard]] OutputShares sharesAt(const TruncatedExponential& mechanism,
                                        Scratch& scratch) const {
        const double total = weigh(mechanism, scratch);
        const float* const weights = scratch.row(0);
        double near = 0.0;
        for (std::size_t i = 1; i <= m_nearest.size(); ++i) {
            near += static_cast<double>(weights[i]);
        }
        return {1.0 / total, near / total, 0.0};
    }
    /// p(u|w) of the word and of its nearest words, in the order of their distance.
    [[nodiscard]] std::vector<double> nearestProbabilities(const TruncatedExponential& mechanism,
                                                           Scratch& scratch) const {
        const double total = weigh(mechanism, scratch);
        std::vector<double> probabilities;
        for (std::size_t i = 0; i <= m_nearest.size(); ++i) {
            probabilities.push_back(static_cast<double>(scratch.row(0)[i]) / total);
        }
        return probabilities;
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

    /// Fills the scratch memory with the weight of each entry, all of its words together.
    ///
    /// Returns their sum.
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
            const double bend =
                isCapped ? 0.0 : square * static_cast<double>(m_values.row(halfVariance)[i]);
            const double weight = static_cast<double>(weights[i]) * (1.0 + bend);
            weights[i] = static_cast<float>(weight);
            total += weight * static_cast<double>(m_values.row(count)[i]);
        }
        return total;
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

class ProfileGathering {
public:
    ProfileGathering(const engine::MetricSpace& space, const mechanism::Truncation& truncation,
                     const MeasurementBasis& basis, const JobContext& job)
        : m_space(space),
          m_truncation(truncation),
          m_basis(basis),
          m_job(job),
          m_profiles(basis.words.size()),
          m_halfKept(basis.words.size()) {
        const VectorD& norms = space.embedding().squaredNorms;
        std::ranges::transform(norms, std::back_inserter(m_hasVector),
                               [](double norm) { return std::uint8_t{norm > 0.0}; });
    }

    Result<void> run(Crew* crew) {
        const std::int64_t words = std::ssize(m_basis.words);
        const std::int64_t perUnit = crew != nullptr ? kWordsPerUnit : words;
        const auto endOf = [&](std::int64_t unit) { return std::min((unit + 1) * perUnit, words); };
        RETURN_IF_ERROR(inUnits(
            crew, (words + perUnit - 1) / perUnit,
            [&](std::int64_t unit) { return runWords(unit * perUnit, endOf(unit)); },
            [&](auto& archive, std::int64_t unit) {
                for (std::int64_t i = unit * perUnit; i < endOf(unit); ++i) {
                    const auto word = static_cast<std::size_t>(i);
                    archive(m_profiles[word], m_halfKept[word]);
                }
            }));
        return checkSize(std::accumulate(
            m_profiles.begin(), m_profiles.end(), std::size_t{0},
            [](std::size_t sum, const DistanceProfile& p) { return sum + p.bytes(); }));
    }

    [[nodiscard]] std::vector<DistanceProfile> takeProfiles() { return std::move(m_profiles); }
    [[nodiscard]] std::vector<double> takeHalfKept() { return std::move(m_halfKept); }

private:
    /// Scratch memory of one thread.
    struct Worker {
        engine::MetricRows rows{true};
        ExactStatisticsOfWords statistics;
        DistanceProfile::Maker maker;
    };

    Result<void> runWords(std::int64_t begin, std::int64_t end) {
        const std::int64_t perTask =
            std::min(engine::MetricRows::wordsAtOnce(m_space), kWordsPerTask);
        const auto all = static_cast<double>(m_basis.words.size());
        RETURN_IF_ERROR(inParallel(
            static_cast<std::size_t>((end - begin + perTask - 1) / perTask),
            m_basis.options.threads, "Measuring",
            partOf(m_job, static_cast<double>(begin) / all, static_cast<double>(end) / all),
            [&](int) {
                return Worker{engine::MetricRows(true),
                              ExactStatisticsOfWords(m_space, m_basis.options.draws),
                              DistanceProfile::Maker(m_hasVector)};
            },
            [&](Worker& worker, std::size_t task) {
                const std::int64_t first = begin + static_cast<std::int64_t>(task) * perTask;
                runTask(first, std::min(perTask, end - first), worker);
            }));
        return checkSize(m_bytes);
    }

    [[nodiscard]] Result<void> checkSize(std::size_t bytes) const {
        if (bytes <= kMostBytes) {
            return {};
        }
        return fail(ErrorCode::resourceLimit,
                    fmt::format("the distances of {} words take more than {} GiB; lower the words",
                                formatCount(std::ssize(m_basis.words)), kMostBytes >> 30U));
    }

    void runTask(std::int64_t first, std::int64_t count, Worker& worker) {
        worker.rows.load(m_space, std::span(m_basis.words)
                                      .subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(count)));
        const auto near = static_cast<int>(
            std::min<std::int64_t>(m_basis.options.nearNeighbours, m_space.wordCount() - 1));
        for (std::int64_t i = 0; i < count && !m_job.stopRequested() && m_bytes <= kMostBytes;
             ++i) {
            const engine::MetricRow row = worker.rows.finish(i, near);
            const auto word = static_cast<std::size_t>(first + i);
            m_profiles[word] = worker.maker.make(row);
            m_halfKept[word] = worker.statistics.criticalEpsilon(row, m_truncation);
            m_bytes += m_profiles[word].bytes();
        }
    }

    const engine::MetricSpace& m_space;
    const mechanism::Truncation& m_truncation;
    const MeasurementBasis& m_basis;
    const JobContext& m_job;
    std::vector<std::uint8_t> m_hasVector{};
    std::vector<DistanceProfile> m_profiles;
    std::vector<double> m_halfKept;
    std::atomic<std::size_t> m_bytes{0};
};

/// TEM or an exponential mechanism, whose law is known at every epsilon.
class SelectionMeasurement final : public Measurement {
public:
    /// profiles    of the words of the basis, in their order
    /// vocabulary  V
    SelectionMeasurement(MeasurementBasis basis, std::vector<DistanceProfile> profiles,
                         std::vector<double> halfKept, mechanism::Truncation truncation,
                         std::int64_t vocabulary)
        : Measurement(std::move(basis)),
          m_profiles(std::move(profiles)),
          m_truncation(truncation),
          m_vocabulary(vocabulary) {
        const auto words = std::ssize(halfKept);
        const engine::EpsilonRange range = engine::rangeOfCriticals(halfKept, words);
        setScale(std::move(halfKept), range);
    }

    [[nodiscard]] EpsilonKnowledge knowledge() const override {
        return EpsilonKnowledge::closedForm;
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

    [[nodiscard]] bool sharesMove() const override {
        const OutputShares low = sharesAt(shown().low);
        const OutputShares high = sharesAt(shown().high);
        // N_w of every word rises, so that equal ends leave nothing between.
        return high.kept - low.kept > kProfileError * high.kept;
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
        const std::vector<double> probabilities =
            profile.nearestProbabilities(mechanismAt(epsilon), scratch);
        std::vector<MeasuredOutput> outputs;
        for (std::size_t i = 0; i < std::min(most, probabilities.size()); ++i) {
            outputs.push_back({i == 0 ? words()[word] : profile.nearest()[i - 1],
                               options().draws * probabilities[i],
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
        source.keptRises = true;
        source.tolerance = kProfileError;
        source.cells = [&](std::span<const double> epsilons,
                           const JobContext& /*job*/) -> Result<std::vector<Cell>> {
            return cellsAt(epsilons);
        };
        return findLargestEpsilon(source, limits, options().draws, std::ssize(m_profiles), job);
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
    ASSIGN_OR_RETURN(auto form, basis.options.mechanism.on(space.handle()));
    auto& weights = std::get<mechanism::SelectionWeights>(form);
    const mechanism::Truncation truncation = weights.truncation;
    ASSIGN_OR_RETURN(const auto metricSpace,
                     engine::MetricSpace::create(std::move(weights.metric), basis.options.threads));
    ProfileGathering gathering(metricSpace, truncation, basis, job);
    RETURN_IF_ERROR(gathering.run(crew));
    return std::make_shared<const SelectionMeasurement>(std::move(basis), gathering.takeProfiles(),
                                                        gathering.takeHalfKept(), truncation,
                                                        metricSpace.wordCount());
}

}  // namespace epsilens::calibration
