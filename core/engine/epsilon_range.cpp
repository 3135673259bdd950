#include "core/engine/epsilon_range.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/numbers.h"
#include "core/base/random_stream.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/word_sample.h"
#include "core/numeric/quantile.h"

namespace epsilens::engine {
namespace {

constexpr std::int64_t kDraws = 20;
// When every draw keeps its word at every epsilon there is no scale to read off the data.
constexpr double kWithoutScale = 10.0;

}  // namespace

EpsilonRange rangeOfCriticals(std::vector<double> critical, std::int64_t words) {
    std::erase_if(critical, [](double value) { return !std::isfinite(value) || value <= 0.0; });
    EpsilonRange range{kWithoutScale, kWithoutScale, kWithoutScale, words};
    if (!critical.empty()) {
        std::ranges::sort(critical);
        range.suggested = rounded(numeric::quantileOfSorted(critical, 0.5), 2);
        range.low = numeric::quantileOfSorted(critical, 0.05);
        range.high = numeric::quantileOfSorted(critical, 0.95);
    }
    return range;
}

Result<EpsilonRange> estimateEpsilonRange(const NoiseSeries& series, std::uint64_t seed,
                                          int threads, const JobContext& job) {
    const std::vector<Row> words =
        sampleWords(series.space().embedding().wordCount(), kRangeWords, seed);
    // Few at once, so that a job stops soon.
    constexpr std::int64_t kWordsAtOnce = 25;
    // The draws of a vocabulary of a million words fit: they are projected once.
    constexpr std::int64_t kScratchBytes = std::int64_t{224} << 20;
    std::vector<double> critical(words.size() * std::size_t{kDraws});
    const std::unique_ptr<SearchBatch> batch = series.batch({}, threads, job);
    RETURN_IF_ERROR(sweepDraws(
        series, *batch,
        {words,
         {seed, StreamPurpose::epsilonRange, 0},
         kDraws,
         kScratchBytes,
         threads,
         "Range of ε",
         kWordsAtOnce},
        job,
        [&](DrawSearch& search, std::int64_t word, std::int64_t /*variant*/, std::int64_t draw) {
            critical[static_cast<std::size_t>(word * kDraws + draw)] =
                search.path().criticalEpsilon(words[static_cast<std::size_t>(word)]);
        }));
    return rangeOfCriticals(std::move(critical), std::ssize(words));
}

}  // namespace epsilens::engine
