#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/numbers.h"
#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/measurement.h"
#include "core/calibration/run_results.h"
#include "core/calibration/word_steps.h"
#include "core/engine/noise_series.h"
#include "core/numeric/quantile.h"

namespace epsilens::calibration {
namespace {

// Statistics of this many words and epsilons are held at a time.
constexpr std::size_t kStatisticsAtOnce = std::size_t{1} << 19;
// How close a search between the steps comes to where a limit on K_w begins to fail.
constexpr double kStepTolerance = 1e-10;
constexpr int kLeastDigits = 6;
constexpr int kMostDigits = 17;
// How far an epsilon keeps from the end of a step, relative to it: other computations of the same
// step round in another way.
constexpr double kApart = 1e-9;
// Changes between two looks at the stop token.
constexpr std::size_t kChangesAtOnce = 4096;

/// Values of words that change one at a time, with their mean and quantiles at any moment.
class RankedValues {
public:
    /// possible  every value that will be added, rising, distinct
    explicit RankedValues(std::vector<float> possible)
        : m_possible(std::move(possible)), m_tree(m_possible.size() + 1) {
        while (2 * m_top <= m_possible.size()) {
            m_top *= 2;
        }
    }

    /// Adds a value so often, or removes one that was added. The value must be possible.
    void change(float value, std::int64_t by) {
        const auto place = std::ranges::lower_bound(m_possible, value);
        auto index = static_cast<std::size_t>(place - m_possible.begin()) + 1;
        for (; index < m_tree.size(); index += index & (~index + 1)) {
            m_tree[index] += by;
        }
        m_count += by;
        m_sum += static_cast<double>(by) * static_cast<double>(value);
    }

    /// Of at least one value.
    [[nodiscard]] double mean() const { return m_sum / static_cast<double>(m_count); }
    /// Hyndman-Fan type 7, as numeric::quantileOfSorted; of at least one value.
    [[nodiscard]] double quantile(double probability) const {
        const double position = static_cast<double>(m_count - 1) * probability;
        const auto below = static_cast<std::int64_t>(position);
        const std::array around{valueAt(below), valueAt(std::min(below + 1, m_count - 1))};
        return numeric::quantileOfSorted(around, position - static_cast<double>(below));
    }

private:
    // The order statistic of a rank in [0, count).
    [[nodiscard]] double valueAt(std::int64_t rank) const {
        std::size_t index = 0;
        for (std::size_t step = m_top; step > 0; step /= 2) {
            if (index + step < m_tree.size() && m_tree[index + step] <= rank) {
                index += step;
                rank -= m_tree[index];
            }
        }
        return static_cast<double>(m_possible[index]);
    }

