#include "ui/setup/radius_facts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/metric_rows.h"
#include "core/engine/word_sample.h"
#include "core/numeric/quantile.h"

namespace epsilens::ui {

namespace {

constexpr std::int64_t kRadiusWords = 200;

struct WordReach {
    double largest = 0.0;
    double within = 0.0;
};

WordReach reachOf(const engine::MetricRow& row, std::int64_t words,
                  const std::optional<double>& gamma) {
    const float* end = row.distances + words;
    WordReach reach;
    reach.largest = static_cast<double>(*std::max_element(row.distances, end));
    if (gamma) {
        reach.within =
            static_cast<double>(std::count_if(row.distances, end, [limit = *gamma](float d) {
                return static_cast<double>(d) <= limit;
            }));
    }
    return reach;
}

}  // namespace

Result<RadiusFacts> findRadiusFacts(const RadiusRequest& request, const JobContext& job) {
    ASSIGN_OR_RETURN(auto space,
                     request.spaces->get(request.embedding, request.metric, request.lambda));
    const std::int64_t vocabulary = request.embedding->wordCount();
    const std::vector<embedding::Row> words =
        engine::sampleWords(vocabulary, kRadiusWords, request.seed);
    std::vector<WordReach> reaches(words.size());
    const auto atOnce = static_cast<std::size_t>(
        std::min<std::int64_t>(engine::MetricRows::wordsAtOnce(*space), 32));
    const std::size_t tasks = (words.size() + atOnce - 1) / atOnce;
    parallelFor(static_cast<std::int64_t>(tasks), kAllThreads, [&](std::int64_t task) {
        const std::size_t first = static_cast<std::size_t>(task) * atOnce;
        const std::size_t count = std::min(atOnce, words.size() - first);
        if (job.stopRequested()) {
            return;
        }
        engine::MetricRows rows(false);
        rows.load(*space, std::span(words).subspan(first, count));
        for (std::size_t i = 0; i < count && !job.stopRequested(); ++i) {
            reaches[first + i] =
                reachOf(rows.finish(static_cast<std::int64_t>(i), 1), vocabulary, request.gamma);
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    RadiusFacts facts;
    std::vector<double> within;
    for (const WordReach& reach : reaches) {
        facts.largestDistance = std::max(facts.largestDistance, reach.largest);
        within.push_back(reach.within);
    }
    if (request.gamma && !within.empty()) {
        std::sort(within.begin(), within.end());
        facts.medianWithin = numeric::quantileOfSorted(within, 0.5);
    }
    return facts;
}

}  // namespace epsilens::ui
