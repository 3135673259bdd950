#include "core/engine/epsilon_range.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/engine/word_sample.h"
#include "core/numeric/quantile.h"

namespace epsilens::engine {
namespace {

constexpr std::size_t kDraws = 20;
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
    std::vector<double> critical(words.size() * kDraws);
    RETURN_IF_ERROR(sweepDraws(series,
                               {.words = words,
                                .source = {seed, StreamPurpose::epsilonRange, 0},
                                .draws = kDraws,
                                .threads = threads,
                                .stage = "Range of ε"},
                               job, [&](DrawSearch& search, std::size_t word, std::int64_t draw) {
                                   critical[word * kDraws + static_cast<std::size_t>(draw)] =
                                       search.criticalEpsilon();
                               }));
    return rangeOfCriticals(std::move(critical), static_cast<std::int64_t>(words.size()));
}

}  // namespace epsilens::engine
