#include "core/experiment/attack/guess_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/base/pass_on.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {
namespace {

class TableBuilder {
public:
    TableBuilder(const ExactChannel& channel, const VectorD& prior, int workers)
        : m_channel(channel),
          m_logPrior(prior.array().log().cast<float>()),
          m_scores(static_cast<std::size_t>(workers), VectorF(channel.words())),
          m_largest(channel.settings(), std::vector<double>(words())) {
        GuessTable empty;
        empty.width = std::min(kTopGuesses, words());
        empty.guesses.resize(words() * empty.width);
        empty.joint.resize(words() * empty.width);
        m_tables.assign(channel.settings(), empty);
    }

    void fill(std::size_t output, int worker, const engine::MetricRow& row) {
        VectorF& scores = m_scores[static_cast<std::size_t>(worker)];
        for (std::size_t setting = 0; setting < m_tables.size(); ++setting) {
            GuessTable& table = m_tables[setting];
            m_channel.logColumn(setting, row, scores.data());
            m_largest[setting][output] = std::exp(static_cast<double>(scores.maxCoeff()));
            scores += m_logPrior;
            const RankedGuesses best =
                bestGuesses({scores.data(), static_cast<std::size_t>(scores.size())});
            for (std::size_t k = 0; k < table.width; ++k) {
                table.guesses[output * table.width + k] = best.rows[k];
                table.joint[output * table.width + k] =
                    std::exp(static_cast<double>(best.scores[k]));
            }
        }
    }

    // Sums are formed in the order of the outputs.
    std::vector<GuessTable> finish() {
        for (std::size_t setting = 0; setting < m_tables.size(); ++setting) {
            GuessTable& table = m_tables[setting];
            for (std::size_t output = 0; output < words(); ++output) {
                table.posteriorVulnerability += table.joint[output * table.width];
                table.capacity += m_largest[setting][output];
            }
        }
        return std::move(m_tables);
    }

private:
    [[nodiscard]] std::size_t words() const { return static_cast<std::size_t>(m_channel.words()); }

    const ExactChannel& m_channel;
    VectorF m_logPrior;
    std::vector<VectorF> m_scores;  ///< scratch of each worker
    std::vector<std::vector<double>> m_largest;
    std::vector<GuessTable> m_tables{};
};

}  // namespace

RankedGuesses bestGuesses(std::span<const float> scores) {
    const std::size_t width = std::min(kTopGuesses, scores.size());
    RankedGuesses best;
    float threshold = -std::numeric_limits<float>::infinity();
    for (std::size_t row = 0; row < scores.size(); ++row) {
        if (best.rows.size() == width && !(scores[row] > threshold)) {
            continue;
        }
        const auto place =
            std::upper_bound(best.scores.begin(), best.scores.end(), scores[row], std::greater<>{});
        best.rows.insert(best.rows.begin() + (place - best.scores.begin()), static_cast<Row>(row));
        best.scores.insert(place, scores[row]);
        if (best.rows.size() > width) {
            best.rows.pop_back();
            best.scores.pop_back();
        }
        threshold = best.scores.back();
    }
    return best;
}

Result<std::vector<GuessTable>> guessTables(const ExactChannel& channel, const VectorD& prior,
                                            int threads, const JobContext& job) {
    const int workers = workersOf(threads);
    TableBuilder builder(channel, prior, workers);
    std::vector<Row> outputs(static_cast<std::size_t>(channel.words()));
    std::iota(outputs.begin(), outputs.end(), 0);
    RETURN_IF_ERROR(
        visitDistances(channel.space(), outputs, 1, workers, "Attacking", job,
                       [&](std::size_t output, int worker, const engine::MetricRow& row) {
                           builder.fill(output, worker, row);
                       }));
    return builder.finish();
}

VectorD guessedShares(const GuessTable& table, const VectorD& prior, std::size_t guesses) {
    VectorD shares = VectorD::Zero(prior.size());
    for (std::size_t first = 0; first < table.guesses.size(); first += table.width) {
        for (std::size_t k = first; k < first + guesses; ++k) {
            const Row guess = table.guesses[k];
            shares[guess] += table.joint[k] / prior[guess];
        }
    }
    return shares;
}

}  // namespace epsilens::experiment
