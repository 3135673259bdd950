#include "core/calibration/step_measurement.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/parallel.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/run_results.h"
#include "core/calibration/step_search.h"
#include "core/numeric/quantile.h"

namespace epsilens::calibration {
namespace {

// Statistics of this many words and epsilons are held at a time.
constexpr std::size_t kStatisticsAtOnce = std::size_t{1} << 19;
// How close a search between the steps comes to where a limit on K_w begins to fail.
constexpr double kStepTolerance = 1e-10;

}  // namespace

ShareSteps::ShareSteps(std::span<const WordSteps> words, std::span<const double> weights,
                       int draws) {
    struct Move {
        double t;
        double kept;
        double near;
    };
    std::vector<Move> moves;
    Move sum{0.0, 0.0, 0.0};
    const auto add = [](Move& move, OutputClass output, double weight) {
        move.kept += output == OutputClass::kept ? weight : 0.0;
        move.near += output == OutputClass::near ? weight : 0.0;
    };
    for (std::size_t word = 0; word < words.size(); ++word) {
        const std::vector<StepOutput>& outputs = words[word].outputs;
        m_all += weights[word] * draws;
        add(sum, outputs.front().outputClass, weights[word] * draws);
        for (const OutputChange& change : words[word].changes) {
            const OutputClass from = outputs[change.from].outputClass;
            const OutputClass to = outputs[change.to].outputClass;
            if (from != to) {
                Move& move = moves.emplace_back(Move{change.t, 0.0, 0.0});
                add(move, from, -weights[word]);
                add(move, to, weights[word]);
            }
        }
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& a, const Move& b) { return a.t < b.t; });
    m_kept.push_back(sum.kept);
    m_near.push_back(sum.near);
    for (const Move& move : moves) {
        m_t.push_back(move.t);
        m_kept.push_back(m_kept.back() + move.kept);
        m_near.push_back(m_near.back() + move.near);
    }
}

std::size_t ShareSteps::placeOf(double t) const {
    return static_cast<std::size_t>(std::upper_bound(m_t.begin(), m_t.end(), t) - m_t.begin());
}

OutputShares ShareSteps::at(double epsilon) const {
    const std::size_t place = placeOf(1.0 / epsilon);
    // Sums of weights that are no whole numbers leave a trace of rounding.
    const double kept = std::clamp(m_kept[place] / m_all, 0.0, 1.0);
    const double near = std::clamp(m_near[place] / m_all, 0.0, 1.0 - kept);
    return {kept, near, 1.0 - kept - near};
}

bool ShareSteps::moveWithin(EpsilonSpan span) const {
    return placeOf(1.0 / span.high) != placeOf(1.0 / span.low);
}

StepMeasurement::StepMeasurement(MeasurementBasis basis, std::vector<WordSteps> steps)
    : Measurement(std::move(basis)),
      m_steps(std::move(steps)),
      m_logs(options().draws),
      m_shares(m_steps, weights(), options().draws) {
    std::vector<double> halfKept;
    std::vector<double> critical;
    for (const WordSteps& word : m_steps) {
        const std::vector<double> own = word.criticalEpsilons(options().draws);
        halfKept.push_back(numeric::quantileOfSorted(own, 0.5));
        critical.insert(critical.end(), own.begin(), own.end());
    }
    setScale(
        std::move(halfKept),
        engine::rangeOfCriticals(std::move(critical), static_cast<std::int64_t>(m_steps.size())));
}

StepTally StepMeasurement::tallyAt(std::size_t word, double epsilon) const {
    StepTally tally(m_steps[word], m_logs);
    tally.advanceTo(1.0 / epsilon);
    return tally;
}

MeasuredWord StepMeasurement::wordAt(std::size_t word, double epsilon) const {
    const StepTally tally = tallyAt(word, epsilon);
    return {static_cast<double>(tally.kept()), static_cast<double>(tally.distinct()),
            static_cast<double>(tally.near())};
}

