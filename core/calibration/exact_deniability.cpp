#include "core/calibration/exact_deniability.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/calibration/word_comparison.h"

namespace epsilens::calibration {
namespace {

using engine::Row;

// Partial sums: a fixed number, so that they are added in an order without threads.
constexpr std::int64_t kChunks = 64;

class Deniability {
public:
    Deniability(const engine::MetricSpace& space, const mechanism::TruncatedExponential& mechanism,
                std::span<const Row> words, double odds, int threads, const JobContext& job)
        : m_space(space),
          m_mechanism(mechanism),
          m_words(words),
          m_length(std::log(odds) + kLogTolerance),
          m_threads(threads),
          m_job(job),
          m_logTotals(static_cast<std::size_t>(space.wordCount())) {}

    Result<std::vector<double>> run() {
        forAllWords([&](std::int64_t, Row word) { addTotal(word); });
        std::vector<std::vector<double>> sums(kChunks, std::vector<double>(m_words.size()));
        forAllWords([&](std::int64_t chunk, Row output) {
            addOutput(output, sums[static_cast<std::size_t>(chunk)]);
        });
        if (m_job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        std::vector<double> result(m_words.size());
        for (const std::vector<double>& part : sums) {
            std::transform(result.begin(), result.end(), part.begin(), result.begin(),
                           std::plus<>());
        }
        return result;
    }

private:
    // Calls use(chunk, word) for every word of the vocabulary, in parallel over chunks.
    template <typename Use>
    void forAllWords(Use use) {
        const std::int64_t count = m_space.wordCount();
        parallelFor(kChunks, m_threads, [&](std::int64_t chunk) {
            const std::int64_t end = count * (chunk + 1) / kChunks;
            for (std::int64_t word = count * chunk / kChunks; word < end && !m_job.stopRequested();
                 ++word) {
                use(chunk, static_cast<Row>(word));
            }
            const std::scoped_lock lock(m_mutex);
            m_job.progress(static_cast<double>(++m_finished) / (2.0 * kChunks), "Deniability");
        });
    }

    // -ln of the weights of all words for one; distances in float64, as sizes of sets jump.
    [[nodiscard]] std::vector<double> exponents(Row word) const {
        std::vector<double> result;
        result.reserve(static_cast<std::size_t>(m_space.wordCount()));
        for (Row other = 0; other < m_space.wordCount(); ++other) {
            result.push_back(m_mechanism.exponent(m_space.distance(word, other)));
        }
        return result;
    }

    void addTotal(Row word) {
        double total = 0.0;
        for (const double exponent : exponents(word)) {
            total += std::exp(-exponent);
        }
        m_logTotals[static_cast<std::size_t>(word)] = std::log(total);
    }

    // By symmetry the distances of an output are those to all words that may have led to it.
    void addOutput(Row output, std::vector<double>& sums) const {
        std::vector<double> logarithms = exponents(output);
        for (std::size_t word = 0; word < logarithms.size(); ++word) {
            logarithms[word] = -logarithms[word] - m_logTotals[word];
        }
        std::vector<double> sorted = logarithms;
        std::sort(sorted.begin(), sorted.end());
        const std::vector<std::int32_t> sizes = largestSets(sorted, m_length);
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            const double logarithm = logarithms[static_cast<std::size_t>(m_words[i])];
            const auto place = std::lower_bound(sorted.begin(), sorted.end(), logarithm);
            const auto size = sizes[static_cast<std::size_t>(place - sorted.begin())];
            sums[i] += std::exp(logarithm) * static_cast<double>(size);
        }
    }

    const engine::MetricSpace& m_space;
    const mechanism::TruncatedExponential& m_mechanism;
    std::span<const Row> m_words;
    double m_length;
    int m_threads;
    const JobContext& m_job;
    std::vector<double> m_logTotals;
    std::mutex m_mutex{};
    std::int64_t m_finished = 0;
};

}  // namespace

Result<std::vector<double>> exactDeniability(const engine::MetricSpace& space,
                                             const mechanism::TruncatedExponential& mechanism,
                                             std::span<const Row> words, double odds, int threads,
                                             const JobContext& job) {
    if (!(odds >= 1.0 && std::isfinite(odds))) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("odds {} is outside its range, finite and at least 1", odds));
    }
    return Deniability(space, mechanism, words, odds, threads, job).run();
}

}  // namespace epsilens::calibration
