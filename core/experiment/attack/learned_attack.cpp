#include "core/experiment/attack/learned_attack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/distance_visits.h"
#include "core/experiment/attack/in_parallel.h"
#include "core/experiment/attack/learned_counts.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack/smoothing_models.h"

namespace epsilens::experiment {
namespace {

constexpr double kModelAlone = std::numeric_limits<double>::infinity();
constexpr std::array kWeights{0.0, 1.0, 10.0, 100.0, 1000.0, kModelAlone};
constexpr std::array kScales{0.1, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0};
constexpr std::size_t kCombinations = kWeights.size() * kScales.size();
constexpr std::array kCautions{1.0, 3.0, 10.0, 30.0, 100.0, 1000.0};
constexpr double kPriorAlone = std::numeric_limits<double>::infinity();

struct Guess {
    Row word = 0;
    float lead = 0.0F;  ///< ln of how many times as probable it is as the commonest word
};

// Rates of the h_s of all settings, one setting after the other.
std::vector<double> ratesOf(std::span<const SampledSetting> settings) {
    std::vector<double> rates;
    for (const SampledSetting& setting : settings) {
        for (const double scale : kScales) {
            rates.push_back(scale * setting.epsilon);
        }
    }
    return rates;
}

// The best guesses under one h_s, for every kappa.
class Guesser {
public:
    /// models, learning, counts, logPrior  outlive this object
    Guesser(const SmoothingModels& models, std::size_t model, const LearningDraws& learning,
            const LearnedCounts& counts, const VectorD& logPrior, Row commonest)
        : m_models(models),
          m_model(model),
          m_learned(learning.words),
          m_counts(counts),
          m_logPrior(logPrior),
          m_commonest(commonest) {
        VectorD weights = logPrior;
        for (const Row word : m_learned) {
            weights[word] = -std::numeric_limits<double>::infinity();
        }
        m_offsets = models.offsets(model, weights);
    }

    /// distances  of the output
    /// result     one guess for each of kWeights
    void guess(Row output, const float* distances, std::span<Guess> result) const {
        const auto logModel = [&](Row word) {
            return m_models.logModel(m_model, word, distances[word]);
        };
        // Counts apart, words differ by a factor that depends on whether they were learned.
        std::array<Candidate, 2> byModel;
        if (m_learned.size() < static_cast<std::size_t>(m_offsets.size())) {
            const Row word = m_models.best(m_model, m_offsets, distances);
            byModel[0].improve(logModel(word) + m_logPrior[word], word);
        }
        for (const Row word : m_learned) {
            byModel[1].improve(logModel(word) + m_logPrior[word], word);
        }
        for (std::size_t k = 0; k < kWeights.size(); ++k) {
            const Candidate best = bestAt(kWeights[k], output, logModel, byModel);
            if (best.word == kUnknownWord) {
                result[k] = {m_commonest, 0.0F};
                continue;
            }
            const double rival = score(m_commonest, m_counts.of(output, m_commonest), kWeights[k],
                                       logModel(m_commonest));
            result[k] = {best.word, static_cast<float>(best.score - rival)};
        }
    }

private:
    template <typename LogModel>
    [[nodiscard]] Candidate bestAt(double kappa, Row output, const LogModel& logModel,
                                   const std::array<Candidate, 2>& byModel) const {
        Candidate best;
        if (kappa > 0.0) {
            const double share =
                kappa == kModelAlone ? 0.0 : std::log(kappa / (m_counts.draws() + kappa));
            best.improve(byModel[0].score, byModel[0].word);
            best.improve(byModel[1].score + share, byModel[1].word);
        }
        if (kappa == kModelAlone) {
            return best;
        }
        for (const LearnedCounts::Entry& entry : m_counts.of(output)) {
            best.improve(score(entry.word, entry.count, kappa, logModel(entry.word)), entry.word);
        }
        return best;
    }

    // ln prior(w) C'(w, u). logModel  ln h_s(w, u)
    [[nodiscard]] double score(Row word, int count, double kappa, double logModel) const {
        if (kappa == kModelAlone || !m_counts.isLearned(word)) {
            return kappa > 0.0 ? m_logPrior[word] + logModel
                               : -std::numeric_limits<double>::infinity();
        }
        const double smoothed = count + kappa * std::exp(logModel);
        return m_logPrior[word] + std::log(smoothed / (m_counts.draws() + kappa));
    }

