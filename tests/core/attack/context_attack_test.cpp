#include "core/attack/context_attack.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"

// Reference: Pr[token t is w | line] by the textbook recursions, dense and in long double.

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;

namespace {

using Matrix = std::vector<std::vector<double>>;

// Likelihoods from a table: token i has row i.
Channel tableChannel(const Matrix& likelihoods) {
    return {[&likelihoods](std::span<const std::size_t> tokens, ChannelScratch& scratch,
                           const LikelihoodVisitor& visit) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const auto& row = likelihoods[tokens[i]];
            scratch.row.resize(static_cast<Eigen::Index>(row.size()));
            for (std::size_t x = 0; x < row.size(); ++x) {
                scratch.row[static_cast<Eigen::Index>(x)] = static_cast<float>(std::log(row[x]));
            }
            visit(i, scratch.row);
        }
    }};
}

struct ToyLine {
    VectorD prior;
    Matrix transition;  ///< P(w|v), row v
    std::vector<Row> reference;
    std::vector<std::size_t> referenceEnds;
    AttackedText text;
    Matrix likelihoods;  ///< of every token
};

// 1/2 bigram + 1/2 prior, written out from the definition.
Matrix transitionOf(const VectorD& prior, const std::vector<Row>& reference,
                    const std::vector<std::size_t>& ends) {
    const auto words = static_cast<std::size_t>(prior.size());
    Matrix counts(words, std::vector<double>(words));
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        for (std::size_t i = begin; i + 1 < end; ++i) {
            const Row first = reference[i];
            const Row second = reference[i + 1];
            if (first >= 0 && second >= 0) {
                counts[static_cast<std::size_t>(first)][static_cast<std::size_t>(second)] += 1.0;
            }
        }
        begin = end;
    }
    for (auto& row : counts) {
        double total = 0.0;
        for (const double count : row) {
            total += count;
        }
        for (std::size_t w = 0; w < words; ++w) {
            const double pi = prior[static_cast<Eigen::Index>(w)];
            row[w] = total > 0.0 ? 0.5 * row[w] / total + 0.5 * pi : pi;
        }
    }
    return counts;
}

// A text of one line with random words, likelihoods and treatments. Of the linked words the last is
// never followed by anything in the reference text, which lacks the words after them.
//
// linked  0: all
ToyLine toyLine(Row words, std::size_t tokens, std::uint64_t seed, Row linked = 0) {
    linked = linked > 0 ? linked : words;
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 0});
    const auto randomWord = [&](Row below) {
        return static_cast<Row>(stream.below(static_cast<std::uint64_t>(below)));
    };
    ToyLine toy;
    toy.prior = VectorD(words);
    for (Row w = 0; w < words; ++w) {
        toy.prior[w] = 0.1 + stream.uniform();
    }
    toy.prior /= toy.prior.sum();
    for (int i = 0; i < 40; ++i) {
        toy.reference.push_back(i % 9 == 4 ? kUnknownWord : randomWord(linked - 1));
    }
    toy.reference.back() = linked - 1;
    toy.referenceEnds = {15, 40};
    toy.transition = transitionOf(toy.prior, toy.reference, toy.referenceEnds);
    for (std::size_t t = 0; t < tokens; ++t) {
        constexpr std::array kTreatments{Treatment::replaced, Treatment::replaced, Treatment::kept,
                                         Treatment::masked, Treatment::dropped};
        toy.text.treatments.push_back(t == 0 ? Treatment::replaced
                                             : kTreatments[stream.below(kTreatments.size())]);
        const bool isUnknown = toy.text.treatments.back() == Treatment::kept && t % 3 == 0;
        toy.text.words.push_back(isUnknown ? kUnknownWord : randomWord(words));
        auto& row = toy.likelihoods.emplace_back();
        for (Row w = 0; w < words; ++w) {
            row.push_back(std::exp(-4.0 * stream.uniform()));
        }
    }
    toy.text.lineEnds = {tokens};
    return toy;
}

