#include "core/attack/prior.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/ordered.h"
#include "core/base/random_stream.h"
#include "core/corpus/streams.h"
#include "core/io/record_reader.h"
#include "core/text/tokenised_text.h"

namespace epsilens::attack {
namespace {

using Pair = std::pair<Row, Row>;

/// Ney's estimate of the discount.
///
/// once, twice  numbers of what was seen so often
double discountOf(std::ptrdiff_t once, std::ptrdiff_t twice) {
    return once > 0 && twice > 0 ? static_cast<double>(once) / static_cast<double>(once + 2 * twice)
                                 : 0.5;
}

VectorD asNumbers(std::span<const std::int64_t> counts) {
    VectorD numbers(std::ssize(counts));
    std::ranges::copy(counts, numbers.begin());
    return numbers;
}

VectorD unigrams(std::span<const std::int64_t> counts) {
    const VectorD numbers = asNumbers(counts);
    const double total = numbers.sum();
    if (total == 0.0) {
        return uniformPrior(static_cast<Row>(counts.size()));
    }
    const double discount =
        discountOf(std::ranges::count(counts, 1), std::ranges::count(counts, 2));
    const auto different = static_cast<double>((numbers.array() > 0.0).count());
    const double unseen = discount * different / static_cast<double>(counts.size());
    return ((numbers.array() - discount).max(0.0) + unseen) / total;
}

// Weight of the bigrams beside the prior.
constexpr double kBigramWeight = 0.5;

/// The count of a line "word TAB count"; nothing for another line.
std::optional<std::pair<std::string_view, std::int64_t>> countedWord(std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0) {
        return std::nullopt;
    }
    const auto count =
        parseInteger(line.substr(tab + 1), "count", 0, std::numeric_limits<std::int64_t>::max());
    return count ? std::optional(std::pair(trimmed(line.substr(0, tab)), *count)) : std::nullopt;
}

Result<ReferenceTextHandle> readLines(const std::string& path,
                                      const embedding::Vocabulary& vocabulary,
                                      text::CasePolicy letterCase, const JobContext& job) {
    ASSIGN_OR_RETURN(auto records,
                     io::RecordReader::open({path, {}, io::RecordFormat::lines}, job.stop));
    const text::Lookup lookup(vocabulary, letterCase);
    const auto words = static_cast<Row>(vocabulary.size());
    ReferenceText reference;
    reference.counts.resize(static_cast<std::size_t>(words));
    bool isCounts = true;              // all lines so far
    std::vector<std::string> earlier;  // while they may be counts
    text::Tokeniser tokeniser;
    std::vector<Row> tokens;
    std::vector<std::size_t> lineEnds;
    const auto addText = [&](const std::string& line) {
        for (const text::Word& word : text::tokeniseText(line, tokeniser, lookup).words) {
            tokens.push_back(word.row.value_or(kUnknownWord));
        }
        lineEnds.push_back(tokens.size());
    };
    std::string line;
    while (true) {
        ASSIGN_OR_RETURN(const bool isThere, records.next(line));
        if (!isThere) {
            break;
        }
        const auto counted = isCounts ? countedWord(line) : std::nullopt;
        if (!counted) {
            // A text after all: what looked like counts before were its first lines.
            isCounts = false;
            for (const std::string& before : std::exchange(earlier, {})) {
                addText(before);
            }
            addText(line);
            continue;
        }
        earlier.push_back(line);
        if (const auto row = lookup.find(counted->first)) {
            reference.counts[static_cast<std::size_t>(*row)] += counted->second;
        }
    }
    if (!isCounts) {
        reference.counts = wordCounts(tokens, words);
    }
    reference.bigrams = Bigrams(tokens, lineEnds, words);
    reference.knownWords =
        std::accumulate(reference.counts.begin(), reference.counts.end(), std::int64_t{0});
    if (reference.knownWords == 0) {
        return fail(
            ErrorCode::badFile,
            "no word of the reference text is in the vocabulary; is it of another language?");
    }
    reference.file = std::filesystem::path(path).filename().string();
    return std::make_shared<const ReferenceText>(std::move(reference));
}

}  // namespace

std::vector<std::int64_t> wordCounts(std::span<const Row> tokens, Row words) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(words));
    for (const Row row : tokens) {
        if (row >= 0 && row < words) {
            ++counts[static_cast<std::size_t>(row)];
        }
    }
    return counts;
}

VectorD smoothedPrior(std::span<const std::int64_t> counts) {
    const VectorD more = asNumbers(counts).array() + 1.0;
    return more / more.sum();
}

VectorD uniformPrior(Row words) {
    return VectorD::Constant(words, 1.0 / static_cast<double>(words));
}

std::vector<Row> commonestWords(const VectorD& prior, std::int64_t count) {
    return ordered<Row>(
        static_cast<std::size_t>(prior.size()), [&](Row word) { return -prior[word]; },
        static_cast<std::size_t>(count));
}

std::vector<Row> drawWords(const VectorD& prior, std::int64_t count, std::uint64_t seed) {
    std::vector<double> cumulative(static_cast<std::size_t>(prior.size()));
    std::partial_sum(prior.begin(), prior.end(), cumulative.begin());
    SeededStream stream(StreamKey{seed, corpus::kWordDraws, 0, 0});
    std::vector<Row> words;
    words.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const double place = stream.uniform() * cumulative.back();
        const auto found = std::ranges::upper_bound(cumulative, place);
        words.push_back(static_cast<Row>(
            std::min<std::ptrdiff_t>(found - cumulative.begin(), prior.size() - 1)));
    }
    return words;
}