    const SmoothingModels& m_models;
    std::size_t m_model;
    std::span<const Row> m_learned;
    const LearnedCounts& m_counts;
    const VectorD& m_logPrior;
    Row m_commonest;
    VectorF m_offsets{};  ///< of words that were not learned
};

// Guesses of one setting: scales x outputs x weights.
class Guesses {
public:
    /// isWanted  V entries: whether there are guesses on an output
    Guesses(std::span<const Guess> guesses, std::span<const Row> outputs,
            std::span<const std::uint8_t> isWanted, Row commonest)
        : m_guesses(guesses),
          m_outputs(outputs),
          m_isWanted(isWanted),
          m_places(isWanted.size()),
          m_commonest(commonest) {
        for (std::size_t place = 0; place < outputs.size(); ++place) {
            m_places[static_cast<std::size_t>(outputs[place])] = place;
        }
    }

    [[nodiscard]] Row commonest() const { return m_commonest; }
    [[nodiscard]] Guess at(std::size_t k, std::size_t s, Row output) const {
        return at(k, s, m_places[static_cast<std::size_t>(output)]);
    }
    /// As a table for all outputs.
    [[nodiscard]] LearnedAttacker attacker(std::size_t k, std::size_t s, double caution) const {
        LearnedAttacker attacker{kWeights[k], kScales[s], caution, 0.0,
                                 std::vector<Row>(m_places.size(), m_commonest)};
        if (caution == kPriorAlone) {
            return attacker;
        }
        for (std::size_t place = 0; place < m_outputs.size(); ++place) {
            const auto output = static_cast<std::size_t>(m_outputs[place]);
            const Guess guess = at(k, s, place);
            if (m_isWanted[output] != 0 && static_cast<double>(guess.lead) >= std::log(caution)) {
                attacker.guesses[output] = guess.word;
            }
        }
        return attacker;
    }

private:
    [[nodiscard]] Guess at(std::size_t k, std::size_t s, std::size_t place) const {
        return m_guesses[(s * m_outputs.size() + place) * kWeights.size() + k];
    }

