#include "core/experiment/attack/bigram_model.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/experiment/attack/prior.h"

namespace epsilens::experiment {
namespace {

// Ney's estimate of the discount.
class Discount {
public:
    void add(std::int64_t count) {
        m_once += count == 1 ? 1.0 : 0.0;
        m_twice += count == 2 ? 1.0 : 0.0;
    }
    [[nodiscard]] double value() const {
        return m_once > 0.0 && m_twice > 0.0 ? m_once / (m_once + 2.0 * m_twice) : 0.5;
    }

private:
    double m_once = 0.0;
    double m_twice = 0.0;
};

std::vector<double> unigrams(std::span<const std::int64_t> counts) {
    Discount discount;
    for (const std::int64_t count : counts) {
        discount.add(count);
    }
    const auto words = static_cast<double>(counts.size());
    const auto total =
        static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    const auto different = static_cast<double>(
        std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; }));
    std::vector<double> probabilities;
    probabilities.reserve(counts.size());
    for (const std::int64_t count : counts) {
        const double seen = std::max(static_cast<double>(count) - discount.value(), 0.0);
        probabilities.push_back(total > 0.0 ? (seen + discount.value() * different / words) / total
                                            : 1.0 / words);
    }
    return probabilities;
}

}  // namespace

BigramModel::BigramModel(std::span<const Row> tokens, std::span<const std::int64_t> lineEnds,
                         Row words)
    : m_bigrams(tokens, lineEnds, words),
      m_unigrams(unigrams(wordCounts(tokens, words))),
      m_descending(m_unigrams) {
    std::sort(m_descending.begin(), m_descending.end(), std::greater<>{});
    Discount discount;
    for (Row word = 0; word < words; ++word) {
        for (const Bigrams::Follower& follower : m_bigrams.after(word)) {
            discount.add(follower.count);
        }
    }
    m_discount = discount.value();
}

double BigramModel::backOff(Row previous) const {
    if (previous == kUnknownWord || m_bigrams.total(previous) == 0) {
        return 1.0;
    }
    return m_discount * static_cast<double>(m_bigrams.after(previous).size()) /
           static_cast<double>(m_bigrams.total(previous));
}

double BigramModel::probability(Row previous, Row word) const {
    const double byWord = backOff(previous) * m_unigrams[static_cast<std::size_t>(word)];
    if (previous == kUnknownWord) {
        return byWord;
    }
    const std::span<const Bigrams::Follower> followers = m_bigrams.after(previous);
    const auto place = std::lower_bound(
        followers.begin(), followers.end(), word,
        [](const Bigrams::Follower& follower, Row row) { return follower.row < row; });
    if (place == followers.end() || place->row != word) {
        return byWord;
    }
    return (static_cast<double>(place->count) - m_discount) /
               static_cast<double>(m_bigrams.total(previous)) +
           byWord;
}

std::int64_t BigramModel::rank(Row previous, Row word) const {
    const double limit = probability(previous, word);
    const double weight = backOff(previous);
    // Words that P(w) alone puts above the limit, all followers among them put right below.
    const auto above =
        std::partition_point(m_descending.begin(), m_descending.end(),
                             [&](double probability) { return weight * probability > limit; });
    std::int64_t rank = 1 + (above - m_descending.begin());
    if (previous == kUnknownWord) {
        return rank;
    }
    const auto total = static_cast<double>(m_bigrams.total(previous));
    for (const Bigrams::Follower& follower : m_bigrams.after(previous)) {
        const double byWord = weight * m_unigrams[static_cast<std::size_t>(follower.row)];
        const double probability =
            (static_cast<double>(follower.count) - m_discount) / total + byWord;
        rank += (probability > limit ? 1 : 0) - (byWord > limit ? 1 : 0);
    }
    return rank;
}

}  // namespace epsilens::experiment
