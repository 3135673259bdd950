#include "core/attack/reconstruction.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/attack/context_attack.h"
#include "core/attack/prior.h"
#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"
#include "core/numeric/quantile.h"

namespace epsilens::attack {
namespace {

constexpr const char* kVectorAttacker = "noisyVector";
constexpr const char* kVectorContextAttacker = "noisyVectorContext";

// Success on each distinct word, by rising row.
std::vector<FoundWord> successByWord(const ReplacedTokens& tokens,
                                     std::span<const float> successes) {
    std::map<Row, FoundWord> words;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        FoundWord& word = words[tokens.words[i]];
        word.row = tokens.words[i];
        word.success += static_cast<double>(successes[i]);
        ++word.tokens;
    }
    std::vector<FoundWord> result;
    for (auto& [row, word] : words) {
        word.success /= static_cast<double>(word.tokens);
        result.push_back(word);
    }
    return result;
}

double meanOverWords(const ReplacedTokens& tokens, std::span<const float> successes) {
    const std::vector<FoundWord> words = successByWord(tokens, successes);
    return std::transform_reduce(words.begin(), words.end(), 0.0, std::plus<>(),
                                 [](const FoundWord& word) { return word.success; }) /
           static_cast<double>(words.size());
}

std::vector<double> successByDocument(const ReplacedTokens& tokens,
                                      std::span<const float> successes) {
    std::vector<double> shares;
    for (std::size_t begin = 0; begin < tokens.size();) {
        std::size_t end = begin;
        double sum = 0.0;
        for (; end < tokens.size() && tokens.documents[end] == tokens.documents[begin]; ++end) {
            sum += static_cast<double>(successes[end]);
        }
        shares.push_back(sum / static_cast<double>(end - begin));
        begin = end;
    }
    return shares;
}

// Success on the tokens whose word is not among the commonest.
corpus::Measured successOutside(const ReplacedTokens& tokens, std::span<const float> successes,
                                std::span<const Row> commonest) {
    std::vector<Row> sorted(commonest.begin(), commonest.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<float> values;
    std::vector<std::int32_t> documents;
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!std::binary_search(sorted.begin(), sorted.end(), tokens.words[i])) {
            values.push_back(successes[i]);
            documents.push_back(tokens.documents[i]);
            places.push_back(static_cast<std::int64_t>(i));
        }
    }
    return corpus::shareByDocuments(values, documents, corpus::drawsAt(tokens.draws, places));
}

// The competing attacker with the largest sum of successes over the tokens chosen, the first of
// equal ones.
template <typename IsCounted>
const AttackerScores& bestOn(std::span<const AttackerScores> attackers, IsCounted isCounted) {
    const AttackerScores* best = &attackers.front();
    double most = -1.0;
    for (const AttackerScores& attacker : attackers) {
        double sum = 0.0;
        for (std::size_t i = 0; i < attacker.successes.size(); ++i) {
            sum += isCounted(i) ? static_cast<double>(attacker.successes[i]) : 0.0;
        }
        if (attacker.competes && sum > most) {
            best = &attacker;
            most = sum;
        }
    }
    return *best;
}

// Half of each document, 0 or 1, by its number.
std::vector<std::uint8_t> documentHalves(const ReplacedTokens& tokens, std::uint64_t seed) {
    std::vector<std::int32_t> documents = tokens.documents;
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    std::vector<std::uint8_t> halves(static_cast<std::size_t>(documents.back()) + 1);
    const std::vector<std::size_t> order =
        shuffledIndices(documents.size(), {seed, corpus::kDocumentHalves});
    for (std::size_t i = 0; i < order.size(); ++i) {
        halves[static_cast<std::size_t>(documents[order[i]])] = static_cast<std::uint8_t>(i % 2);
    }
    return halves;
}

// The attacker that is best on either half, and its successes on the other one.
std::vector<float> bestByHalves(const ReplacedTokens& tokens,
                                std::span<const AttackerScores> attackers, std::uint64_t seed,
                                std::vector<std::string>& names) {
    const std::vector<std::uint8_t> halves = documentHalves(tokens, seed);
    const auto halfOf = [&](std::size_t i) {
        return halves[static_cast<std::size_t>(tokens.documents[i])];
    };
    const bool isSingleDocument = tokens.documents.front() == tokens.documents.back();
    std::vector<float> successes(tokens.size());
    for (std::uint8_t half = 0; half < 2; ++half) {
        const AttackerScores& chosen =
            bestOn(attackers, [&](std::size_t i) { return isSingleDocument || halfOf(i) == half; });
        names.push_back(chosen.name);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (halfOf(i) != half) {
                successes[i] = chosen.successes[i];
            }
        }
    }
    return successes;
}

