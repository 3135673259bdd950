#include "core/experiment/perturbing_trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/base/pass_on.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {
namespace {

// Words, and how often each occurs: seldom enough for R = 100.
constexpr calibration::RunSize kFew{8, 8};
constexpr calibration::RunSize kMany{64, 64};
constexpr double kDraws = 100.0;

}  // namespace

PerturbingTrial::PerturbingTrial(const EvaluationParts& parts, JobContext job)
    : m_parts(parts), m_job(std::move(job)) {
    for (const DrawBlock& block : drawBlocks(parts.words)) {
        m_rows.insert(m_rows.end(), block.words.begin(), block.words.end());
    }
}

Result<double> PerturbingTrial::seconds(const PerturbingWork& work) {
    ASSIGN_OR_RETURN(const calibration::RunRates rates, ratesFor(work.epsilonsAtOnce));
    const double replaced =
        static_cast<double>(work.words.replacedTokens()) / static_cast<double>(work.words.tokens());
    double once = static_cast<double>(work.tokens) * replaced * rates.perWordAndDraw;
    double perCall = 0.0;
    for (const DrawBlock& block : drawBlocks(work.words)) {
        const auto words = static_cast<double>(block.words.size());
        const double groups = std::ceil(words / static_cast<double>(m_wordsAtOnce));
        once += groups * work.pools * block.draws / kDraws * rates.once;
        perCall += words * rates.perWord;
    }
    const auto epsilons = static_cast<double>(m_parts.options.grid.epsilons.size());
    return (once * work.often.times + perCall * work.often.calls) * epsilons /
           static_cast<double>(work.epsilonsAtOnce);
}

Result<calibration::RunRates> PerturbingTrial::ratesFor(std::size_t epsilonsAtOnce) {
    if (const auto known = m_rates.find(epsilonsAtOnce); known != m_rates.end()) {
        return known->second;
    }
    ASSIGN_OR_RETURN(const double least, quickest(kFew, epsilonsAtOnce));
    ASSIGN_OR_RETURN(const double words, quickest({kMany.words, kFew.draws}, epsilonsAtOnce));
    ASSIGN_OR_RETURN(const double draws, quickest({kFew.words, kMany.draws}, epsilonsAtOnce));
    ASSIGN_OR_RETURN(const double most, quickest(kMany, epsilonsAtOnce));
    return m_rates[epsilonsAtOnce] =
               calibration::ratesOf({kFew, least}, words, draws, {kMany, most});
}

/// Of two runs; the first one also fills what the second finds in memory.
Result<double> PerturbingTrial::quickest(const calibration::RunSize& size,
                                         std::size_t epsilonsAtOnce) {
    std::vector<Row> document;
    for (std::int64_t i = 0; i < size.words; ++i) {
        const auto place =
            static_cast<std::size_t>(i) * m_rows.size() / static_cast<std::size_t>(size.words);
        document.insert(document.end(), static_cast<std::size_t>(size.draws), m_rows[place]);
    }
    const EvaluationOptions& options = m_parts.options;
    const auto words = TokenisedDocuments::ofWords(std::span(&document, 1));
    ASSIGN_OR_RETURN(const auto perturber,
                     Perturber::create(m_parts.space, words, options.policies, options.grid,
                                       options.seed, options.threads));
    m_wordsAtOnce = perturber->wordsAtOnce();
    const std::vector<DrawPool> pools{{0, {0}}};
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 2; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        ASSIGN_OR_RETURN(const auto perturbed,
                         perturber->perturb(
                             pools, std::span(options.grid.epsilons).first(epsilonsAtOnce), m_job));
        least = std::min(
            least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

}  // namespace epsilens::experiment
