#include "core/experiment/attack/guess_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/pass_on.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {
namespace {

class TableBuilder {
public:
    TableBuilder(const ExactChannel& channel, const VectorD& prior, int workers)
        : m_channel(channel),
          m_logPrior(prior.array().log().cast<float>()),
          m_scores(static_cast<std::size_t>(workers), VectorF(channel.words())) {
        GuessTable empty;
        empty.guesses.resize(words());
        empty.joint.resize(words());
        m_tables.assign(channel.settings(), empty);
    }

    void fill(std::size_t output, int worker, const engine::MetricRow& row) {
        VectorF& scores = m_scores[static_cast<std::size_t>(worker)];
        for (std::size_t setting = 0; setting < m_tables.size(); ++setting) {
            GuessTable& table = m_tables[setting];
            m_channel.logColumn(setting, row, scores.data());
            scores += m_logPrior;
            const BestGuess best = bestGuess({scores.data(), words()});
            table.guesses[output] = best.word;
            table.joint[output] = std::exp(static_cast<double>(best.score));
        }
    }

    // Sums are formed in the order of the outputs.
    std::vector<GuessTable> finish() {
        for (GuessTable& table : m_tables) {
            for (const double joint : table.joint) {
                table.posteriorVulnerability += joint;
            }
        }
        return std::move(m_tables);
    }

private:
    [[nodiscard]] std::size_t words() const { return static_cast<std::size_t>(m_channel.words()); }

    const ExactChannel& m_channel;
    VectorF m_logPrior;
    std::vector<VectorF> m_scores;  ///< scratch of each worker
    std::vector<GuessTable> m_tables{};
};

}  // namespace

BestGuess bestGuess(std::span<const float> scores) {
    const auto best = std::max_element(scores.begin(), scores.end());
    return {static_cast<Row>(best - scores.begin()), *best};
}

Result<std::vector<GuessTable>> guessTables(const ExactChannel& channel, const VectorD& prior,
                                            int threads, const JobContext& job) {
    const int workers = workersOf(threads);
    TableBuilder builder(channel, prior, workers);
    std::vector<Row> outputs(static_cast<std::size_t>(channel.words()));
    std::iota(outputs.begin(), outputs.end(), 0);
    RETURN_IF_ERROR(
        visitDistances(channel.space(), outputs, workers, "Attacking", job,
                       [&](std::size_t output, int worker, const engine::MetricRow& row) {
                           builder.fill(output, worker, row);
                       }));
    return builder.finish();
}

VectorD guessedShares(const GuessTable& table, const VectorD& prior) {
    VectorD shares = VectorD::Zero(prior.size());
    for (std::size_t output = 0; output < table.guesses.size(); ++output) {
        const Row guess = table.guesses[output];
        shares[guess] += table.joint[output] / prior[guess];
    }
    return shares;
}

}  // namespace epsilens::experiment
