#include "core/calibration/trial_runs.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/base/pass_on.h"

namespace epsilens::calibration {
namespace {

constexpr std::int64_t kSmaller = 8;  ///< how much smaller the small size of a pair is
constexpr int kRepeats = 2;           ///< the quickest counts: other programs only ever slow it

Result<double> quickest(const TrialRun& trial, const RunSize& size) {
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        RETURN_IF_ERROR(trial(size));
        least = std::min(
            least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

double slope(double difference, std::int64_t from, std::int64_t to) {
    return to > from ? std::max(0.0, difference / static_cast<double>(to - from)) : 0.0;
}

}  // namespace

double RunRates::seconds(const RunSize& run, std::int64_t groups) const {
    const auto words = static_cast<double>(run.words);
    const auto draws = static_cast<double>(run.draws);
    return once + words * perWord + static_cast<double>(groups) * draws * perDraw +
           words * draws * perWordAndDraw;
}

RunRates ratesOf(const TimedRun& least, double moreWords, double moreDraws, const TimedRun& most) {
    const auto [words, draws] = least.size;
    RunRates rates;
    rates.perWordAndDraw =
        slope(slope(most.seconds - moreDraws - moreWords + least.seconds, words, most.size.words),
              draws, most.size.draws);
    rates.perWord = std::max(0.0, slope(moreWords - least.seconds, words, most.size.words) -
                                      static_cast<double>(draws) * rates.perWordAndDraw);
    rates.perDraw = std::max(0.0, slope(moreDraws - least.seconds, draws, most.size.draws) -
                                      static_cast<double>(words) * rates.perWordAndDraw);
    rates.once = std::max(0.0, least.seconds - rates.seconds(least.size, 1));
    return rates;
}

Result<RunRates> measureRates(const TrialRun& trial, const RunSize& largest) {
    const RunSize least{std::max<std::int64_t>(1, largest.words / kSmaller),
                        std::max<std::int64_t>(1, largest.draws / kSmaller)};
    RETURN_IF_ERROR(trial(least));
    ASSIGN_OR_RETURN(const double few, quickest(trial, least));
    ASSIGN_OR_RETURN(const double moreWords, quickest(trial, {largest.words, least.draws}));
    ASSIGN_OR_RETURN(const double moreDraws, quickest(trial, {least.words, largest.draws}));
    ASSIGN_OR_RETURN(const double most, quickest(trial, largest));
    return ratesOf({least, few}, moreWords, moreDraws, {largest, most});
}

}  // namespace epsilens::calibration
