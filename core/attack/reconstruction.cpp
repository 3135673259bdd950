#include "core/attack/reconstruction.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/attack/context_attack.h"
#include "core/attack/prior.h"
#include "core/base/job_context.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"
#include "core/numeric/quantile.h"

namespace epsilens::attack {
namespace {

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

// Share of the tokens of each document, rising.
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
    std::ranges::sort(shares);
    return shares;
}

// Success on the tokens whose word is not among the commonest.
corpus::Measured successOutside(const ReplacedTokens& tokens, std::span<const float> successes,
                                std::span<const Row> commonest) {
    std::vector<float> values;
    std::vector<std::int32_t> documents;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (std::ranges::find(commonest, tokens.words[i]) == commonest.end()) {
            values.push_back(successes[i]);
            documents.push_back(tokens.documents[i]);
            places.push_back(i);
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

// The attacker that is best on either half of the documents, and its successes on the other one.
std::vector<float> bestByHalves(const ReplacedTokens& tokens,
                                std::span<const AttackerScores> attackers, std::uint64_t seed,
                                std::vector<std::string>& names) {
    std::vector<std::int32_t> documents = tokens.documents;
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    std::vector<std::size_t> halves(static_cast<std::size_t>(documents.back()) + 1);
    const std::vector<std::size_t> order =
        shuffledIndices(documents.size(), {seed, corpus::kDocumentHalves});
    for (std::size_t i = 0; i < order.size(); ++i) {
        halves[static_cast<std::size_t>(documents[order[i]])] = i % 2;
    }
    const auto halfOf = [&](std::size_t i) {
        return halves[static_cast<std::size_t>(tokens.documents[i])];
    };
    std::vector<float> successes(tokens.size());
    for (std::size_t half = 0; half < 2; ++half) {
        const AttackerScores& chosen = bestOn(
            attackers, [&](std::size_t i) { return documents.size() == 1 || halfOf(i) == half; });
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
    std::ranges::stable_sort(words, [](const FoundWord& a, const FoundWord& b) {
        return a.success != b.success ? a.success > b.success : a.tokens > b.tokens;
    });
    words.resize(std::min(words.size(), kWorstWords));
    return words;
}

// 1 where the guess is the token's word.
std::vector<float> hits(const ReplacedTokens& tokens, std::span<const Row> guesses) {
    std::vector<float> successes;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        successes.push_back(guesses[i] == tokens.words[i] ? 1.0F : 0.0F);
    }
    return successes;
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
    findings.add("tokens", static_cast<double>(tokens.size()));
    findings.add("documents", static_cast<double>(successByDocument(tokens, prior).size()));
    findings.add("best", success(best));
    findings.add("gain", gain(best));
    for (const AttackerScores& attacker : attackers) {
        findings.add(attacker.name, success(attacker.successes));
    }
    for (const AttackerScores& attacker : attackers) {
        const std::string path = "attackers." + attacker.name + ".";
        findings.add(path + "gain", gain(attacker.successes));
        findings.add(path + "outsideCommonest",
                     successOutside(tokens, attacker.successes, commonest));
        const std::vector<FoundWord> words = successByWord(tokens, attacker.successes);
        findings.add(
            path + "meanOverWords",
            std::accumulate(words.begin(), words.end(), 0.0, [](double sum, const FoundWord& word) {
                return sum + word.success;
            }) / static_cast<double>(words.size()));
        const std::vector<double> shares = successByDocument(tokens, attacker.successes);
        findings.add(path + "documents.p50", numeric::quantileOfSorted(shares, 0.5));
        findings.add(path + "documents.p95", numeric::quantileOfSorted(shares, 0.95));
        findings.add(path + "documents.max", shares.back());
    }
    return findings;
}

Result<Findings> guessWords(const AttackedText& text, const AttackedRelease& release,
                            const VectorD& prior, const WordChain* chain, std::uint64_t seed,
                            int threads, const JobContext& job) {
    const ReplacedTokens tokens = replacedTokens(text);
    const std::vector<Row> commonest = commonestWords(prior, kCommonestWords);
    std::vector<Row> outputs;
    for (const std::size_t token : tokens.tokens) {
        outputs.push_back(release.outputs[token]);
    }
    std::vector<AttackerScores> scores;
    const auto add = [&](const char* name, std::span<const Row> guesses, bool competes = true) {
        scores.push_back({name, hits(tokens, guesses), competes});
    };
    add(kPriorAttacker, std::vector(tokens.size(), commonest.front()));
    add("echo", outputs);
    const Channel nothing = nothingSeen(static_cast<Row>(prior.size()));
    const double ofOutputs = release.vectors != nullptr ? 0.5 : 1.0;
    ASSIGN_OR_RETURN(
        const TextGuesses guesses,
        guessText(text, release.rule == GuessRule::commonest ? nothing : release.channel, prior,
                  chain, threads, partOf(job, 0.0, ofOutputs)));
    add("map", release.rule == GuessRule::output ? outputs : guesses.alone);
    if (chain != nullptr) {
        add("context", guesses.inContext);
    }
    if (release.vectors != nullptr) {
        ASSIGN_OR_RETURN(const TextGuesses seen, guessText(text, *release.vectors, prior, chain,
                                                           threads, partOf(job, ofOutputs, 1.0)));
        add("noisyVector", seen.alone, false);
        if (chain != nullptr) {
            add("noisyVectorContext", seen.inContext, false);
        }
    }
    return summarizeAttackers(tokens, scores, commonest, seed);
}

}  // namespace epsilens::attack
