#include "core/calibration/selection_measurement.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/run_results.h"
#include "core/mechanism/form.h"

namespace epsilens::calibration {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30;
constexpr std::int64_t kWordsPerTask = 32;
// Words that a process takes at a time, where several share them.
constexpr std::int64_t kWordsPerUnit = 256;
// Words whose shares a thread adds up at a time: fewer are done before another thread has come.
constexpr std::size_t kSharesPerTask = 2048;
// Beyond, all outputs are equally likely or all are kept.
constexpr double kBeyondAxis = 10'000.0;

class ProfileGathering {
public:
    ProfileGathering(const engine::MetricSpace& space, const mechanism::Truncation& truncation,
                     const MeasurementBasis& basis, const JobContext& job)
        : m_space(space),
          m_truncation(truncation),
          m_basis(basis),
          m_job(job),
          m_profiles(basis.words.size()),
          m_halfKept(basis.words.size()) {}

    Result<void> run(Crew* crew) {
        const auto words = static_cast<std::int64_t>(m_basis.words.size());
        const std::int64_t perUnit = crew != nullptr ? kWordsPerUnit : words;
        RETURN_IF_ERROR(inUnits(
            crew, (words + perUnit - 1) / perUnit,
            [&](std::int64_t unit) {
                return runWords(unit * perUnit, std::min(perUnit, words - unit * perUnit));
            },
            [&](auto& archive, std::int64_t unit) {
                const std::int64_t end = std::min((unit + 1) * perUnit, words);
                for (std::int64_t i = unit * perUnit; i < end; ++i) {
                    const auto word = static_cast<std::size_t>(i);
                    archive(m_profiles[word], m_halfKept[word]);
                }
            }));
        const std::size_t bytes = std::accumulate(
            m_profiles.begin(), m_profiles.end(), std::size_t{0},
            [](std::size_t sum, const DistanceProfile& p) { return sum + p.bytes(); });
        return bytes > kMostBytes ? tooLarge() : Result<void>();
    }

    [[nodiscard]] std::vector<DistanceProfile> takeProfiles() { return std::move(m_profiles); }
    [[nodiscard]] std::vector<double> takeHalfKept() { return std::move(m_halfKept); }

private:
    [[nodiscard]] std::vector<std::uint8_t> vectors() const {
        const VectorD& norms = m_space.embedding().squaredNorms;
        std::vector<std::uint8_t> hasVector;
        hasVector.reserve(static_cast<std::size_t>(m_space.wordCount()));
        for (engine::Row row = 0; row < m_space.wordCount(); ++row) {
            hasVector.push_back(norms[row] > 0.0 ? 1 : 0);
        }
        return hasVector;
    }