    std::vector<float> m_possible;
    std::vector<std::int64_t> m_tree;  ///< Fenwick tree of the counts of the possible values
    std::size_t m_top = 1;             ///< largest power of two within its length
    std::int64_t m_count = 0;
    double m_sum = 0.0;
};

/// A change of one word among those of all words.
struct Event {
    double t = 0.0;
    std::uint32_t word = 0;
};

/// A statistic per word that limits look at, over all words.
struct Aggregate {
    LimitStatistic statistic;
    RankedValues values;
};

/// Every t = 1 / epsilon from `from` up to but without `to`, or with it where nothing changes
/// there: all of them have the same outputs.
struct Step {
    double from = 0.0;
    double to = 0.0;
    bool changesAtEnd = false;
};

float valueOf(const StepTally& tally, LimitStatistic statistic) {
    switch (statistic) {
        case LimitStatistic::sw:
            return static_cast<float>(tally.distinct());
        case LimitStatistic::minEntropy:
            return static_cast<float>(tally.minEntropy());
        case LimitStatistic::shannonEntropy:
            return static_cast<float>(tally.shannonEntropy());
        default:
            return static_cast<float>(tally.kept());
    }
}

/// Every value that a statistic can take at some epsilon, rising.
std::vector<float> possibleValues(std::span<const WordSteps> steps, const CountLogs& logs,
                                  LimitStatistic statistic) {
    std::vector<float> values(static_cast<std::size_t>(logs.draws()) + 1);
    std::iota(values.begin(), values.end(), 0.0F);
    if (statistic != LimitStatistic::minEntropy && statistic != LimitStatistic::shannonEntropy) {
        return values;
    }
    values.clear();
    for (const WordSteps& word : steps) {
        StepTally tally(word, logs);
        values.push_back(valueOf(tally, statistic));
        while (!tally.isAtEnd()) {
            tally.advance();
            values.push_back(valueOf(tally, statistic));
        }
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// The largest number with few digits in [least, most].
double shortestBelow(double most, double least) {
    for (int digits = kLeastDigits; digits < kMostDigits; ++digits) {
        const double shorter = roundedDown(most, digits);
        if (shorter >= least) {
            return shorter;
        }
    }
    return most;
}

/// The largest epsilon of a span at which all limits are met, exactly: every step is looked at,
/// from the largest epsilon down. The epsilon found has as few digits as the step allows, rounded
/// down; `above` lies 1e-9 beyond the step. There are steps of at least one word, and limits, none
/// on K_w.
class StepSearch {
public:
    StepSearch(std::span<const WordSteps> steps, const CountLogs& logs,
               const std::vector<Limit>& limits, const EpsilonSpan& span, const JobContext& job)
        : m_steps(steps),
          m_draws(logs.draws()),
          m_limits(limits),
          m_span(span),
          m_job(job),
          m_first(1.0 / span.high),
          m_last(1.0 / span.low),
          m_hasMeans(std::ranges::any_of(limits, [](const Limit& limit) {
              return limit.statistic == LimitStatistic::meanDistance ||
                     limit.statistic == LimitStatistic::meanCosine;
          })) {
        for (std::size_t word = 0; word < steps.size(); ++word) {
            m_tallies.emplace_back(steps[word], logs);
            m_tallies.back().advanceTo(m_first);
            m_kept += m_tallies.back().kept();
            m_near += m_tallies.back().near();
            const WordStatistics statistics = m_tallies.back().statistics();
            m_distances += statistics.distanceSum;
            m_cosineSum += statistics.cosineSum;
            m_cosines += statistics.cosines;
            for (const OutputChange& change : steps[word].changes.front()) {
                if (change.t > m_first && change.t <= m_last) {
                    m_events.push_back({change.t, static_cast<std::uint32_t>(word)});
                }
            }
        }
        std::ranges::sort(m_events, {},
                          [](const Event& event) { return std::pair(event.t, event.word); });
        for (const Limit& limit : limits) {
            addAggregate(limit.statistic, logs);
        }
    }

    Result<EpsilonFound> run() {
        EpsilonFound found;
        Step step{m_first, m_last, false};
        Step closest;
        std::optional<LimitCheck> above;
        double missed = 0.0;
        double least = std::numeric_limits<double>::infinity();
        bool isNew = true;
        for (std::size_t next = 0;;) {
            step.changesAtEnd = next < m_events.size();
            step.to = step.changesAtEnd ? m_events[next].t : m_last;
            if (isNew) {
                ASSIGN_OR_RETURN(const auto worst, mostMissedHere());
                if (!worst) {
                    return metIn(step, above);
                }
                above = worst;
                missed = shareMissed(*worst, m_draws, words());
            }
            // Of equal ones the smallest epsilon.
            if (missed <= least) {
                least = missed;
                found.binding = above;
                closest = step;
            }
            if (!step.changesAtEnd) {
                found.closest = closest.changesAtEnd ? epsilonIn(closest) : m_span.low;
                return found;
            }
            step.from = step.to;
            isNew = false;
            for (; next < m_events.size() && m_events[next].t == step.from; ++next) {
                isNew = apply(m_events[next].word) || isNew;
                if (next % kChangesAtOnce == 0) {
                    RETURN_IF_ERROR(m_job.checkStop());
                    m_job.progress(next, m_events.size(), "Searching");
                }
            }
        }
    }

private:
    [[nodiscard]] std::int64_t words() const { return std::ssize(m_steps); }
    [[nodiscard]] double outputs() const { return static_cast<double>(words()) * m_draws; }

    void addAggregate(LimitStatistic statistic, const CountLogs& logs) {
        if (memberOf(statistic) == nullptr ||
            std::ranges::find(m_aggregates, statistic, &Aggregate::statistic) !=
                m_aggregates.end()) {
            return;
        }
        RankedValues values(possibleValues(m_steps, logs, statistic));
        for (const StepTally& tally : m_tallies) {
            values.change(valueOf(tally, statistic), 1);
        }
        m_aggregates.push_back({statistic, std::move(values)});
    }

    /// Returns whether anything changes that limits look at.
    bool apply(std::uint32_t word) {
        StepTally& tally = m_tallies[word];
        const int kept = tally.kept();
        const int near = tally.near();
        m_before.clear();
        for (const Aggregate& aggregate : m_aggregates) {
            m_before.push_back(valueOf(tally, aggregate.statistic));
        }
        const auto [from, to] = tally.advance();
        m_kept += tally.kept() - kept;
        m_near += tally.near() - near;
        m_distances += to.distance - from.distance;
        m_cosineSum += to.cosine - from.cosine;
        m_cosines += static_cast<int>(to.hasCosine) - static_cast<int>(from.hasCosine);
        bool changed = m_hasMeans || tally.kept() != kept || tally.near() != near;
        for (std::size_t i = 0; i < m_aggregates.size(); ++i) {
            const float after = valueOf(tally, m_aggregates[i].statistic);
            if (after != m_before[i]) {
                m_aggregates[i].values.change(m_before[i], -1);
                m_aggregates[i].values.change(after, 1);
                changed = true;
            }
        }
        return changed;
    }

    [[nodiscard]] Result<std::optional<LimitCheck>> mostMissedHere() const {
        Cell cell;
        cell.kept = static_cast<double>(m_kept) / outputs();
        cell.near = static_cast<double>(m_near) / outputs();
        cell.far =
            (outputs() - static_cast<double>(m_kept) - static_cast<double>(m_near)) / outputs();
        cell.meanDistance = m_distances / outputs();
        if (m_cosines > 0) {
            cell.meanCosine = m_cosineSum / static_cast<double>(m_cosines);
        }
        for (const Aggregate& aggregate : m_aggregates) {
            for (const Limit& limit : m_limits) {
                const auto probability = probabilityOf(limit.aggregate);
                cell.*memberOf(aggregate.statistic).*memberOf(limit.aggregate) =
                    probability ? aggregate.values.quantile(*probability) : aggregate.values.mean();
            }
        }
        return checkLimits(m_limits, cell, m_draws)
            .map([this](const std::vector<LimitCheck>& checks) {
                return mostMissed(checks, m_draws, words());
            });
    }

    [[nodiscard]] static double epsilonIn(const Step& step) {
        double most = 1.0 / step.from;
        while (1.0 / most < step.from) {
            most = std::nextafter(most, 0.0);
        }
        double least = 1.0 / step.to;
        while (step.changesAtEnd ? 1.0 / least >= step.to : 1.0 / least > step.to) {
            least = std::nextafter(least, std::numeric_limits<double>::infinity());
        }
        // Steps may lie closer together than numbers do.
        const double apart = most * (1.0 - kApart);
        return shortestBelow(apart >= least ? apart : most, std::min(least, most));
    }

    [[nodiscard]] static EpsilonFound metIn(const Step& step,
                                            const std::optional<LimitCheck>& above) {
        EpsilonFound found;
        found.epsilon = epsilonIn(step);
        found.binding = above;
        if (above) {
            found.above = (1.0 + kApart) / step.from;
        }
        return found;
    }

    std::span<const WordSteps> m_steps;
    int m_draws;
    const std::vector<Limit>& m_limits;
    EpsilonSpan m_span;
    const JobContext& m_job;
    double m_first;  ///< least and largest t of the span
    double m_last;
    std::vector<StepTally> m_tallies{};
    std::vector<Event> m_events{};  ///< rising t
    std::vector<Aggregate> m_aggregates{};
    std::vector<float> m_before{};  ///< values of a word before a change
    std::int64_t m_kept = 0;
    std::int64_t m_near = 0;
    bool m_hasMeans;  ///< whether a limit looks at the next ones
    double m_distances = 0.0;
    double m_cosineSum = 0.0;
    std::int64_t m_cosines = 0;
};

/// Between the least and the largest change of the steps nothing is missed: half the one, twice the
/// other, both counted from the origin.
EpsilonSpan spanOfSteps(std::span<const WordSteps> steps, double origin) {
    double least = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (const WordSteps& word : steps) {
        if (const std::vector<OutputChange>& changes = word.changes.front(); !changes.empty()) {
            least = std::min(least, changes.front().t);
            largest = std::max(largest, changes.back().t);
        }
    }
    if (largest == 0.0) {
        return {origin + 0.5, origin + 1.0};
    }
    return {origin + 0.5 * (1.0 / largest - origin), origin + 2.0 * (1.0 / least - origin)};
}

/// Shares of the outputs of weighted words as step functions of t = 1/epsilon.
class ShareSteps {
public:
    /// weights  one per word
    ShareSteps(std::span<const WordSteps> words, std::span<const double> weights, int draws) {
        const auto add = [](Sums& sums, OutputClass output, double weight) {
            sums.kept += output == OutputClass::kept ? weight : 0.0;
            sums.near += output == OutputClass::near ? weight : 0.0;
        };
        m_sums.emplace_back();
        for (std::size_t word = 0; word < words.size(); ++word) {
            const std::vector<StepOutput>& outputs = words[word].outputs;
            m_all += weights[word] * draws;
            add(m_sums.front(), outputs.front().outputClass, weights[word] * draws);
            std::vector<OutputClass> classes(static_cast<std::size_t>(draws),
                                             outputs.front().outputClass);
            for (const OutputChange& change : words[word].changes.front()) {
                const OutputClass to = outputs[static_cast<std::size_t>(change.to)].outputClass;
                const OutputClass from = std::exchange(classes[change.draw], to);
                if (from != to) {
                    Sums& move = m_sums.emplace_back(Sums{change.t, 0.0, 0.0});
                    add(move, from, -weights[word]);
                    add(move, to, weights[word]);
                }
            }
        }
        std::ranges::stable_sort(m_sums, {}, &Sums::t);
        for (std::size_t i = 1; i < m_sums.size(); ++i) {
            m_sums[i].kept += m_sums[i - 1].kept;
            m_sums[i].near += m_sums[i - 1].near;
        }
    }

    [[nodiscard]] OutputShares at(double epsilon) const {
        const auto sums = std::ranges::upper_bound(m_sums, 1.0 / epsilon, {}, &Sums::t) - 1;
        // Sums of weights that are no whole numbers leave a trace of rounding.
        const double kept = std::clamp(sums->kept / m_all, 0.0, 1.0);
        const double near = std::clamp(sums->near / m_all, 0.0, 1.0 - kept);
        return {kept, near, 1.0 - kept - near};
    }

private:
    /// Weighted counts from t on.
    struct Sums {
        double t = 0.0;
        double kept = 0.0;
        double near = 0.0;
    };

    std::vector<Sums> m_sums{};  ///< rising t, the first of 0
    double m_all = 0.0;
};

/// A noise mechanism whose draws have paths.
class StepMeasurement final : public Measurement {
public:
    /// steps  of the words of the basis, in their order
    StepMeasurement(MeasurementBasis basis, std::vector<WordSteps> steps)
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
        setScale(std::move(halfKept),
                 engine::rangeOfCriticals(std::move(critical), std::ssize(m_steps)));
    }

    [[nodiscard]] OutputShares sharesAt(double epsilon) const override {
        return m_shares.at(epsilon);
    }
    [[nodiscard]] std::vector<Cell> cellsAt(std::span<const double> epsilons) const override {
        return cells(epsilons, false);
    }

    [[nodiscard]] MeasuredWord wordAt(std::size_t word, double epsilon) const override {
        const StepTally tally = tallyAt(word, epsilon);
        return {static_cast<double>(tally.kept()), static_cast<double>(tally.distinct()),
                static_cast<double>(tally.near())};
    }

    [[nodiscard]] std::vector<MeasuredOutput> outputsAt(std::size_t word, double epsilon,
                                                        std::size_t most) const override {
        const StepTally tally = tallyAt(word, epsilon);
        std::vector<MeasuredOutput> outputs;
        for (std::size_t i = 0; i < tally.counts().size(); ++i) {
            if (tally.counts()[i] > 0) {
                const StepOutput& output = m_steps[word].outputs[i];
                outputs.push_back(
                    {output.row, static_cast<double>(tally.counts()[i]), output.outputClass});
            }
        }
        std::ranges::sort(outputs, [](const auto& a, const auto& b) {
            return a.count > b.count || (a.count == b.count && a.row < b.row);
        });
        outputs.resize(std::min(most, outputs.size()));
        return outputs;
    }

    [[nodiscard]] Result<EpsilonFound> findLargest(const std::vector<Limit>& limits,
                                                   const std::optional<EpsilonSpan>& bounds,
                                                   const JobContext& job) const override {
        const EpsilonSpan span = bounds.value_or(spanOfSteps(m_steps, origin()));
        const bool hasKw =
            std::ranges::find(limits, LimitStatistic::kw, &Limit::statistic) != limits.end();
        if (!hasKw || !options().independentDraws) {
            ASSIGN_OR_RETURN(auto found, StepSearch(m_steps, m_logs, limits, span, job).run());
            found.searched = span;
            found.everywhere = true;
            return found;
        }
        CellSource source;
        source.cells = [&](std::span<const double> epsilons) { return cells(epsilons, true); };
        source.draws = options().draws;
        source.words = std::ssize(m_steps);
        source.origin = origin();
        source.searched = span;
        source.farFalls = true;
        source.tolerance = kStepTolerance;
        return findLargestEpsilon(source, limits, job);
    }

private:
    [[nodiscard]] StepTally tallyAt(std::size_t word, double epsilon) const {
        StepTally tally(m_steps[word], m_logs);
        tally.advanceTo(1.0 / epsilon);
        return tally;
    }

    // epsilons x words
    [[nodiscard]] std::vector<WordStatistics> statisticsAt(std::span<const double> falling) const {
        std::vector<WordStatistics> statistics(falling.size() * m_steps.size());
        parallelFor(std::ssize(m_steps), options().threads, [&](std::int64_t index) {
            const auto word = static_cast<std::size_t>(index);
            StepTally tally(m_steps[word], m_logs);
            for (std::size_t e = 0; e < falling.size(); ++e) {
                tally.advanceTo(1.0 / falling[e]);
                statistics[e * m_steps.size() + word] = tally.statistics();
            }
        });
        return statistics;
    }

    [[nodiscard]] Summary kwAt(double epsilon) const {
        std::vector<CountedOutputs> outputs;
        for (std::size_t word = 0; word < m_steps.size(); ++word) {
            outputs.push_back(tallyAt(word, epsilon).countedOutputs());
        }
        const std::vector<std::int32_t> shared = sharedOutputs(outputs);
        return calibration::summarize(std::vector<float>(shared.begin(), shared.end()));
    }

    [[nodiscard]] std::vector<Cell> cells(std::span<const double> epsilons, bool withKw) const {
        const auto order = ordered(epsilons.size(), [&](std::size_t i) { return -epsilons[i]; });
        std::vector<Cell> cells(epsilons.size());
        const std::size_t atOnce = std::max(std::size_t{1}, kStatisticsAtOnce / m_steps.size());
        for (std::size_t first = 0; first < order.size(); first += atOnce) {
            const auto places = partFrom(order, first, atOnce);
            std::vector<double> falling;
            for (const std::size_t place : places) {
                falling.push_back(epsilons[place]);
            }
            const std::vector<WordStatistics> words = statisticsAt(falling);
            parallelFor(std::ssize(places), options().threads, [&](std::int64_t index) {
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

    std::vector<WordSteps> m_steps;
    CountLogs m_logs;
    ShareSteps m_shares;
};

}  // namespace

Result<MeasurementHandle> measureSteps(const engine::SearchSpace& space, MeasurementBasis basis,
                                       Crew* crew, const JobContext& job) {
    const MeasurementOptions& options = basis.options;
    ASSIGN_OR_RETURN(
        const auto series,
        engine::createSeries(space, options.mechanism, options.calibration().grid.usedLambdas()));
    ASSIGN_OR_RETURN(auto steps, gatherSteps(*series, options,
                                             inRunOrder(basis.words, options.seed), crew, job));
    std::ranges::sort(steps, {}, &WordSteps::word);
    return std::make_shared<const StepMeasurement>(std::move(basis), std::move(steps));
}

}  // namespace epsilens::calibration
