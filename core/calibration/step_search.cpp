#include "core/calibration/step_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/limit_aggregate.h"
#include "core/calibration/limit_shortfall.h"
#include "core/calibration/ranked_values.h"

namespace epsilens::calibration {
namespace {

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
    statistics::Summary Cell::*summary;
    float (*value)(const StepTally& tally);
    RankedValues values;
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
        double from = m_first;
        std::vector<LimitCheck> above;
        std::vector<LimitCheck> closest;
        EpsilonFound found;
        for (std::size_t next = 0;;) {
            const double to = next < m_events.size() ? m_events[next].t : m_last;
            ASSIGN_OR_RETURN(auto checks, check());
            if (std::all_of(checks.begin(), checks.end(),
                            [](const LimitCheck& c) { return c.met(); })) {
                return metIn(from, next < m_events.size(), to, above);
            }
            // Of equal ones the smallest epsilon.
            if (closest.empty() || shortfall(checks) <= shortfall(closest)) {
                found.closest = next < m_events.size() ? epsilonIn(from, true, to) : m_span.low;
                closest = checks;
            }
            above = std::move(checks);
            if (next == m_events.size()) {
                break;
            }
            from = to;
            for (; next < m_events.size() && m_events[next].t == from; ++next) {
                apply(m_events[next].word);
                if (next % kChangesAtOnce == 0) {
                    if (m_job.stopRequested()) {
                        return fail(ErrorCode::cancelled, "cancelled");
                    }
                    m_job.progress(static_cast<double>(next) / static_cast<double>(m_events.size()),
                                   "Searching");
                }
            }
        }
        found.binding = mostMissed(closest, m_draws, words());
        found.searched = m_span;
        found.everywhere = true;
        return found;
    }

private:
    [[nodiscard]] std::int64_t words() const { return static_cast<std::int64_t>(m_steps.size()); }
    [[nodiscard]] double outputs() const { return static_cast<double>(words()) * m_draws; }

    void addAggregate(LimitStatistic statistic, const CountLogs& logs) {
        switch (statistic) {
            case LimitStatistic::nw:
            case LimitStatistic::kept:
                return addAggregate(&Cell::nw, kept, logs);
            case LimitStatistic::sw:
                return addAggregate(&Cell::sw, distinct, logs);
            case LimitStatistic::minEntropy:
                return addAggregate(&Cell::minEntropy, minEntropy, logs);
            case LimitStatistic::shannonEntropy:
                return addAggregate(&Cell::shannonEntropy, shannonEntropy, logs);
            case LimitStatistic::near:
            case LimitStatistic::far:
            case LimitStatistic::kw:
                break;
        }
    }

    void addAggregate(statistics::Summary Cell::*summary, float (*value)(const StepTally&),
                      const CountLogs& logs) {
        const bool isKnown =
            std::any_of(m_aggregates.begin(), m_aggregates.end(),
                        [&](const Aggregate& known) { return known.summary == summary; });
        if (isKnown) {
            return;
        }
        RankedValues values(valuesOf(m_steps, logs, value));
        for (const StepTally& tally : m_tallies) {
            values.add(value(tally));
        }
        m_aggregates.push_back({summary, value, std::move(values)});
    }

    void apply(std::uint32_t word) {
        StepTally& tally = m_tallies[word];
        for (Aggregate& aggregate : m_aggregates) {
            aggregate.values.remove(aggregate.value(tally));
        }
        m_kept -= tally.kept();
        m_near -= tally.near();
        tally.advance();
        m_kept += tally.kept();
        m_near += tally.near();
        for (Aggregate& aggregate : m_aggregates) {
            aggregate.values.add(aggregate.value(tally));
        }
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

    // An epsilon with from <= 1 / epsilon < to, or <= where nothing changes at the end.
    [[nodiscard]] static double epsilonIn(double from, bool changesAtEnd, double to) {
        double most = 1.0 / from;
        while (1.0 / most < from) {
            most = std::nextafter(most, 0.0);
        }
        double least = 1.0 / to;
        while (changesAtEnd ? 1.0 / least >= to : 1.0 / least > to) {
            least = std::nextafter(least, std::numeric_limits<double>::infinity());
        }
        // Steps may lie closer together than numbers do.
        const double apart = most * (1.0 - kApart);
        return shortestBelow(apart >= least ? apart : most, std::min(least, most));
    }

    [[nodiscard]] EpsilonFound metIn(double from, bool changesAtEnd, double to,
                                     const std::vector<LimitCheck>& above) const {
        EpsilonFound found;
        found.epsilon = epsilonIn(from, changesAtEnd, to);
        found.searched = m_span;
        found.everywhere = true;
        if (!above.empty()) {
            found.above = (1.0 + kApart) / from;
            found.binding = mostMissed(above, m_draws, words());
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