    Result<void> runWords(std::int64_t first, std::int64_t words) {
        const std::int64_t perTask =
            std::min(engine::MetricRows::wordsAtOnce(m_space), kWordsPerTask);
        const std::int64_t tasks = (words + perTask - 1) / perTask;
        std::atomic<std::int64_t> next{0};
        // A worker takes one task after the other, so that its scratch memory serves them all.
        const int threads =
            m_basis.options.threads > 0 ? m_basis.options.threads : defaultThreadCount();
        parallelFor(std::min<std::int64_t>(threads, tasks), threads, [&](std::int64_t) {
            engine::MetricRows rows(true);
            ExactStatisticsOfWords statistics(m_space, m_basis.options.draws);
            DistanceProfile::Maker maker(vectors());
            for (std::int64_t task = next++; task < tasks && !m_job.stopRequested();
                 task = next++) {
                const std::int64_t begin = task * perTask;
                runTask(first + begin, std::min(perTask, words - begin), rows, statistics, maker);
            }
        });
        if (m_job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return m_bytes > kMostBytes ? tooLarge() : Result<void>();
    }

    [[nodiscard]] tl::unexpected<Error> tooLarge() const {
        return fail(ErrorCode::resourceLimit,
                    fmt::format("the distances of {} words take more than {} GiB; lower the words",
                                formatCount(static_cast<std::int64_t>(m_basis.words.size())),
                                kMostBytes >> 30U));
    }

    void runTask(std::int64_t first, std::int64_t count, engine::MetricRows& rows,
                 ExactStatisticsOfWords& statistics, DistanceProfile::Maker& maker) {
        rows.load(m_space,
                  std::span(m_basis.words)
                      .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
        const auto near = static_cast<int>(
            std::min<std::int64_t>(m_basis.options.nearNeighbours, m_space.wordCount() - 1));
        for (std::int64_t i = 0; i < count && !m_job.stopRequested() && m_bytes <= kMostBytes;
             ++i) {
            const engine::MetricRow row = rows.finish(i, near);
            const auto word = static_cast<std::size_t>(first + i);
            m_profiles[word] = maker.make(row);
            m_halfKept[word] = statistics.criticalEpsilon(row, m_truncation);
            m_bytes += m_profiles[word].bytes();
        }
        const std::scoped_lock lock(m_mutex);
        m_done += count;
        m_job.progress(static_cast<double>(m_done) / static_cast<double>(m_basis.words.size()),
                       "Measuring");
    }

    const engine::MetricSpace& m_space;
    const mechanism::Truncation& m_truncation;
    const MeasurementBasis& m_basis;
    const JobContext& m_job;
    std::vector<DistanceProfile> m_profiles;
    std::vector<double> m_halfKept;
    std::atomic<std::size_t> m_bytes{0};
    std::mutex m_mutex{};
    std::int64_t m_done = 0;
};

}  // namespace

SelectionMeasurement::SelectionMeasurement(MeasurementBasis basis,
                                           std::vector<DistanceProfile> profiles,
                                           std::vector<double> halfKept,
                                           mechanism::Truncation truncation,
                                           std::int64_t vocabulary)
    : Measurement(std::move(basis)),
      m_profiles(std::move(profiles)),
      m_truncation(truncation),
      m_vocabulary(vocabulary) {
    const auto words = static_cast<std::int64_t>(halfKept.size());
    const engine::EpsilonRange range = engine::rangeOfCriticals(halfKept, words);
    setScale(std::move(halfKept), range);
}

// Every epsilon > 0 is allowed, as the truncation was checked when it was made.
mechanism::TruncatedExponential SelectionMeasurement::mechanismAt(double epsilon) const {
    return m_truncation.at(epsilon).value();
}

OutputShares SelectionMeasurement::sharesOf(std::size_t first, std::size_t end,
                                            const mechanism::TruncatedExponential& mechanism,
                                            DistanceProfile::Scratch& scratch) const {
    OutputShares sum;
    for (std::size_t word = first; word < end; ++word) {
        const auto shares = m_profiles[word].sharesAt(mechanism, scratch);
        sum.kept += weights()[word] * shares.kept;
        sum.near += weights()[word] * shares.near;
    }
    return sum;
}

OutputShares SelectionMeasurement::ofAllWords(std::span<const OutputShares> sums) const {
    const double all = std::accumulate(weights().begin(), weights().end(), 0.0);
    OutputShares shares;
    for (const OutputShares& sum : sums) {
        shares.kept += sum.kept / all;
        shares.near += sum.near / all;
    }
    shares.far = std::max(0.0, 1.0 - shares.kept - shares.near);
    return shares;
}

OutputShares SelectionMeasurement::sharesAt(double epsilon) const {
    const mechanism::TruncatedExponential mechanism = mechanismAt(epsilon);
    const std::size_t tasks = (m_profiles.size() + kSharesPerTask - 1) / kSharesPerTask;
    std::vector<OutputShares> sums(tasks);
    parallelFor(static_cast<std::int64_t>(tasks), options().threads, [&](std::int64_t task) {
        DistanceProfile::Scratch scratch;
        const std::size_t first = static_cast<std::size_t>(task) * kSharesPerTask;
        sums[static_cast<std::size_t>(task)] = sharesOf(
            first, std::min(first + kSharesPerTask, m_profiles.size()), mechanism, scratch);
    });
    return ofAllWords(sums);
}

std::vector<OutputShares> SelectionMeasurement::sharesAlong(std::span<const double> epsilons,
                                                            const std::stop_token& stop) const {
    std::vector<OutputShares> shares(epsilons.size());
    parallelFor(static_cast<std::int64_t>(epsilons.size()), options().threads,
                [&](std::int64_t index) {
                    if (stop.stop_requested()) {
                        return;
                    }
                    const auto e = static_cast<std::size_t>(index);
                    DistanceProfile::Scratch scratch;
                    const std::array sums{
                        sharesOf(0, m_profiles.size(), mechanismAt(epsilons[e]), scratch)};
                    shares[e] = ofAllWords(sums);
                });
    return shares;
}

bool SelectionMeasurement::sharesMove() const {
    const OutputShares low = sharesAt(shown().low);
    const OutputShares high = sharesAt(shown().high);
    // N_w of every word rises, so that equal ends leave nothing between.
    return high.kept - low.kept > kProfileError * high.kept;
}

MeasuredWord SelectionMeasurement::wordAt(std::size_t word, double epsilon) const {
    DistanceProfile::Scratch scratch;
    const ExactStatistics values =
        m_profiles[word].at(mechanismAt(epsilon), options().draws, scratch);
    return {values.nw, values.sw, options().draws * values.near};
}

std::vector<MeasuredOutput> SelectionMeasurement::outputsAt(std::size_t word, double epsilon,
                                                            std::size_t most) const {
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

std::vector<Cell> SelectionMeasurement::cellsAt(std::span<const double> epsilons) const {
    const double share = static_cast<double>(m_profiles.size()) / static_cast<double>(m_vocabulary);
    std::vector<Cell> cells(epsilons.size());
    parallelFor(static_cast<std::int64_t>(epsilons.size()), options().threads,
                [&](std::int64_t index) {
                    const auto e = static_cast<std::size_t>(index);
                    const mechanism::TruncatedExponential mechanism = mechanismAt(epsilons[e]);
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

Result<EpsilonFound> SelectionMeasurement::findLargest(const std::vector<Limit>& limits,
                                                       const std::optional<EpsilonSpan>& bounds,
                                                       const JobContext& job) const {
    CellSource source;
    source.searched = bounds.value_or(widened(shown(), origin(), kBeyondAxis));
    source.keptRises = true;
    source.tolerance = kProfileError;
    source.cells = [&](std::span<const double> epsilons,
                       const JobContext& /*job*/) -> Result<std::vector<Cell>> {
        return cellsAt(epsilons);
    };
    return findLargestEpsilon(source, limits, options().draws,
                              static_cast<std::int64_t>(m_profiles.size()), job);
}

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