// What a token says about being word w.
double emission(const ToyLine& toy, std::size_t token, std::size_t w) {
    switch (toy.text.treatments[token]) {
        case Treatment::replaced:
            return toy.likelihoods[token][w];
        case Treatment::kept:
            return toy.text.words[token] == kUnknownWord ||
                           toy.text.words[token] == static_cast<Row>(w)
                       ? 1.0
                       : 0.0;
        default:
            return 1.0;
    }
}

std::vector<std::size_t> visibleTokens(const ToyLine& toy) {
    std::vector<std::size_t> tokens;
    for (std::size_t t = 0; t < toy.text.words.size(); ++t) {
        if (toy.text.treatments[t] != Treatment::dropped) {
            tokens.push_back(t);
        }
    }
    return tokens;
}

// Marginals (tokens x words) by dense recursions in long double, whose range suffices without
// scaling.
Matrix marginalsByRecursion(const ToyLine& toy) {
    const std::vector<std::size_t> tokens = visibleTokens(toy);
    const auto words = static_cast<std::size_t>(toy.prior.size());
    using LongMatrix = std::vector<std::vector<long double>>;
    LongMatrix forward(tokens.size(), std::vector<long double>(words));
    LongMatrix backward(tokens.size(), std::vector<long double>(words, 1.0L));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        for (std::size_t w = 0; w < words; ++w) {
            long double sum = i == 0 ? toy.prior[static_cast<Eigen::Index>(w)] : 0.0L;
            for (std::size_t v = 0; i > 0 && v < words; ++v) {
                sum += forward[i - 1][v] * toy.transition[v][w];
            }
            forward[i][w] = sum * emission(toy, tokens[i], w);
        }
    }
    for (std::size_t i = tokens.size() - 1; i-- > 0;) {
        for (std::size_t v = 0; v < words; ++v) {
            long double sum = 0.0L;
            for (std::size_t w = 0; w < words; ++w) {
                sum += toy.transition[v][w] * emission(toy, tokens[i + 1], w) * backward[i + 1][w];
            }
            backward[i][v] = sum;
        }
    }
    Matrix marginals(toy.text.words.size(), std::vector<double>(words));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        long double total = 0.0L;
        for (std::size_t w = 0; w < words; ++w) {
            total += forward[i][w] * backward[i][w];
        }
        for (std::size_t w = 0; w < words; ++w) {
            marginals[tokens[i]][w] = static_cast<double>(forward[i][w] * backward[i][w] / total);
        }
    }
    return marginals;
}

std::vector<Row> mostProbable(const ToyLine& toy, const Matrix& marginals) {
    std::vector<Row> rows;
    for (const std::size_t token : replacedTokens(toy.text).tokens) {
        const auto& row = marginals[token];
        rows.push_back(static_cast<Row>(std::ranges::max_element(row) - row.begin()));
    }
    return rows;
}

TextGuesses guessesFrom(const ToyLine& toy, const Channel& channel, int threads = 1,
                        std::size_t sharedBytes = kSharedEvidenceBytes) {
    const WordChain chain(
        toy.prior, Bigrams(toy.reference, toy.referenceEnds, static_cast<Row>(toy.prior.size())));
    return guessText(toy.text, channel, toy.prior, &chain, threads, {}, sharedBytes).value();
}

std::vector<Row> guesses(const ToyLine& toy, int threads = 1,
                         std::size_t sharedBytes = kSharedEvidenceBytes) {
    return guessesFrom(toy, tableChannel(toy.likelihoods), threads, sharedBytes).inContext;
}

}  // namespace

TEST_CASE("The guess from context is the most probable word by the plain recursions") {
    const auto check = [](const ToyLine& toy) {
        CAPTURE(toy.text.words.size(), toy.prior.size());
        const std::vector<Row> expected = mostProbable(toy, marginalsByRecursion(toy));
        CHECK(guesses(toy) == expected);
        // Without shared evidence it is read in blocks as well.
        CHECK(guesses(toy, 1, 0) == expected);
    };
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        check(toyLine(4, 6, seed, seed % 2 == 0 ? 4 : 2));
    }
    // Long lines are done in blocks.
    for (const std::size_t tokens : {63U, 255U, 256U, 257U, 512U, 513U, 700U}) {
        check(toyLine(7, tokens, tokens, 5));
    }
}

