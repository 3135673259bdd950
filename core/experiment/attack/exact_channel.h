#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/experiment/attack/distance_visits.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::experiment {

/// The channel of TEM and of the exponential mechanism, C(w, u) = exp(-x(d(w, u))) / Z(w) with
/// x(d) = epsilon min(d, gamma) / 2 and Z(w) the sum over u, at several settings that share their
/// distances. Since d is symmetric, the distances of an output to all words give its column.
class ExactChannel {
public:
    /// Sums Z(w) for every word and setting: V rows of distances.
    ///
    /// space       outlives the channel
    /// mechanisms  the settings, at least one
    /// Fails with cancelled.
    [[nodiscard]] static Result<ExactChannel> create(
        const engine::MetricSpace& space, std::vector<mechanism::TruncatedExponential> mechanisms,
        int threads = 0, const JobContext& job = {});

    [[nodiscard]] const engine::MetricSpace& space() const { return *m_space; }
    [[nodiscard]] Row words() const { return m_space->wordCount(); }
    [[nodiscard]] std::size_t settings() const { return m_mechanisms.size(); }
    [[nodiscard]] const mechanism::TruncatedExponential& mechanism(std::size_t setting) const {
        return m_mechanisms[setting];
    }
    /// C(w, w): how often the word comes out itself.
    [[nodiscard]] double kept(std::size_t setting, Row word) const;

    /// ln C(x, u) of every word x, from the distances of u.
    ///
    /// result  V entries
    void logColumn(std::size_t setting, const engine::MetricRow& output, float* result) const;

private:
    ExactChannel(const engine::MetricSpace& space,
                 std::vector<mechanism::TruncatedExponential> mechanisms)
        : m_space(&space), m_mechanisms(std::move(mechanisms)) {}

    const engine::MetricSpace* m_space;
    std::vector<mechanism::TruncatedExponential> m_mechanisms;
    std::vector<VectorF> m_logTotals{};  ///< ln Z of every word, one for each setting
};

}  // namespace epsilens::experiment
