#include "core/attack/reconstruction.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/corpus/streams.h"
#include "core/metric/poincare_distance.h"
#include "core/numeric/matrix_product.h"
#include "core/numeric/quantile.h"
#include "core/numeric/radial_laws.h"

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
    constexpr std::size_t kMost = 20;
    words.resize(std::min(words.size(), kMost));
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
    const std::vector<float>& prior = attackers.front().successes;
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

namespace {

using mechanism::EllipticalNoise;
using mechanism::HyperbolicNoise;

/// A point for each token, from the stream of its own: tokens x dimensions.
///
/// noisyPoint  called with the row of its word, a quantile of the radius and a direction
template <typename Matrix, typename NoisyPoint>
Matrix noisyPoints(std::span<const Row> words, std::uint64_t seed, Eigen::Index dimensions,
                   const NoisyPoint& noisyPoint) {
    Matrix points = Matrix::Zero(static_cast<Eigen::Index>(words.size()), dimensions);
    for (std::size_t token = 0; token < words.size(); ++token) {
        if (words[token] == kUnknownWord) {
            continue;
        }
        SeededStream stream(
            StreamKey{seed, corpus::kNoisyVectors, 0, static_cast<std::uint32_t>(token)});
        const double quantile = stream.uniform();
        VectorD direction(dimensions);
        for (double& coordinate : direction) {
            coordinate = stream.normal();
        }
        const VectorD noisy = noisyPoint(words[token], quantile, direction.normalized());
        points.row(static_cast<Eigen::Index>(token)) =
            noisy.cast<typename Matrix::Scalar>().transpose();
    }
    return points;
}

// Principal coordinates divided by the scales of the axes: there the metric is Euclidean and the
// noise is round.
Channel ellipticalVectors(const embedding::PreparedEmbedding& embedding,
                          const EllipticalNoise& noise, double epsilon, std::span<const Row> words,
                          std::uint64_t seed, int threads) {
    RowMatrixF table = embedding::principalCoordinates(noise.basis(), embedding.vectors(), threads);
    table = table * noise.axisScales().cwiseInverse().cast<float>().asDiagonal();
    RowMatrixF noisy = noisyPoints<RowMatrixF>(
        words, seed, table.cols(), [&](Row word, double quantile, const VectorD& direction) {
            const double radius =
                numeric::gammaQuantile(static_cast<double>(table.cols()), quantile) / epsilon;
            return VectorD(table.row(word).cast<double>().transpose() + radius * direction);
        });
    VectorF squaredNorms = table.rowwise().squaredNorm();
    return {[epsilon, table = std::move(table), squaredNorms = std::move(squaredNorms),
             noisy = std::move(noisy)](std::span<const std::size_t> tokens, ChannelScratch& scratch,
                                       const LikelihoodVisitor& visit) {
        const auto count = static_cast<Eigen::Index>(tokens.size());
        RowMatrixF& points = scratch.points;
        points = noisy(tokens, Eigen::all);
        scratch.products.resize(count, table.rows());
        numeric::multiplyTransposed(points.data(), count, table.data(), table.rows(), table.cols(),
                                    -2.0F, scratch.products.data(), table.rows());
        for (Eigen::Index i = 0; i < count; ++i) {
            const float squaredNorm = points.row(i).squaredNorm();
            const auto squares =
                scratch.products.row(i).transpose().array() + squaredNorms.array() + squaredNorm;
            scratch.row = -static_cast<float>(epsilon) * squares.max(0.0F).sqrt();
            visit(static_cast<std::size_t>(i), scratch.row);
        }
    }};
}

// Points of the Poincaré ball, in float64.
Channel hyperbolicVectors(const embedding::EmbeddingHandle& embedding, const HyperbolicNoise& noise,
                          const numeric::HyperbolicRadius& radius, std::span<const Row> words,
                          std::uint64_t seed) {
    const RowMatrixF& vectors = embedding->vectors();
    VectorD gaps(vectors.rows());
    for (Row row = 0; row < gaps.size(); ++row) {
        gaps[row] = metric::ballGap(vectors.row(row).data(), vectors.cols());
    }
    RowMatrixD points = noisyPoints<RowMatrixD>(
        words, seed, vectors.cols(), [&](Row word, double quantile, const VectorD& direction) {
            return mechanism::noisyPoint(vectors.row(word).data(), gaps[word], direction.data(),
                                         vectors.cols(), radius.quantile(quantile));
        });
    const double coshPower = noise.law() == numeric::RadialLaw::eq7
                                 ? 2.0 * static_cast<double>(noise.dimensions())
                                 : 0.0;
    const auto logDensity = [embedding, gaps = std::move(gaps), epsilon = radius.epsilon(),
                             coshPower](const VectorD& point, double gap, Eigen::Index row) {
        const double square =
            (embedding->vectors().row(row).cast<double>().transpose() - point).squaredNorm();
        const double distance =
            metric::distanceOfExcess(metric::coshExcess(square, gap, gaps[row]));
        const double logCosh = 0.5 * distance + std::log1p(std::exp(-distance)) - std::log(2.0);
        return -epsilon * distance - coshPower * logCosh;
    };
    return {[logDensity, points = std::move(points), rows = vectors.rows()](
                std::span<const std::size_t> tokens, ChannelScratch& scratch,
                const LikelihoodVisitor& visit) {
        scratch.row.resize(rows);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const VectorD point = points.row(static_cast<Eigen::Index>(tokens[i])).transpose();
            // A point so near the edge that this cancels is far from every word, and its gap
            // changes all densities by the same factor.
            const double gap = std::max(1.0 - point.squaredNorm(), 0x1p-53);
            for (Eigen::Index row = 0; row < rows; ++row) {
                scratch.row[row] = static_cast<float>(logDensity(point, gap, row));
            }
            visit(i, scratch.row);
        }
    }};
}

}  // namespace

