#include "core/experiment/attack/learned_releases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/in_parallel.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack/smoothing_models.h"
#include "core/experiment/attack/tuple_views.h"

namespace epsilens::experiment {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::array kListOdds{0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0};

// An attacker: places in smoothingWeights() and smoothingScales(), and the caution or the odds from
// which he answers otherwise than without any output.
struct Choice {
    std::size_t k = 0;
    std::size_t s = 0;
    double threshold = kNever;
};

Row guessOf(const TupleView& view, double caution, Row commonest) {
    return static_cast<double>(view.lead) >= std::log(caution) ? view.word : commonest;
}
bool callOf(const TupleView& view, double odds) {
    return odds < kNever && static_cast<double>(view.listOdds) >= std::log(odds);
}

// The kappa, s and threshold of the largest gain, the first of equal ones; `alone` where none
// gains.
//
// gain  std::int64_t(const TupleView&, std::size_t tuple): of the view's answer over that alone
// mark  double(const TupleView&): the answer is given where this is at least ln(threshold)
template <typename Gain, typename Mark>
Choice mostGain(const TupleViews& views, std::size_t tuples, std::span<const double> thresholds,
                const Choice& alone, Gain gain, Mark mark) {
    Choice best = alone;
    std::int64_t most = 0;
    std::vector<std::int64_t> gains(thresholds.size());
    for (std::size_t k = 0; k < smoothingWeights().size(); ++k) {
        for (std::size_t s = 0; s < smoothingScales().size(); ++s) {
            std::fill(gains.begin(), gains.end(), 0);
            for (std::size_t i = 0; i < tuples; ++i) {
                const TupleView& view = views.at(i, s, k);
                const std::int64_t own = gain(view, i);
                for (std::size_t t = 0; t < thresholds.size() && own != 0; ++t) {
                    gains[t] += mark(view) >= std::log(thresholds[t]) ? own : 0;
                }
            }
            const auto largest = std::max_element(gains.begin(), gains.end());
            if (*largest > most) {
                most = *largest;
                best = {k, s, thresholds[static_cast<std::size_t>(largest - gains.begin())]};
            }
        }
    }
    return best;
}

// The attack at one setting.
class Learner {
public:
    Learner(const engine::MetricSpace& space, const SmoothingModels& models, std::size_t firstModel,
            const ReleasedSetting& released, const VectorD& prior, const ReleasesQuestion& question,
            const RowMatrixF& distances)
        : m_released(released),
          m_question(question),
          m_commonest(commonestWords(prior, 1).front()),
          m_isListed(static_cast<std::size_t>(prior.size())),
          m_viewer(space, models, firstModel, released.setting.learning, prior, question.listed,
                   question.releases, distances) {
        for (const Row word : question.listed) {
            m_isListed[static_cast<std::size_t>(word)] = 1;
        }
    }