    std::span<const Guess> m_guesses;
    std::span<const Row> m_outputs;
    std::span<const std::uint8_t> m_isWanted;
    std::vector<std::size_t> m_places;  ///< of each word among the outputs
    Row m_commonest;
};

// Every how many pairs, and the first of them.
struct Every {
    std::size_t step = 1;
    std::size_t first = 0;
};

// Replaces guesses that do worse than the commonest word on the draws for selection.
void select(const DrawnPairs& selection, const Every& pairs, Row commonest,
            std::vector<Row>& guesses) {
    std::vector<std::int64_t> advantage(guesses.size());
    for (std::size_t i = pairs.first; i < selection.words.size(); i += pairs.step) {
        const auto output = static_cast<std::size_t>(selection.outputs[i]);
        advantage[output] += guesses[output] == selection.words[i] ? 1 : 0;
        advantage[output] -= commonest == selection.words[i] ? 1 : 0;
    }
    for (std::size_t output = 0; output < guesses.size(); ++output) {
        if (advantage[output] < 0) {
            guesses[output] = commonest;
        }
    }
}

std::int64_t successesOf(const DrawnPairs& selection, const Every& pairs,
                         std::span<const Row> guesses) {
    std::int64_t successes = 0;
    for (std::size_t i = pairs.first; i < selection.words.size(); i += pairs.step) {
        successes +=
            guesses[static_cast<std::size_t>(selection.outputs[i])] == selection.words[i] ? 1 : 0;
    }
    return successes;
}

// Whether outputs tell the attacker anything: guesses selected on one half of the draws succeed on
// the other more often than the commonest word, both halves taken together. On the draws that
// select them they do so anyway.
bool beatsPrior(const LearnedAttacker& attacker, const DrawnPairs& selection, Row commonest) {
    std::int64_t gain = 0;
    for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
        std::vector<Row> guesses = attacker.guesses;
        select(selection, {2, half}, commonest, guesses);
        gain += successesOf(selection, {2, 1 - half}, guesses);
        std::fill(guesses.begin(), guesses.end(), commonest);
        gain -= successesOf(selection, {2, 1 - half}, guesses);
    }
    return gain > 0;
}

LearnedAttacker chooseUnderPrior(const Guesses& guesses, const DrawnPairs& selection) {
    LearnedAttacker best;
    const auto share = [&](const LearnedAttacker& attacker) {
        return static_cast<double>(successesOf(selection, {}, attacker.guesses)) /
               static_cast<double>(selection.words.size());
    };
    best.selectionSuccess = -1.0;
    for (std::size_t k = 0; k < kWeights.size(); ++k) {
        for (std::size_t s = 0; s < kScales.size(); ++s) {
            LearnedAttacker attacker = guesses.attacker(k, s, kCautions.front());
            select(selection, {}, guesses.commonest(), attacker.guesses);
            attacker.selectionSuccess = share(attacker);
            if (attacker.selectionSuccess > best.selectionSuccess &&
                beatsPrior(guesses.attacker(k, s, kCautions.front()), selection,
                           guesses.commonest())) {
                best = std::move(attacker);
            }
        }
    }
    if (best.selectionSuccess < 0.0) {
        best = guesses.attacker(0, 0, kPriorAlone);
        best.selectionSuccess = share(best);
    }
    return best;
}

// Successes beyond those of the commonest word on the first `count` pairs, for every caution.
std::array<std::int64_t, kCautions.size()> gainsOf(const Guesses& guesses, std::size_t k,
                                                   std::size_t s, const DrawnPairs& pairs,
                                                   std::size_t count) {
    std::array<std::int64_t, kCautions.size()> gains{};
    for (std::size_t i = 0; i < count; ++i) {
        const Guess guess = guesses.at(k, s, pairs.outputs[i]);
        const int gain = (guess.word == pairs.words[i] ? 1 : 0) -
                         (guesses.commonest() == pairs.words[i] ? 1 : 0);
        for (std::size_t c = 0; c < kCautions.size() && gain != 0; ++c) {
            gains[c] += static_cast<double>(guess.lead) >= std::log(kCautions[c]) ? gain : 0;
        }
    }
    return gains;
}

// Whether the attacker beats the commonest word on the pairs from `begin` beyond chance.
bool isConfirmed(const LearnedAttacker& attacker, const DrawnPairs& pairs, std::size_t begin,
                 Row commonest) {
    std::vector<float> own;
    std::vector<float> priors;
    std::vector<std::int64_t> places;
    for (std::size_t i = begin; i < pairs.words.size(); ++i) {
        const Row guess = attacker.guesses[static_cast<std::size_t>(pairs.outputs[i])];
        own.push_back(guess == pairs.words[i] ? 1.0F : 0.0F);
        priors.push_back(commonest == pairs.words[i] ? 1.0F : 0.0F);
        places.push_back(static_cast<std::int64_t>(i));
    }
    const std::vector<std::int32_t> documents(places.begin(), places.end());
    const Share gain = differenceByDocuments(own, priors, documents, drawsAt(pairs.draws, places));
    return gain.ci95 && gain.ci95->front() > 0.0;
}

LearnedAttacker chooseOnText(const Guesses& guesses, const DrawnPairs& rehearsal) {
    const std::size_t half = rehearsal.words.size() / 2;
    LearnedAttacker best = guesses.attacker(0, 0, kPriorAlone);
    std::int64_t most = 0;
    for (std::size_t k = 0; k < kWeights.size(); ++k) {
        for (std::size_t s = 0; s < kScales.size(); ++s) {
            const auto gains = gainsOf(guesses, k, s, rehearsal, half);
            const auto* const largest = std::max_element(gains.begin(), gains.end());
            if (*largest > most) {
                most = *largest;
                best = guesses.attacker(
                    k, s, kCautions[static_cast<std::size_t>(largest - gains.begin())]);
            }
        }
    }
    if (!isConfirmed(best, rehearsal, half, guesses.commonest())) {
        best = guesses.attacker(0, 0, kPriorAlone);
    }
    return best;
}

// The outputs on which guesses are wanted, ascending, and at which settings.
struct WantedOutputs {
    std::vector<Row> rows{};
    std::vector<std::vector<std::uint8_t>> isWanted{};  ///< settings x V

