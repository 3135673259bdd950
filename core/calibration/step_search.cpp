#include "core/calibration/step_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/numeric/quantile.h"

namespace epsilens::calibration {
namespace {

/// Values of words that change one at a time, with their mean and quantiles at any moment.
class RankedValues {
public:
    /// possible  every value that will be added, rising, distinct
    explicit RankedValues(std::vector<float> possible);

    /// The value must be possible.
    void add(float value) { change(value, 1); }
    /// The value must have been added.
    void remove(float value) { change(value, -1); }

    /// Of at least one value.
    [[nodiscard]] double mean() const { return m_sum / static_cast<double>(m_count); }
    /// Hyndman-Fan type 7, as numeric::quantileOfSorted; of at least one value.
    [[nodiscard]] double quantile(double probability) const;

private:
    void change(float value, std::int64_t by);
    [[nodiscard]] double valueAt(std::int64_t rank) const;

    std::vector<float> m_possible;
    std::vector<std::int64_t> m_tree;  ///< Fenwick tree of the counts of the possible values
    std::size_t m_top = 1;             ///< largest power of two within its length
    std::int64_t m_count = 0;
    double m_sum = 0.0;
};

RankedValues::RankedValues(std::vector<float> possible)
    : m_possible(std::move(possible)), m_tree(m_possible.size() + 1) {
    while (2 * m_top <= m_possible.size()) {
        m_top *= 2;
    }
}

void RankedValues::change(float value, std::int64_t by) {
    const auto place = std::lower_bound(m_possible.begin(), m_possible.end(), value);
    auto index = static_cast<std::size_t>(place - m_possible.begin()) + 1;
    for (; index < m_tree.size(); index += index & (~index + 1)) {
        m_tree[index] += by;
    }
    m_count += by;
    m_sum += static_cast<double>(by) * static_cast<double>(value);
}

// The order statistic of a rank in [0, count).
double RankedValues::valueAt(std::int64_t rank) const {
    std::size_t index = 0;
    for (std::size_t step = m_top; step > 0; step /= 2) {
        if (index + step < m_tree.size() && m_tree[index + step] <= rank) {
            index += step;
            rank -= m_tree[index];
        }
    }
    return static_cast<double>(m_possible[index]);
}

double RankedValues::quantile(double probability) const {
    const double position = static_cast<double>(m_count - 1) * probability;
    const auto below = static_cast<std::int64_t>(position);
    const std::array around{valueAt(below), valueAt(std::min(below + 1, m_count - 1))};
    return numeric::quantileOfSorted(around, position - static_cast<double>(below));
}

constexpr int kLeastDigits = 6;
constexpr int kMostDigits = 17;
// How far an epsilon keeps from the end of a step, relative to it: other computations of the same
// step round in another way.
constexpr double kApart = 1e-9;
// Changes between two looks at the stop token.
constexpr std::size_t kChangesAtOnce = 4096;

/// A change of one word among those of all words.
struct Event {
    double t = 0.0;
    std::uint32_t word = 0;
};

/// A statistic per word that limits look at, over all words.
struct Aggregate {
    Summary Cell::*summary;
    float (*value)(const StepTally& tally);
    RankedValues values;
};

/// Every t = 1 / epsilon from `from` up to but without `to`, or with it where nothing changes
/// there: all of them have the same outputs.
struct Step {
    double from = 0.0;
    double to = 0.0;
    bool changesAtEnd = false;
};

float kept(const StepTally& tally) {
    return static_cast<float>(tally.kept());
}
float distinct(const StepTally& tally) {
    return static_cast<float>(tally.distinct());
}
float minEntropy(const StepTally& tally) {
    return static_cast<float>(tally.minEntropy());
}
float shannonEntropy(const StepTally& tally) {
    return static_cast<float>(tally.shannonEntropy());
}

/// Every value that a count of draws can take.
std::vector<float> countsUpTo(int draws) {
    std::vector<float> counts(static_cast<std::size_t>(draws) + 1);
    std::iota(counts.begin(), counts.end(), 0.0F);
    return counts;
}

/// Every value that a statistic takes at some epsilon.
std::vector<float> valuesOf(std::span<const WordSteps> steps, const CountLogs& logs,
                            float (*value)(const StepTally& tally)) {
    std::vector<float> values;
    for (const WordSteps& word : steps) {
        StepTally tally(word, logs);
        values.push_back(value(tally));
        while (!tally.isAtEnd()) {
            tally.advance();
            values.push_back(value(tally));
        }
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// The largest number with few digits in [least, most].
double shortestBelow(double most, double least) {
    for (int digits = kLeastDigits; digits < kMostDigits; ++digits) {
        const double scale = std::pow(10.0, std::floor(std::log10(most)) - (digits - 1));
        const double down = std::floor(most / scale) * scale;
        const double shorter = parseNumber(formatSignificant(down, digits), "epsilon").value_or(0);
        if (shorter <= most && shorter >= least) {
            return shorter;
        }
    }
    return most;
}

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
          m_last(1.0 / span.low) {
        for (std::size_t word = 0; word < steps.size(); ++word) {
            m_tallies.emplace_back(steps[word], logs);
            m_tallies.back().advanceTo(m_first);
            m_kept += m_tallies.back().kept();
            m_near += m_tallies.back().near();
            for (const OutputChange& change : steps[word].changes) {
                if (change.t > m_first && change.t <= m_last) {
                    m_events.push_back({change.t, static_cast<std::uint32_t>(word)});
                }
            }
        }
        std::sort(m_events.begin(), m_events.end(), [](const Event& a, const Event& b) {
            return a.t < b.t || (a.t == b.t && a.word < b.word);
        });
        for (const Limit& limit : limits) {
            addAggregate(limit.statistic, logs);
        }
    }

    Result<EpsilonFound> run() {
        Step step{m_first, m_last, false};
        std::vector<LimitCheck> above;
        std::vector<LimitCheck> closest;
        Step closestStep;
        double missed = 0.0;
        double least = std::numeric_limits<double>::infinity();
        bool isNew = true;
        for (std::size_t next = 0;;) {
            step.changesAtEnd = next < m_events.size();
            step.to = step.changesAtEnd ? m_events[next].t : m_last;
            if (isNew) {
                ASSIGN_OR_RETURN(auto checks, check());
                if (allMet(checks)) {
                    return metIn(step, above);
                }
                above = std::move(checks);
                missed = shortfall(above);
                if (missed <= least) {
                    closest = above;
                }
            }
            // Of equal ones the smallest epsilon.
            if (missed <= least) {
                least = missed;
                closestStep = step;
            }
            if (!step.changesAtEnd) {
                return nowhere(closest, closestStep);
            }
            step.from = step.to;
            isNew = false;
            for (; next < m_events.size() && m_events[next].t == step.from; ++next) {
                isNew = apply(m_events[next].word) || isNew;
                if (next % kChangesAtOnce == 0) {
                    if (m_job.stopRequested()) {
                        return fail(ErrorCode::cancelled, "cancelled");
                    }
                    m_job.progress(static_cast<double>(next) / static_cast<double>(m_events.size()),
                                   "Searching");
                }
            }
        }
    }

private:
    [[nodiscard]] std::int64_t words() const { return static_cast<std::int64_t>(m_steps.size()); }
    [[nodiscard]] double outputs() const { return static_cast<double>(words()) * m_draws; }

    void addAggregate(LimitStatistic statistic, const CountLogs& logs) {
        Summary Cell::*const summary = memberOf(statistic);
        if (summary == nullptr ||
            std::ranges::find(m_aggregates, summary, &Aggregate::summary) != m_aggregates.end()) {
            return;
        }
        const auto value = statistic == LimitStatistic::sw               ? distinct
                           : statistic == LimitStatistic::minEntropy     ? minEntropy
                           : statistic == LimitStatistic::shannonEntropy ? shannonEntropy
                                                                         : kept;
        const bool isCount = value == kept || value == distinct;
        RankedValues values(isCount ? countsUpTo(m_draws) : valuesOf(m_steps, logs, value));
        for (const StepTally& tally : m_tallies) {
            values.add(value(tally));
        }
        m_aggregates.push_back({summary, value, std::move(values)});
    }

    /// Returns whether anything changes that limits look at.
    bool apply(std::uint32_t word) {
        StepTally& tally = m_tallies[word];
        const int kept = tally.kept();
        const int near = tally.near();
        m_before.clear();
        for (const Aggregate& aggregate : m_aggregates) {
            m_before.push_back(aggregate.value(tally));
        }
        tally.advance();
        m_kept += tally.kept() - kept;
        m_near += tally.near() - near;
        bool changed = tally.kept() != kept || tally.near() != near;
        for (std::size_t i = 0; i < m_aggregates.size(); ++i) {
            const float after = m_aggregates[i].value(tally);
            if (after != m_before[i]) {
                m_aggregates[i].values.remove(m_before[i]);
                m_aggregates[i].values.add(after);
                changed = true;
            }
        }
        return changed;
    }

    [[nodiscard]] Result<std::vector<LimitCheck>> check() const {
        Cell cell;
        cell.kept = static_cast<double>(m_kept) / outputs();
        cell.near = static_cast<double>(m_near) / outputs();
        cell.far =
            (outputs() - static_cast<double>(m_kept) - static_cast<double>(m_near)) / outputs();
        for (const Aggregate& aggregate : m_aggregates) {
            for (const Limit& limit : m_limits) {
                const auto probability = probabilityOf(limit.aggregate);
                cell.*aggregate.summary.*memberOf(limit.aggregate) =
                    probability ? aggregate.values.quantile(*probability) : aggregate.values.mean();
            }
        }
        return checkLimits(m_limits, cell, m_draws);
    }

    [[nodiscard]] double shortfall(const std::vector<LimitCheck>& checks) const {
        const auto worst = mostMissed(checks, m_draws, words());
        return worst ? shareMissed(*worst, m_draws, words()) : 0.0;
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

    [[nodiscard]] EpsilonFound searched() const {
        EpsilonFound found;
        found.searched = m_span;
        found.everywhere = true;
        return found;
    }

    [[nodiscard]] EpsilonFound metIn(const Step& step, const std::vector<LimitCheck>& above) const {
        EpsilonFound found = searched();
        found.epsilon = epsilonIn(step);
        if (!above.empty()) {
            found.above = (1.0 + kApart) / step.from;
            found.binding = mostMissed(above, m_draws, words());
        }
        return found;
    }

    [[nodiscard]] EpsilonFound nowhere(const std::vector<LimitCheck>& closest,
                                       const Step& step) const {
        EpsilonFound found = searched();
        found.closest = step.changesAtEnd ? epsilonIn(step) : m_span.low;
        found.binding = mostMissed(closest, m_draws, words());
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
};

}  // namespace

EpsilonSpan spanOfSteps(std::span<const WordSteps> steps, double origin) {
    double least = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (const WordSteps& word : steps) {
        if (!word.changes.empty()) {
            least = std::min(least, word.changes.front().t);
            largest = std::max(largest, word.changes.back().t);
        }
    }
    if (largest == 0.0) {
        return {origin + 0.5, origin + 1.0};
    }
    return {origin + 0.5 * (1.0 / largest - origin), origin + 2.0 * (1.0 / least - origin)};
}

Result<EpsilonFound> findLargestOnSteps(std::span<const WordSteps> steps, const CountLogs& logs,
                                        const std::vector<Limit>& limits, const EpsilonSpan& span,
                                        const JobContext& job) {
    return StepSearch(steps, logs, limits, span, job).run();
}

}  // namespace epsilens::calibration