TEST_CASE("Equal observations share their evidence, and no guess is another for it") {
    ToyLine toy = toyLine(7, 300, 3, 5);
    for (std::size_t token = 4; token < toy.likelihoods.size(); ++token) {
        toy.likelihoods[token] = toy.likelihoods[token % 4];
    }
    toy.text.lineEnds = {20, 150, 151, 300};
    const TextGuesses expected = guessesFrom(toy, tableChannel(toy.likelihoods), 1, 0);
    Channel equal = tableChannel(toy.likelihoods);
    equal.kindOf = [&](std::size_t token) {
        return static_cast<std::size_t>(std::ranges::find(toy.likelihoods, toy.likelihoods[token]) -
                                        toy.likelihoods.begin());
    };
    // Room for the evidence of all, of some lines only, and of none.
    for (const std::size_t bytes : {std::size_t{1} << 20, std::size_t{100}, std::size_t{0}}) {
        const TextGuesses is = guessesFrom(toy, equal, 2, bytes);
        CAPTURE(bytes);
        CHECK(is.inContext == expected.inContext);
        CHECK(is.alone == expected.alone);
    }
}

TEST_CASE("Lines do not know of each other, and threads make no difference") {
    ToyLine toy = toyLine(5, 200, 9);
    std::vector<Row> expected;
    ToyLine part = toyLine(5, 1, 9);
    toy.text.lineEnds = {50, 53, 130, 200};
    for (std::size_t line = 0; line < 4; ++line) {
        const auto begin = static_cast<std::ptrdiff_t>(toy.text.lineBegin(line));
        const auto end = static_cast<std::ptrdiff_t>(toy.text.lineEnd(line));
        part.text.words.assign(toy.text.words.begin() + begin, toy.text.words.begin() + end);
        part.text.treatments.assign(toy.text.treatments.begin() + begin,
                                    toy.text.treatments.begin() + end);
        part.likelihoods.assign(toy.likelihoods.begin() + begin, toy.likelihoods.begin() + end);
        part.text.lineEnds = {part.text.words.size()};
        const auto some = guesses(part);
        expected.insert(expected.end(), some.begin(), some.end());
    }
    CHECK(guesses(toy, 1) == expected);
    CHECK(guesses(toy, 3) == expected);
    // Of five words in six states, the evidence of 60 tokens: not of all lines, nor of the longest.
    CHECK(guesses(toy, 3, 60 * 6 * 4) == expected);
    CHECK(guesses(toy, 3, 0) == expected);
}

TEST_CASE(
    "A line of more evidence than is held at once is read in blocks, and again on the way back") {
    const ToyLine toy = toyLine(7, 1200, 11, 5);
    std::vector<std::size_t> reads(toy.likelihoods.size());
    std::size_t most = 0;
    const Channel table = tableChannel(toy.likelihoods);
    Channel counted = table;
    counted.read = [&](std::span<const std::size_t> tokens, ChannelScratch& scratch,
                       const LikelihoodVisitor& visit) {
        most = std::max(most, tokens.size());
        for (const std::size_t token : tokens) {
            ++reads[token];
        }
        table.read(tokens, scratch, visit);
    };
    const TextGuesses whole = guessesFrom(toy, counted);
    CHECK(*std::ranges::max_element(reads) == 1);
    // Six states of four bytes: room for 300 observations.
    const TextGuesses blocks = guessesFrom(toy, counted, 1, 300 * 6 * 4);
    CHECK(reads[0] == 3);
    CHECK(most <= observationsAtOnce(7));
    CHECK(blocks.inContext == whole.inContext);
    CHECK(blocks.alone == whole.alone);
}

TEST_CASE("A text without lines has no guesses") {
    ToyLine toy = toyLine(4, 1, 1);
    toy.text = {};
    CHECK(guessesFrom(toy, tableChannel({})).alone.empty());
}