Result<Channel> noisyVectors(const embedding::EmbeddingHandle& embedding,
                             const mechanism::Form& form, double epsilon,
                             std::span<const Row> words, std::uint64_t seed, int threads) {
    if (const auto* elliptical = std::get_if<EllipticalNoise>(&form)) {
        return ellipticalVectors(*embedding, *elliptical, epsilon, words, seed, threads);
    }
    const auto& hyperbolic = std::get<HyperbolicNoise>(form);
    ASSIGN_OR_RETURN(const auto radius, hyperbolic.radiusAt(epsilon));
    return hyperbolicVectors(embedding, hyperbolic, radius, words, seed);
}

Result<corpus::Measured> noisyVectorSuccess(const embedding::EmbeddingHandle& embedding,
                                            const mechanism::Form& form, double epsilon,
                                            const VectorD& prior, std::uint64_t seed, int threads,
                                            const JobContext& job, std::int64_t samples) {
    // Each token a document of its own.
    AttackedText text{drawWords(prior, samples, seed)};
    text.treatments.assign(text.words.size(), Treatment::replaced);
    text.lineEnds.resize(text.words.size());
    std::iota(text.lineEnds.begin(), text.lineEnds.end(), std::size_t{1});
    ASSIGN_OR_RETURN(const auto vectors,
                     noisyVectors(embedding, form, epsilon, text.words, seed, threads));
    ASSIGN_OR_RETURN(const TextGuesses guesses,
                     guessText(text, vectors, prior, nullptr, threads, job));
    const ReplacedTokens tokens = replacedTokens(text);
    return corpus::shareByDocuments(hits(tokens, guesses.alone), tokens.documents);
}

Result<Findings> guessWords(const AttackedText& text, const AttackedRelease& release,
                            const VectorD& prior, const WordChain* chain, std::uint64_t seed,
                            int threads, const JobContext& job) {
    const ReplacedTokens tokens = replacedTokens(text);
    const std::vector<Row> commonest = commonestWords(prior, 100);
    std::vector<Row> outputs;
    for (const std::size_t token : tokens.tokens) {
        outputs.push_back(release.outputs[token]);
    }
    std::vector<AttackerScores> scores;
    const auto add = [&](const char* name, std::span<const Row> guesses, bool competes = true) {
        scores.push_back({name, hits(tokens, guesses), competes});
    };
    add("prior", std::vector(tokens.size(), commonest.front()));
    add("echo", outputs);
    const Channel nothing = nothingSeen(static_cast<Row>(prior.size()));
    const double ofOutputs = release.vectors != nullptr ? 0.5 : 1.0;
    TextGuesses guesses{outputs, outputs};
    if (release.channel != nullptr) {
        ASSIGN_OR_RETURN(
            guesses,
            guessText(text, release.rule == GuessRule::commonest ? nothing : *release.channel,
                      prior, chain, threads, partOf(job, 0.0, ofOutputs)));
    }
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