    WantedOutputs(std::span<const SampledSetting> settings, Row words) {
        std::vector<std::uint8_t> anywhere(static_cast<std::size_t>(words));
        for (const SampledSetting& setting : settings) {
            auto& wanted = isWanted.emplace_back(static_cast<std::size_t>(words));
            for (const std::vector<Row>* outputs :
                 {&setting.outputs, &setting.selection.outputs, &setting.rehearsal.outputs}) {
                for (const Row output : *outputs) {
                    wanted[static_cast<std::size_t>(output)] = 1;
                    anywhere[static_cast<std::size_t>(output)] = 1;
                }
            }
        }
        for (Row row = 0; row < words; ++row) {
            if (anywhere[static_cast<std::size_t>(row)] != 0) {
                rows.push_back(row);
            }
        }
    }
};

}  // namespace

std::span<const double> smoothingWeights() {
    return kWeights;
}

std::span<const double> smoothingScales() {
    return kScales;
}

std::span<const double> cautions() {
    return kCautions;
}

double bytesOfLearning() {
    return static_cast<double>(kCombinations * sizeof(Guess));
}

Result<std::vector<LearnedAttackers>> learnAttackers(const engine::MetricSpace& space,
                                                     std::span<const SampledSetting> settings,
                                                     const VectorD& prior, int threads,
                                                     const JobContext& job) {
    ASSIGN_OR_RETURN(const auto models, SmoothingModels::create(space, ratesOf(settings), threads,
                                                                partOf(job, 0.0, 0.1)));
    const Row commonest = commonestWords(prior, 1).front();
    const VectorD logPrior = prior.array().log();
    const WantedOutputs wanted(settings, space.wordCount());
    const std::size_t outputs = wanted.rows.size();
    std::vector<LearnedCounts> counts;
    for (const SampledSetting& setting : settings) {
        counts.emplace_back(setting.learning, space.wordCount());
    }
    std::vector<Guesser> guessers;
    for (std::size_t model = 0; model < models.count(); ++model) {
        const std::size_t setting = model / kScales.size();
        guessers.emplace_back(models, model, settings[setting].learning, counts[setting], logPrior,
                              commonest);
    }
    // settings x scales x outputs x weights
    std::vector<Guess> guesses(settings.size() * kCombinations * outputs);
    const auto guessesOf = [&](std::size_t model, std::size_t output) {
        return std::span(guesses).subspan((model * outputs + output) * kWeights.size(),
                                          kWeights.size());
    };
    RETURN_IF_ERROR(visitDistances(
        space, wanted.rows, workersOf(threads), "Learning", partOf(job, 0.1, 1.0),
        [&](std::size_t output, int, const engine::MetricRow& row) {
            for (std::size_t model = 0; model < models.count(); ++model) {
                const auto& isWanted = wanted.isWanted[model / kScales.size()];
                if (isWanted[static_cast<std::size_t>(row.word)] != 0) {
                    guessers[model].guess(row.word, row.distances, guessesOf(model, output));
                }
            }
        }));
    std::vector<LearnedAttackers> attackers;
    const std::size_t ofSetting = kCombinations * outputs;
    for (std::size_t setting = 0; setting < settings.size(); ++setting) {
        const auto begin = guesses.begin() + static_cast<std::ptrdiff_t>(setting * ofSetting);
        const Guesses own({begin, ofSetting}, wanted.rows, wanted.isWanted[setting], commonest);
        const DrawnPairs& selection = settings[setting].selection;
        LearnedAttackers& chosen = attackers.emplace_back();
        if (!selection.words.empty()) {
            chosen.underPrior = chooseUnderPrior(own, selection);
        }
        chosen.onText = chooseOnText(own, settings[setting].rehearsal);
        const auto* const scale = std::find(kScales.begin(), kScales.end(), chosen.onText.scale);
        chosen.model = models.only(setting * kScales.size() +
                                   static_cast<std::size_t>(scale - kScales.begin()));
    }
    return attackers;
}

Share learnedSuccess(const LearnedAttacker& attacker, const DrawnPairs& scoring) {
    std::vector<float> successes;
    std::vector<std::int32_t> pairs;
    for (std::size_t i = 0; i < scoring.words.size(); ++i) {
        const Row guess = attacker.guesses[static_cast<std::size_t>(scoring.outputs[i])];
        successes.push_back(guess == scoring.words[i] ? 1.0F : 0.0F);
        pairs.push_back(static_cast<std::int32_t>(i));
    }
    return shareByDocuments(successes, pairs, scoring.draws);
}

}  // namespace epsilens::experiment
