#include "core/engine/epsilon_range.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/random_stream.h"
#include "core/engine/word_sample.h"
#include "core/numeric/quantile.h"

namespace epsilens::engine {
namespace {

constexpr std::int64_t kDraws = 20;
// When every draw keeps its word at every epsilon there is no scale to read off the data.
constexpr double kWithoutScale = 10.0;

double roundedToTwoDigits(double value) {
    return parseNumber(formatSignificant(value, 2), "epsilon").value_or(value);
}

}  // namespace

EpsilonRange rangeOfCriticals(std::vector<double> critical, std::int64_t words) {
    const auto always = static_cast<double>(
        std::count_if(critical.begin(), critical.end(), [](double value) { return value <= 0.0; }));
    const auto all = static_cast<double>(critical.size());
    std::erase_if(critical, [](double value) { return !std::isfinite(value) || value <= 0.0; });
    EpsilonRange range{kWithoutScale, kWithoutScale, kWithoutScale, words,
                       all > 0.0 ? always / all : 0.0};
    if (!critical.empty()) {
        std::sort(critical.begin(), critical.end());
        range.suggested = roundedToTwoDigits(numeric::quantileOfSorted(critical, 0.5));
        range.low = numeric::quantileOfSorted(critical, 0.05);
        range.high = numeric::quantileOfSorted(critical, 0.95);
    }
    return range;
}

Result<EpsilonRange> estimateEpsilonRange(const NoiseSeries& series, std::uint64_t seed,
                                          int threads, const JobContext& job) {
    const std::vector<Row> words =
        sampleWords(series.space().embedding().wordCount(), kRangeWords, seed);
    const std::unique_ptr<SearchBatch> batch = series.batch({}, threads, job);
    batch->setDraws({seed, StreamPurpose::epsilonRange, 0}, 0, kDraws);
    std::vector<double> critical(words.size() * kDraws);
    constexpr std::int64_t kWordsAtOnce = 25;
    const auto count = static_cast<std::int64_t>(words.size());
    for (std::int64_t first = 0; first < count; first += kWordsAtOnce) {
        const std::int64_t group = std::min(kWordsAtOnce, count - first);
        batch->setWords(std::span(words).subspan(static_cast<std::size_t>(first),
                                                 static_cast<std::size_t>(group)));
        parallelFor(group, threads, [&](std::int64_t i) {
            const std::unique_ptr<DrawSearch> search = batch->search();
            search->setWord(i);
            for (std::int64_t draw = 0; draw < kDraws && !job.stopRequested(); ++draw) {
                search->setDraw(0, draw);
                critical[static_cast<std::size_t>((first + i) * kDraws + draw)] =
                    search->criticalEpsilon();
            }
        });
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        job.progress(static_cast<double>(first + group) / static_cast<double>(count), "Range of ε");
    }
    return rangeOfCriticals(std::move(critical), count);
}

}  // namespace epsilens::engine
