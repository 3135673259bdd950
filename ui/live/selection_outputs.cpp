#include "ui/live/selection_outputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/selection_draws.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::ui::live {

namespace {

constexpr std::size_t kWordsPerTask = 8;
// Outputs that are listed by name; bars and table show fewer.
constexpr std::size_t kListedOutputs = 40;
// (word, vocabulary word) pairs held, 16 bytes each.
constexpr std::size_t kMostPairsHeld = 16'000'000;

std::shared_ptr<RankedWord> keep(const engine::MetricRow& row, const engine::MetricSpace& space) {
    auto word = std::make_shared<RankedWord>();
    word->distances = engine::AlignedMatrix(1, space.paddedWords());
    std::copy_n(row.distances, space.paddedWords(), word->distances.row(0));
    word->row = row;
    word->row.distances = word->distances.row(0);
    word->ranked =
        engine::rankWords(row.word, {row.distances, static_cast<std::size_t>(space.wordCount())});
    word->neighbours = std::make_shared<const engine::Neighbourhood>(row.neighbours);
    return word;
}

ShownDistribution exactDistribution(const embedding::EmbeddingHandle& embedding,
                                    const RankedWord& word,
                                    const mechanism::TruncatedExponential& tem,
                                    const statistics::ExactStatistics& exact, int draws) {
    ShownDistribution shown;
    shown.embedding = embedding;
    shown.exact = true;
    shown.draws = draws;
    shown.kept = exact.nw;
    shown.near = draws * exact.near;
    shown.far = std::max(0.0, draws - shown.kept - shown.near);
    shown.distinct = exact.sw;
    shown.outputCount = static_cast<std::int64_t>(word.ranked.rows.size());
    // Probabilities fall with the distance, so the nearest words come first; p(w|w) = 1 / sum.
    const std::size_t listed = std::min(kListedOutputs, word.ranked.rows.size());
    for (std::size_t i = 0; i < listed; ++i) {
        const Row row = word.ranked.rows[i];
        const double share = exact.kept * std::exp(-tem.exponent(word.ranked.distances[i]));
        shown.outputs.push_back(
            {row, draws * share, statistics::classify(word.row.word, row, *word.neighbours)});
    }
    return shown;
}

void findCritical(RankedWord& word, const mechanism::Mechanism& mechanism,
                  const mechanism::Truncation& truncation,
                  statistics::ExactStatisticsOfWords& statistics) {
    if (!word.critical || word.criticalFor != mechanism) {
        word.critical = statistics.criticalEpsilon(word.row, truncation);
        word.criticalFor = mechanism;
    }
}

}  // namespace

void SelectionCache::setSpace(MetricSpaceHandle space) {
    if (space != m_space) {
        m_words.clear();
        m_space = std::move(space);
    }
}

Result<std::vector<std::shared_ptr<RankedWord>>> SelectionCache::words(const std::vector<Row>& rows,
                                                                       const JobContext& job) {
    std::vector<Row> missing;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(missing),
                 [this](Row row) { return !m_words.contains(row); });
    std::vector<std::shared_ptr<RankedWord>> found(missing.size());
    const std::size_t tasks = (missing.size() + kWordsPerTask - 1) / kWordsPerTask;
    parallelFor(static_cast<std::int64_t>(tasks), kAllThreads, [&](std::int64_t task) {
        const std::size_t first = static_cast<std::size_t>(task) * kWordsPerTask;
        const std::size_t count = std::min(kWordsPerTask, missing.size() - first);
        if (job.stopRequested()) {
            return;
        }
        engine::MetricRows measured(false);
        measured.load(*m_space, std::span(missing).subspan(first, count));
        for (std::size_t i = 0; i < count && !job.stopRequested(); ++i) {
            found[first + i] =
                keep(measured.finish(static_cast<std::int64_t>(i), kNearNeighbours), *m_space);
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    const auto pairs =
        (m_words.size() + missing.size()) * static_cast<std::size_t>(m_space->wordCount());
    std::vector<std::shared_ptr<RankedWord>> result;
    for (std::size_t i = 0; i < missing.size(); ++i) {
        m_words[missing[i]] = std::move(found[i]);
    }
    result.reserve(rows.size());
    for (const Row row : rows) {
        result.push_back(m_words.at(row));
    }
    if (pairs > kMostPairsHeld) {
        m_words.clear();
    }
    return result;
}

Result<OutputAnswer> selectionOutputs(const OutputRequest& request, const JobContext& job) {
    const mechanism::Mechanism& mechanism = request.setting.mechanism;
    SelectionCache& cache = *request.cache;
    ASSIGN_OR_RETURN(const auto form, mechanism.on(request.space->handle()));
    const auto& weights = std::get<mechanism::SelectionWeights>(form);
    ASSIGN_OR_RETURN(auto space,
                     request.spaces->get(request.space->handle(), weights.metric.metric(),
                                         weights.metric.lambda()));
    cache.setSpace(std::move(space));
    ASSIGN_OR_RETURN(const auto tem, weights.truncation.at(request.setting.epsilon));
    ASSIGN_OR_RETURN(const auto words, cache.words(request.words, job));
    const int draws = request.setting.draws;
    const std::vector<double> quantiles = engine::selectionQuantiles(request.setting.seed, draws);
    OutputAnswer answer{request.space, request.setting,
                        std::vector<WordOutputs>(request.words.size())};
    parallelFor(static_cast<std::int64_t>(words.size()), kAllThreads, [&](std::int64_t index) {
        if (job.stopRequested()) {
            return;
        }
        RankedWord& word = *words[static_cast<std::size_t>(index)];
        statistics::ExactStatisticsOfWords statistics(cache.space(), draws);
        findCritical(word, mechanism, weights.truncation, statistics);
        WordOutputs& outputs = answer.words[static_cast<std::size_t>(index)];
        outputs.word = word.row.word;
        outputs.critical = CriticalEpsilon{*word.critical, *word.critical, *word.critical};
        outputs.neighbours = word.neighbours;
        outputs.distribution = exactDistribution(request.space->handle(), word, tem,
                                                 statistics.compute(word.row, tem), draws);
        const engine::OutputQuantiles law(tem, word.ranked);
        for (const double quantile : quantiles) {
            outputs.draws.push_back(law.at(quantile));
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return answer;
}

}  // namespace epsilens::ui::live