std::vector<FoundWord> worstWords(const ReplacedTokens& tokens,
                                  std::span<const AttackerScores> attackers) {
    const AttackerScores& best = bestOn(attackers, [](std::size_t) { return true; });
    std::vector<FoundWord> words = successByWord(tokens, best.successes);
    std::stable_sort(words.begin(), words.end(), [](const FoundWord& a, const FoundWord& b) {
        return a.success != b.success ? a.success > b.success : a.tokens > b.tokens;
    });
    words.resize(std::min(words.size(), kWorstWords));
    return words;
}

/// Of its column in tables.
std::string titleOf(const std::string& attacker) {
    return attacker == kVectorAttacker          ? "noisy vector"
           : attacker == kVectorContextAttacker ? "vector and context"
                                                : attacker;
}

}  // namespace

Findings summarizeAttackers(const ReplacedTokens& tokens, std::span<const AttackerScores> attackers,
                            std::span<const Row> commonest, std::uint64_t seed) {
    const std::vector<float>& prior =
        std::ranges::find(attackers, kPriorAttacker, &AttackerScores::name)->successes;
    const auto success = [&](std::span<const float> successes) {
        return corpus::shareByDocuments(successes, tokens.documents, tokens.draws);
    };
    const auto gain = [&](std::span<const float> successes) {
        return corpus::differenceByDocuments(successes, prior, tokens.documents, tokens.draws);
    };
    Findings findings;
    findings.words = worstWords(tokens, attackers);
    const std::vector<float> best = bestByHalves(tokens, attackers, seed, findings.chosen);
    findings.figures = {
        Figure::number("tokens", "", static_cast<double>(tokens.size())),
        Figure::number("documents", "",
                       static_cast<double>(successByDocument(tokens, prior).size())),
        Figure::of("best", "best", success(best)),
        Figure::of("gain", "gain over prior", gain(best))};
    for (const AttackerScores& attacker : attackers) {
        findings.figures.push_back(
            Figure::of(attacker.name, titleOf(attacker.name), success(attacker.successes)));
    }
    for (const AttackerScores& attacker : attackers) {
        const std::string path = "attackers." + attacker.name + ".";
        const auto add = [&](const char* name, double value) {
            findings.figures.push_back(Figure::number(path + name, "", value));
        };
        findings.figures.push_back(Figure::of(path + "gain", "", gain(attacker.successes)));
        findings.figures.push_back(Figure::of(
            path + "outsideCommonest", "", successOutside(tokens, attacker.successes, commonest)));
        add("meanOverWords", meanOverWords(tokens, attacker.successes));
        std::vector<double> shares = successByDocument(tokens, attacker.successes);
        std::sort(shares.begin(), shares.end());
        add("documents.p50", numeric::quantileOfSorted(shares, 0.5));
        add("documents.p95", numeric::quantileOfSorted(shares, 0.95));
        add("documents.max", shares.back());
    }
    return findings;
}

Result<Findings> guessWords(const AttackedText& text, const AttackedRelease& release,
                            const VectorD& prior, const WordChain* chain, std::uint64_t seed,
                            int threads, const JobContext& job) {
    constexpr double kOfOutputs = 0.5;  // where noisy vectors are attacked, too
    const ReplacedTokens tokens = replacedTokens(text);
    const std::vector<Row> commonest = commonestWords(prior, kCommonestWords);
    std::vector<Row> outputs;
    for (const std::int64_t token : tokens.tokens) {
        outputs.push_back(release.outputs[static_cast<std::size_t>(token)]);
    }
    std::vector<AttackerScores> scores{
        {kPriorAttacker, hits(tokens, std::vector(tokens.size(), commonest.front())), true},
        {"echo", hits(tokens, outputs), true}};
    const NothingSeen nothing(static_cast<Row>(prior.size()));
    ASSIGN_OR_RETURN(
        const TextGuesses guesses,
        guessText(text, release.rule == GuessRule::commonest ? nothing : release.channel, prior,
                  chain, threads, partOf(job, 0.0, release.vectors != nullptr ? kOfOutputs : 1.0)));
    scores.push_back(
        {"map", hits(tokens, release.rule == GuessRule::output ? outputs : guesses.alone), true});
    if (chain != nullptr) {
        scores.push_back({"context", hits(tokens, guesses.inContext), true});
    }
    if (release.vectors != nullptr) {
        ASSIGN_OR_RETURN(const TextGuesses seen, guessText(text, *release.vectors, prior, chain,
                                                           threads, partOf(job, kOfOutputs, 1.0)));
        scores.push_back({kVectorAttacker, hits(tokens, seen.alone), false});
        if (chain != nullptr) {
            scores.push_back({kVectorContextAttacker, hits(tokens, seen.inContext), false});
        }
    }
    return summarizeAttackers(tokens, scores, commonest, seed);
}

std::vector<float> hits(const ReplacedTokens& tokens, std::span<const Row> guesses) {
    std::vector<float> successes;
    successes.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        successes.push_back(guesses[i] == tokens.words[i] ? 1.0F : 0.0F);
    }
    return successes;
}

}  // namespace epsilens::attack