std::vector<MeasuredOutput> StepMeasurement::outputsAt(std::size_t word, double epsilon,
                                                       std::size_t most) const {
    const StepTally tally = tallyAt(word, epsilon);
    std::vector<MeasuredOutput> outputs;
    for (std::size_t i = 0; i < tally.counts().size(); ++i) {
        if (tally.counts()[i] > 0) {
            const StepOutput& output = m_steps[word].outputs[i];
            outputs.push_back(
                {output.row, static_cast<double>(tally.counts()[i]), output.outputClass});
        }
    }
    std::sort(outputs.begin(), outputs.end(), [](const auto& a, const auto& b) {
        return a.count > b.count || (a.count == b.count && a.row < b.row);
    });
    outputs.resize(std::min(most, outputs.size()));
    return outputs;
}

// epsilons x words
std::vector<WordStatistics> StepMeasurement::statisticsAt(std::span<const double> falling) const {
    std::vector<WordStatistics> statistics(falling.size() * m_steps.size());
    parallelFor(static_cast<std::int64_t>(m_steps.size()), options().threads,
                [&](std::int64_t index) {
                    const auto word = static_cast<std::size_t>(index);
                    StepTally tally(m_steps[word], m_logs);
                    for (std::size_t e = 0; e < falling.size(); ++e) {
                        tally.advanceTo(1.0 / falling[e]);
                        statistics[e * m_steps.size() + word] = tally.statistics();
                    }
                });
    return statistics;
}

Summary StepMeasurement::kwAt(double epsilon) const {
    std::vector<CountedOutputs> outputs;
    for (std::size_t word = 0; word < m_steps.size(); ++word) {
        outputs.push_back(tallyAt(word, epsilon).countedOutputs());
    }
    const std::vector<std::int32_t> shared = sharedOutputs(outputs);
    return calibration::summarize(std::vector<float>(shared.begin(), shared.end()));
}

std::vector<Cell> StepMeasurement::cells(std::span<const double> epsilons, bool withKw) const {
    std::vector<std::size_t> order(epsilons.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return epsilons[a] > epsilons[b]; });
    std::vector<Cell> cells(epsilons.size());
    const std::size_t atOnce = std::max(std::size_t{1}, kStatisticsAtOnce / m_steps.size());
    for (std::size_t first = 0; first < order.size(); first += atOnce) {
        const auto places = std::span(order).subspan(first, std::min(atOnce, order.size() - first));
        std::vector<double> falling;
        for (const std::size_t place : places) {
            falling.push_back(epsilons[place]);
        }
        const std::vector<WordStatistics> words = statisticsAt(falling);
        parallelFor(
            static_cast<std::int64_t>(places.size()), options().threads, [&](std::int64_t index) {
                const auto e = static_cast<std::size_t>(index);
                CellResults results(options().draws);
                results.addWords(std::span(words).subspan(e * m_steps.size(), m_steps.size()));
                cells[places[e]] =
                    results.summarizeWithoutIntervals(falling[e], options().mechanism.lambda());
                if (withKw) {
                    cells[places[e]].kw = kwAt(falling[e]);
                }
            });
    }
    return cells;
}

Result<EpsilonFound> StepMeasurement::findLargest(const std::vector<Limit>& limits,
                                                  const std::optional<EpsilonSpan>& bounds,
                                                  const JobContext& job) const {
    const EpsilonSpan span = bounds.value_or(spanOfSteps(m_steps, origin()));
    const bool hasKw = std::any_of(limits.begin(), limits.end(), [](const Limit& limit) {
        return limit.statistic == LimitStatistic::kw;
    });
    if (!hasKw || !options().independentDraws) {
        return findLargestOnSteps(m_steps, m_logs, limits, span, job);
    }
    CellSource source;
    source.cells = [&](std::span<const double> epsilons,
                       const JobContext& /*job*/) -> Result<std::vector<Cell>> {
        return cells(epsilons, true);
    };
    source.origin = origin();
    source.searched = span;
    source.keptRises = true;
    source.farFalls = true;
    source.tolerance = kStepTolerance;
    return findLargestEpsilon(source, limits, options().draws,
                              static_cast<std::int64_t>(m_steps.size()), job);
}

}  // namespace epsilens::calibration
