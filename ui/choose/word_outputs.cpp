#include "ui/choose/word_outputs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <QCoreApplication>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/calibration/exact_statistics.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_rows.h"
#include "core/engine/noise_series.h"
#include "core/engine/selection_draws.h"
#include "core/numeric/quantile.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::choose {

namespace {

constexpr std::size_t kWordsPerTask = 8;
constexpr std::size_t kListedOutputs = 40;
// (word, vocabulary word) pairs held, 16 bytes each.
constexpr std::size_t kMostPairsHeld = 16'000'000;
constexpr std::size_t kMostDrawsHeld = 400'000;

}  // namespace

struct OutputMaker::RankedWord {
    RankedWord(const engine::MetricRow& measured, const engine::MetricSpace& space)
        : ranked(engine::rankWords(
              measured.word, {measured.distances, static_cast<std::size_t>(space.wordCount())})),
          distances(1, space.paddedWords()),
          row(measured),
          neighbours(std::make_shared<const engine::Neighbourhood>(measured.neighbours)) {
        std::copy_n(measured.distances, space.paddedWords(), distances.row(0));
        row.distances = distances.row(0);
    }
    [[nodiscard]] ShownDistribution distribution(const mechanism::TruncatedExponential& tem,
                                                 const calibration::ExactStatistics& exact,
                                                 int draws) const;

    engine::RankedWords ranked;
    engine::AlignedMatrix distances;  ///< one row, what `row` points at
    engine::MetricRow row;
    NeighbourhoodHandle neighbours;
    mechanism::Mechanism halfKeptFor{};  ///< whose half-kept epsilon it is
    std::optional<double> halfKept{};
};

ShownDistribution OutputMaker::RankedWord::distribution(const mechanism::TruncatedExponential& tem,
                                                        const calibration::ExactStatistics& exact,
                                                        int draws) const {
    ShownDistribution shown;
    shown.exact = true;
    shown.draws = draws;
    shown.kept = exact.nw;
    shown.near = draws * exact.near;
    shown.far = std::max(0.0, draws - shown.kept - shown.near);
    shown.distinct = exact.sw;
    shown.outputCount = static_cast<std::int64_t>(ranked.rows.size());
    // Probabilities fall with the distance, so the nearest words come first; p(w|w) = 1 / sum.
    for (std::size_t i = 0; i < std::min(kListedOutputs, ranked.rows.size()); ++i) {
        const double share = exact.kept * std::exp(-tem.exponent(ranked.distances[i]));
        shown.outputs.push_back({ranked.rows[i], draws * share,
                                 calibration::classify(row.word, ranked.rows[i], *neighbours)});
    }
    return shown;
}

OutputMaker::OutputMaker(engine::SearchSpaceHandle space, std::shared_ptr<MetricSpaceCache> metrics)
    : m_space(std::move(space)), m_metrics(std::move(metrics)) {}

OutputMaker::~OutputMaker() = default;

Result<void> OutputMaker::followPaths(const std::vector<Row>& words, const JobContext& job) {
    const OutputSetting& setting = m_known.setting;
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(*m_space, setting.mechanism,
                                                             {setting.mechanism.lambda()}));
    ASSIGN_OR_RETURN(auto neighbours,
                     noiseNeighbours(*m_space, setting.mechanism, words, kNearNeighbours, job));
    ASSIGN_OR_RETURN(auto paths,
                     engine::computePaths(*series, words, {setting.draws, setting.seed}, job));
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::vector<double> critical;
        for (const engine::DrawPath& path : paths[i]) {
            critical.push_back(path.criticalEpsilon(words[i]));
        }
        std::ranges::sort(critical);
        WordOutputs word;
        word.word = words[i];
        word.paths = std::move(paths[i]);
        word.halfKept = numeric::quantileOfSorted(critical, 0.5);
        word.neighbours = std::make_shared<const engine::Neighbourhood>(std::move(neighbours[i]));
        m_known.words[words[i]] = std::make_shared<const WordOutputs>(std::move(word));
    }
    return {};
}

