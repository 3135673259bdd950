#include "core/experiment/attack/released_observations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace epsilens::experiment {

class ReleasedObservations::Reader : public ObservationReader {
public:
    explicit Reader(const ReleasedObservations& seen) : m_seen(seen) {}

    void read(std::span<const std::int64_t> observations, RowMatrixF& result) override {
        result.resize(static_cast<Eigen::Index>(observations.size()), m_seen.m_space.wordCount());
        const auto atOnce =
            static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(m_seen.m_space));
        for (std::size_t first = 0; first < observations.size(); first += atOnce) {
            readSome(observations.subspan(first, std::min(atOnce, observations.size() - first)),
                     static_cast<Eigen::Index>(first), result);
        }
        for (Eigen::Index i = 0; i < result.rows() && m_seen.m_afterthought; ++i) {
            m_seen.m_afterthought({result.row(i).data(), static_cast<std::size_t>(result.cols())});
        }
    }

private:
    void readSome(std::span<const std::int64_t> observations, Eigen::Index first,
                  RowMatrixF& result) {
        std::vector<Row> outputs;
        for (const std::int64_t observation : observations) {
            outputs.push_back(m_seen.m_outputs[static_cast<std::size_t>(observation)]);
        }
        m_rows.load(m_seen.m_space, outputs);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            m_seen.m_column(m_rows.finish(static_cast<std::int64_t>(i), 1),
                            result.row(first + static_cast<Eigen::Index>(i)).data());
        }
    }

    const ReleasedObservations& m_seen;
    engine::MetricRows m_rows{false};
};

std::unique_ptr<ObservationReader> ReleasedObservations::reader() const {
    return std::make_unique<Reader>(*this);
}

std::vector<std::size_t> ReleasedObservations::firstEqual(
    std::span<const std::int64_t> observations) const {
    return firstEqualBy(observations, [&](std::int64_t observation) {
        return m_outputs[static_cast<std::size_t>(observation)];
    });
}

}  // namespace epsilens::experiment