Bigrams::Bigrams(std::span<const Row> tokens, std::span<const std::size_t> lineEnds, Row words)
    : m_begins(static_cast<std::size_t>(words) + 1), m_totals(static_cast<std::size_t>(words)) {
    const auto isKnown = [&](Row row) { return row >= 0 && row < words; };
    std::vector<Pair> pairs;
    std::size_t begin = 0;
    for (const std::size_t end : lineEnds) {
        for (std::size_t token = begin + 1; token < end; ++token) {
            if (isKnown(tokens[token - 1]) && isKnown(tokens[token])) {
                pairs.emplace_back(tokens[token - 1], tokens[token]);
            }
        }
        begin = end;
    }
    std::ranges::sort(pairs);
    Pair previous{kUnknownWord, kUnknownWord};
    for (const Pair& pair : pairs) {
        if (pair != previous) {
            m_followers.push_back({pair.second, 0});
            ++m_begins[static_cast<std::size_t>(pair.first) + 1];
        }
        ++m_followers.back().count;
        ++m_totals[static_cast<std::size_t>(pair.first)];
        previous = pair;
    }
    for (std::size_t word = 1; word < m_begins.size(); ++word) {
        m_begins[word] += m_begins[word - 1];
    }
}

std::span<const Bigrams::Follower> Bigrams::after(Row word) const {
    const std::size_t begin = m_begins[static_cast<std::size_t>(word)];
    return std::span(m_followers)
        .subspan(begin, m_begins[static_cast<std::size_t>(word) + 1] - begin);
}

BigramModel::BigramModel(std::span<const Row> tokens, std::span<const std::size_t> lineEnds,
                         Row words)
    : m_bigrams(tokens, lineEnds, words),
      m_unigrams(unigrams(wordCounts(tokens, words))),
      m_descending(m_unigrams.begin(), m_unigrams.end()) {
    std::ranges::sort(m_descending, std::greater<>{});
    const auto& followers = m_bigrams.followers();
    m_discount = discountOf(std::ranges::count(followers, 1, &Bigrams::Follower::count),
                            std::ranges::count(followers, 2, &Bigrams::Follower::count));
}

double BigramModel::backOff(Row previous) const {
    if (previous == kUnknownWord || m_bigrams.total(previous) == 0) {
        return 1.0;
    }
    return m_discount * static_cast<double>(m_bigrams.after(previous).size()) /
           static_cast<double>(m_bigrams.total(previous));
}

double BigramModel::probability(Row previous, Row word) const {
    const double byWord = backOff(previous) * m_unigrams[word];
    if (previous == kUnknownWord) {
        return byWord;
    }
    const auto followers = m_bigrams.after(previous);
    const auto place = std::ranges::lower_bound(followers, word, {}, &Bigrams::Follower::row);
    return place == followers.end() || place->row != word
               ? byWord
               : byWord + (static_cast<double>(place->count) - m_discount) /
                              static_cast<double>(m_bigrams.total(previous));
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
        const double byWord = weight * m_unigrams[follower.row];
        const double probability =
            (static_cast<double>(follower.count) - m_discount) / total + byWord;
        rank += (probability > limit ? 1 : 0) - (byWord > limit ? 1 : 0);
    }
    return rank;
}

WordChain::WordChain(VectorD prior, const Bigrams& bigrams) : m_prior(std::move(prior)) {
    std::set<Row> linked;
    for (Row word = 0; word < bigrams.words(); ++word) {
        for (const Bigrams::Follower& follower : bigrams.after(word)) {
            linked.insert({word, follower.row});
        }
    }
    m_linked.assign(linked.begin(), linked.end());
    const auto other = static_cast<Eigen::Index>(m_linked.size());
    m_states.assign(static_cast<std::size_t>(m_prior.size()), other);
    for (Eigen::Index state = 0; state < other; ++state) {
        m_states[static_cast<std::size_t>(m_linked[static_cast<std::size_t>(state)])] = state;
    }
    m_law.setZero(other + 1);
    for (std::size_t word = 0; word < m_states.size(); ++word) {
        m_law[m_states[word]] += m_prior[static_cast<Eigen::Index>(word)];
    }
    m_byPrior.setOnes(other + 1);
    for (std::int32_t state = 0; state < static_cast<std::int32_t>(other); ++state) {
        const Row word = m_linked[static_cast<std::size_t>(state)];
        for (const Bigrams::Follower& follower : bigrams.after(word)) {
            m_byPrior[state] = 1.0 - kBigramWeight;
            const double share = kBigramWeight * static_cast<double>(follower.count) /
                                 static_cast<double>(bigrams.total(word));
            m_pairs.push_back({state, static_cast<std::int32_t>(stateOf(follower.row)), share});
        }
    }
    m_pairsBySecond = m_pairs;
    std::ranges::stable_sort(m_pairsBySecond, {}, &Pair::second);
}

// Pairs are passed in an order in which those after each other change different states: no sum
// waits for the one before.
void WordChain::forward(const VectorD& state, VectorD& next) const {
    next = m_byPrior.dot(state) * m_law;
    for (const Pair& pair : m_pairs) {
        next[pair.second] += state[pair.first] * pair.share;
    }
}

void WordChain::backward(const VectorD& state, VectorD& previous) const {
    previous = m_law.dot(state) * m_byPrior;
    for (const Pair& pair : m_pairsBySecond) {
        previous[pair.first] += state[pair.second] * pair.share;
    }
}

Result<ReferenceTextHandle> readReferenceText(const std::string& path,
                                              const embedding::Vocabulary& vocabulary,
                                              text::CasePolicy letterCase, const JobContext& job) {
    return readLines(path, vocabulary, letterCase, job).map_error(inFile(path));
}

}  // namespace epsilens::attack