    Result<LearnedOnReleases> run(const JobContext& job) const {
        std::vector<std::size_t> all(smoothingScales().size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const SampledSetting& setting = m_released.setting;
        ASSIGN_OR_RETURN(const TupleViews selection,
                         look(setting.selection.outputs, all, partOf(job, 0.0, 0.2)));
        ASSIGN_OR_RETURN(const TupleViews rehearsal,
                         look(setting.rehearsal.outputs, all, partOf(job, 0.2, 0.5)));
        const std::size_t tried = setting.selection.words.size();
        const Choice guessing = chooseGuesses(selection, setting.selection, tried);
        const Choice listing = chooseList(selection, setting.selection);
        const Choice guessingText = chooseOnText(rehearsal);
        const Choice listingText = chooseList(rehearsal, setting.rehearsal);
        LearnedOnReleases result;
        RETURN_IF_ERROR(score(guessing, listing, result, partOf(job, 0.5, 0.7)));
        RETURN_IF_ERROR(attackText(guessingText, listingText, result, partOf(job, 0.7, 1.0)));
        return result;
    }

private:
    [[nodiscard]] Result<TupleViews> look(std::span<const Row> outputs,
                                          std::span<const std::size_t> scales,
                                          const JobContext& job) const {
        return m_viewer.look(outputs, scales, m_question.threads, "Learning", job);
    }
    [[nodiscard]] bool hasList() const { return !m_question.listed.empty(); }
    [[nodiscard]] bool isListed(Row word) const {
        return m_isListed[static_cast<std::size_t>(word)] != 0;
    }

    // By the successes on the first words.
    [[nodiscard]] Choice chooseGuesses(const TupleViews& views, const DrawnPairs& pairs,
                                       std::size_t words) const {
        return mostGain(
            views, words, cautions(), {},
            [&](const TupleView& view, std::size_t i) -> std::int64_t {
                return (view.word == pairs.words[i] ? 1 : 0) -
                       (m_commonest == pairs.words[i] ? 1 : 0);
            },
            [](const TupleView& view) { return static_cast<double>(view.lead); });
    }

    // On half of the rehearsal, and confirmed on the other.
    [[nodiscard]] Choice chooseOnText(const TupleViews& views) const {
        const DrawnPairs& rehearsal = m_released.setting.rehearsal;
        const std::size_t half = rehearsal.words.size() / 2;
        const Choice choice = chooseGuesses(views, rehearsal, half);
        std::vector<float> own;
        std::vector<float> priors;
        std::vector<std::int64_t> places;
        for (std::size_t i = half; i < rehearsal.words.size(); ++i) {
            const Row guess =
                guessOf(views.at(i, choice.s, choice.k), choice.threshold, m_commonest);
            own.push_back(guess == rehearsal.words[i] ? 1.0F : 0.0F);
            priors.push_back(m_commonest == rehearsal.words[i] ? 1.0F : 0.0F);
            places.push_back(static_cast<std::int64_t>(i));
        }
        const std::vector<std::int32_t> documents(places.begin(), places.end());
        const Share gain =
            differenceByDocuments(own, priors, documents, drawsAt(rehearsal.draws, places));
        return gain.ci95 && gain.ci95->front() > 0.0 ? choice : Choice{};
    }

    // By the right answers; "no" whatever the outputs where no attacker has more, or "yes".
    [[nodiscard]] Choice chooseList(const TupleViews& views, const DrawnPairs& pairs) const {
        if (!hasList()) {
            return {};
        }
        const auto listed = std::count_if(pairs.words.begin(), pairs.words.end(),
                                          [&](Row word) { return isListed(word); });
        const auto others = static_cast<std::ptrdiff_t>(pairs.words.size()) - listed;
        const Choice choice = mostGain(
            views, pairs.words.size(), kListOdds, {},
            [&](const TupleView&, std::size_t i) -> std::int64_t {
                return isListed(pairs.words[i]) ? 1 : -1;
            },
            [](const TupleView& view) { return static_cast<double>(view.listOdds); });
        if (listed <= others) {
            return choice;
        }
        // Here the answer without outputs is yes.
        std::ptrdiff_t gained = 0;
        for (std::size_t i = 0; i < pairs.words.size(); ++i) {
            if (callOf(views.at(i, choice.s, choice.k), choice.threshold)) {
                gained += isListed(pairs.words[i]) ? 1 : -1;
            }
        }
        return gained > listed - others ? choice : Choice{0, 0, 0.0};
    }

    // Under the prior.
    Result<void> score(const Choice& guessing, const Choice& listing, LearnedOnReleases& result,
                       const JobContext& job) const {
        const std::array scales{guessing.s, listing.s};
        const DrawnPairs& scoring = m_released.scoring;
        ASSIGN_OR_RETURN(const TupleViews views,
                         look(scoring.outputs, std::span(scales).first(hasList() ? 2 : 1), job));
        std::vector<float> successes;
        std::vector<float> answers;
        std::vector<std::int32_t> places;
        for (std::size_t i = 0; i < views.tuples(); ++i) {
            const Row word = scoring.words[i];
            const Row guess = guessOf(views.at(i, 0, guessing.k), guessing.threshold, m_commonest);
            successes.push_back(guess == word ? 1.0F : 0.0F);
            if (hasList()) {
                const bool called = callOf(views.at(i, 1, listing.k), listing.threshold);
                answers.push_back(called == isListed(word) ? 1.0F : 0.0F);
            }
            places.push_back(static_cast<std::int32_t>(i));
        }
        result.guesses.lower = shareByDocuments(successes, places, scoring.draws);
        if (hasList()) {
            result.list.emplace().lower = shareByDocuments(answers, places, scoring.draws);
        }
        return {};
    }

    Result<void> attackText(const Choice& guessing, const Choice& listing,
                            LearnedOnReleases& result, const JobContext& job) const {
        LearnedGuesses& guesses = result.guesses;
        guesses.kappa = smoothingWeights()[guessing.k];
        guesses.scale = smoothingScales()[guessing.s];
        guesses.caution = guessing.threshold;
        if (!hasList()) {
            return {};
        }
        ASSIGN_OR_RETURN(const TupleViews views,
                         look(m_released.setting.outputs, std::array{listing.s}, job));
        LearnedList& list = *result.list;
        list.kappa = smoothingWeights()[listing.k];
        list.scale = smoothingScales()[listing.s];
        list.odds = listing.threshold;
        for (std::size_t i = 0; i < views.tuples(); ++i) {
            list.called.push_back(callOf(views.at(i, 0, listing.k), listing.threshold) ? 1.0F
                                                                                       : 0.0F);
        }
        return {};
    }

    const ReleasedSetting& m_released;
    const ReleasesQuestion& m_question;
    Row m_commonest;
    std::vector<std::uint8_t> m_isListed;  ///< by row
    TupleViewer m_viewer;
};

}  // namespace

std::span<const double> listOdds() {
    return kListOdds;
}

Result<std::vector<LearnedOnReleases>> learnOnReleases(const engine::MetricSpace& space,
                                                       std::span<const ReleasedSetting> settings,
                                                       const VectorD& prior,
                                                       const ReleasesQuestion& question,
                                                       const JobContext& job) {
    std::vector<double> rates;
    for (const ReleasedSetting& released : settings) {
        for (const double scale : smoothingScales()) {
            rates.push_back(scale * released.setting.epsilon);
        }
    }
    ASSIGN_OR_RETURN(
        const auto models,
        SmoothingModels::create(space, std::move(rates), question.threads, partOf(job, 0.0, 0.08)));
    ASSIGN_OR_RETURN(const RowMatrixF distances,
                     distanceTable(space, question.threads, partOf(job, 0.08, 0.1)));
    std::vector<LearnedOnReleases> results;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const double step = 0.9 / static_cast<double>(settings.size());
        const double begin = 0.1 + step * static_cast<double>(i);
        ASSIGN_OR_RETURN(auto learned, Learner(space, models, i * smoothingScales().size(),
                                               settings[i], prior, question, distances)
                                           .run(partOf(job, begin, begin + step)));
        results.push_back(std::move(learned));
    }
    return results;
}

}  // namespace epsilens::experiment