Result<void> OutputMaker::rank(const std::vector<Row>& words, const JobContext& job) {
    std::vector<Row> missing;
    std::ranges::copy_if(words, std::back_inserter(missing),
                         [this](Row row) { return !m_ranked.contains(row); });
    std::vector<std::shared_ptr<RankedWord>> found(missing.size());
    const std::size_t tasks = (missing.size() + kWordsPerTask - 1) / kWordsPerTask;
    parallelFor(static_cast<std::int64_t>(tasks), kAllThreads, [&](std::int64_t task) {
        const std::size_t first = static_cast<std::size_t>(task) * kWordsPerTask;
        const std::size_t count = std::min(kWordsPerTask, missing.size() - first);
        if (job.stopRequested()) {
            return;
        }
        engine::MetricRows measured(false);
        measured.load(*m_metric, std::span(missing).subspan(first, count));
        for (std::size_t i = 0; i < count && !job.stopRequested(); ++i) {
            found[first + i] = std::make_shared<RankedWord>(
                measured.finish(static_cast<std::int64_t>(i), kNearNeighbours), *m_metric);
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
        m_ranked[missing[i]] = std::move(found[i]);
    }
    return {};
}

Result<void> OutputMaker::select(const std::vector<Row>& words, const JobContext& job) {
    const OutputSetting& setting = m_known.setting;
    ASSIGN_OR_RETURN(const auto form, setting.mechanism.on(m_space->handle()));
    const auto& weights = std::get<mechanism::SelectionWeights>(form);
    ASSIGN_OR_RETURN(auto metric, m_metrics->get(m_space->handle(), weights.metric.metric(),
                                                 weights.metric.lambda()));
    if (metric != m_metric) {
        m_ranked.clear();
        m_metric = std::move(metric);
    }
    ASSIGN_OR_RETURN(const auto tem, weights.truncation.at(setting.epsilon));
    RETURN_IF_ERROR(rank(words, job));
    const auto quantiles = engine::selectionQuantiles(setting.seed, setting.draws);
    std::vector<std::shared_ptr<const WordOutputs>> made(words.size());
    parallelFor(static_cast<std::int64_t>(words.size()), kAllThreads, [&](std::int64_t index) {
        if (job.stopRequested()) {
            return;
        }
        RankedWord& word = *m_ranked.at(words[static_cast<std::size_t>(index)]);
        calibration::ExactStatisticsOfWords statistics(*m_metric, setting.draws);
        if (!word.halfKept || word.halfKeptFor != setting.mechanism) {
            word.halfKept = statistics.criticalEpsilon(word.row, weights.truncation);
            word.halfKeptFor = setting.mechanism;
        }
        auto outputs = std::make_shared<WordOutputs>();
        outputs->halfKept = *word.halfKept;
        outputs->neighbours = word.neighbours;
        outputs->distribution =
            word.distribution(tem, statistics.compute(word.row, tem), setting.draws);
        const engine::OutputQuantiles law(tem, word.ranked);
        for (const double quantile : quantiles) {
            outputs->draws.push_back(law.at(quantile));
        }
        made[static_cast<std::size_t>(index)] = std::move(outputs);
    });
    if (m_ranked.size() * static_cast<std::size_t>(m_metric->wordCount()) > kMostPairsHeld) {
        m_ranked.clear();
    }
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        m_known.words[words[i]] = std::move(made[i]);
    }
    return {};
}

Result<Outputs> OutputMaker::make(const OutputSetting& setting, const std::vector<Row>& words,
                                  const JobContext& job) {
    if (m_known.setting != setting) {
        m_known = {setting, {}};
    }
    std::vector<Row> missing;
    std::ranges::copy_if(words, std::back_inserter(missing),
                         [this](Row row) { return !m_known.words.contains(row); });
    if (!missing.empty()) {
        RETURN_IF_ERROR(setting.mechanism.isExact() ? select(missing, job)
                                                    : followPaths(missing, job));
    }
    if (m_known.words.size() * static_cast<std::size_t>(setting.draws) > kMostDrawsHeld) {
        std::erase_if(m_known.words, [&words](const auto& entry) {
            return !std::ranges::binary_search(words, entry.first);
        });
    }
    return m_known;
}

ShownDistribution::ShownDistribution(const calibration::OutputDistribution& sampled)
    : draws(sampled.draws),
      kept(sampled.kept),
      near(sampled.near),
      far(sampled.far),
      distinct(sampled.distinct()),
      outputCount(sampled.distinct()) {
    for (const auto& output : sampled.outputs) {
        outputs.push_back({output.row, static_cast<double>(output.count), output.outputClass});
    }
}

QString countText(const ShownDistribution& distribution, double count) {
    if (!distribution.exact) {
        return counted(std::llround(count));
    }
    if (count > 0.0 && count < kLeastShown) {
        return QCoreApplication::translate("ShownDistribution", "under 0.1");
    }
    constexpr double kThreeDigits = 99.95;
    return count >= kThreeDigits ? counted(std::llround(count)) : oneDecimal(count);
}

report::Hundredths hundredthsOf(const ShownDistribution& distribution) {
    const double draws = distribution.draws;
    return report::hundredthsOf(distribution.kept / draws, distribution.near / draws,
                                distribution.far / draws);
}

Row WordOutputs::output(int draw, double epsilon) const {
    const auto number = static_cast<std::size_t>(draw);
    return paths.empty() ? draws[number % draws.size()]
                         : paths[number % paths.size()].output(epsilon);
}

ShownDistribution WordOutputs::at(double epsilon) const {
    return paths.empty() ? distribution
                         : ShownDistribution(calibration::outputDistribution(
                               word, engine::outputsAt(paths, epsilon), *neighbours));
}

OutputQuery::Spec outputSpec(const QString& title, std::function<std::optional<OutputKey>()> key) {
    return {.title = title,
            .key = std::move(key),
            .make =
                [](const OutputKey& wanted, const JobContext& job) {
                    return wanted.maker->make(wanted.setting, wanted.words, job);
                },
            // While epsilon moves, a job that is stopped for each new key would never finish.
            .isWorthFinishing =
                [](const OutputKey& running, const OutputKey& wanted) {
                    OutputSetting setting = running.setting;
                    setting.epsilon = wanted.setting.epsilon;
                    return running.maker == wanted.maker && setting == wanted.setting &&
                           std::ranges::includes(wanted.words, running.words);
                }};
}

}  // namespace epsilens::ui::choose
