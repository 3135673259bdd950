#include "core/experiment/attack/exact_channel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/exponential_kernel.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {
namespace {

using mechanism::TruncatedExponential;

std::vector<Row> allRows(Row words) {
    std::vector<Row> rows(static_cast<std::size_t>(words));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

float asFloat(double value) {
    return static_cast<float>(std::min<double>(value, std::numeric_limits<float>::max()));
}

// -epsilon min(d, gamma) / 2 of a row of distances.
void negativeExponents(const TruncatedExponential& mechanism, const float* distances, Row count,
                       float* result) {
    const float rate = asFloat(0.5 * mechanism.epsilon());
    const float radius = asFloat(mechanism.gamma());
    for (Row u = 0; u < count; ++u) {
        result[u] = -rate * std::min(distances[u], radius);
    }
}

class ExactReader : public ObservationReader {
public:
    ExactReader(const ExactChannel& channel, std::size_t setting,
                std::span<const std::vector<Row>> releases)
        : m_channel(channel), m_setting(setting), m_releases(releases), m_column(channel.words()) {}

    void read(std::span<const std::int64_t> observations, RowMatrixF& result) override {
        result.setZero(static_cast<Eigen::Index>(observations.size()), m_channel.words());
        const auto atOnce =
            static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(m_channel.space()));
        for (const std::vector<Row>& release : m_releases) {
            for (std::size_t first = 0; first < observations.size(); first += atOnce) {
                addRelease(
                    release,
                    observations.subspan(first, std::min(atOnce, observations.size() - first)),
                    static_cast<Eigen::Index>(first), result);
            }
        }
    }

private:
    void addRelease(const std::vector<Row>& release, std::span<const std::int64_t> observations,
                    Eigen::Index first, RowMatrixF& result) {
        std::vector<Row> outputs;
        for (const std::int64_t observation : observations) {
            outputs.push_back(release[static_cast<std::size_t>(observation)]);
        }
        m_rows.load(m_channel.space(), outputs);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            m_channel.logColumn(m_setting, m_rows.finish(static_cast<std::int64_t>(i), 1),
                                m_column.data());
            result.row(first + static_cast<Eigen::Index>(i)) += m_column.transpose();
        }
    }

    const ExactChannel& m_channel;
    std::size_t m_setting;
    std::span<const std::vector<Row>> m_releases;
    engine::MetricRows m_rows{false};
    VectorF m_column;
};

}  // namespace

Result<ExactChannel> ExactChannel::create(const engine::MetricSpace& space,
                                          std::vector<TruncatedExponential> mechanisms, int threads,
                                          const JobContext& job) {
    ExactChannel channel(space, std::move(mechanisms));
    channel.m_logTotals.assign(channel.settings(), VectorF(channel.words()));
    const int workers = workersOf(threads);
    engine::AlignedMatrix weights(workers, space.paddedWords());
    RETURN_IF_ERROR(visitDistances(
        space, allRows(channel.words()), 1, workers, "Channel", job,
        [&](std::size_t word, int worker, const engine::MetricRow& row) {
            for (std::size_t setting = 0; setting < channel.settings(); ++setting) {
                const TruncatedExponential& mechanism = channel.m_mechanisms[setting];
                const double cap = std::min<double>(mechanism.cap(), engine::kLargestExponent);
                const double total =
                    engine::exponentialWeights(row.distances, nullptr, channel.words(),
                                               asFloat(0.5 * mechanism.epsilon()),
                                               static_cast<float>(cap), weights.row(worker))
                        .weights;
                channel.m_logTotals[setting][static_cast<Eigen::Index>(word)] =
                    static_cast<float>(std::log(total));
            }
        }));
    return channel;
}

double ExactChannel::kept(std::size_t setting, Row word) const {
    return std::exp(-static_cast<double>(m_logTotals[setting][word]));
}

void ExactChannel::logColumn(std::size_t setting, const engine::MetricRow& output,
                             float* result) const {
    negativeExponents(m_mechanisms[setting], output.distances, words(), result);
    Eigen::Map<VectorF>(result, words()) -= m_logTotals[setting];
}

void ExactChannel::logRow(std::size_t setting, const engine::MetricRow& word, float* result) const {
    negativeExponents(m_mechanisms[setting], word.distances, words(), result);
    Eigen::Map<VectorF>(result, words()).array() -= m_logTotals[setting][word.word];
}

std::unique_ptr<ObservationReader> ExactObservations::reader() const {
    return std::make_unique<ExactReader>(m_channel, m_setting, m_releases);
}

}  // namespace epsilens::experiment
