#include "core/calibration/step_functions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "core/base/pass_on.h"
#include "core/calibration/ranked_values.h"

namespace epsilens::calibration {
namespace {

using statistics::OutputClass;

// Changes between two looks at the stop token.
constexpr std::size_t kChangesAtOnce = 4096;

/// The values of some statistics while epsilon falls.
class OpenSteps {
public:
    explicit OpenSteps(std::span<const std::string_view> names) : m_steps(names.size()) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            m_steps[i].statistic = names[i];
            m_steps[i].to = std::numeric_limits<double>::infinity();
        }
    }

    /// Below an epsilon these values hold; a statistic without a value has no step.
    Result<void> change(double epsilon, std::span<const std::optional<double>> values,
                        const TakeStep& take) {
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            if (m_values.empty() || values[i] == m_values[i]) {
                continue;
            }
            RETURN_IF_ERROR(close(i, epsilon, take));
            m_steps[i].to = epsilon;
        }
        m_values.assign(values.begin(), values.end());
        return {};
    }

    Result<void> finish(const TakeStep& take) {
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            RETURN_IF_ERROR(close(i, 0.0, take));
        }
        return {};
    }

private:
    Result<void> close(std::size_t i, double from, const TakeStep& take) {
        if (!m_values[i]) {
            return {};
        }
        m_steps[i].from = from;
        m_steps[i].value = *m_values[i];
        return take(m_steps[i]);
    }

    std::vector<StepValue> m_steps;
    std::vector<std::optional<double>> m_values{};
};

/// Sums over the outputs of the draws.
struct OutputSums {
    std::int64_t kept = 0;
    std::int64_t near = 0;
    std::int64_t all = 0;
    std::int64_t cosines = 0;
    double distance = 0.0;
    double cosine = 0.0;

    void add(const StepOutput& output, int count) {
        kept += output.outputClass == OutputClass::kept ? count : 0;
        near += output.outputClass == OutputClass::near ? count : 0;
        all += count;
        distance += count * output.reach.distance;
        if (output.reach.hasCosine) {
            cosines += count;
            cosine += count * output.reach.cosine;
        }
    }
    void move(const WordSteps& word, const OutputChange& change) {
        add(word.outputs[change.from], -1);
        add(word.outputs[change.to], 1);
    }
    [[nodiscard]] double share(std::int64_t count) const {
        return static_cast<double>(count) / static_cast<double>(all);
    }
    [[nodiscard]] double meanDistance() const { return distance / static_cast<double>(all); }
    [[nodiscard]] std::optional<double> meanCosine() const {
        return cosines > 0 ? std::optional(cosine / static_cast<double>(cosines)) : std::nullopt;
    }
};

constexpr std::array<std::string_view, 21> kOverWords{
    "nw.mean", "nw.p1",   "nw.p5", "nw.p25", "nw.p50", "nw.p75",       "nw.p95",
    "nw.p99",  "sw.mean", "sw.p1", "sw.p5",  "sw.p25", "sw.p50",       "sw.p75",
    "sw.p95",  "sw.p99",  "kept",  "near",   "far",    "meanDistance", "meanCosine"};
constexpr std::array kPercentiles{0.01, 0.05, 0.25, 0.50, 0.75, 0.95, 0.99};
constexpr std::array<std::string_view, 6> kOfWord{"nw",  "sw",           "near",
                                                  "far", "meanDistance", "meanCosine"};

/// A change of one word among those of all words.
struct Event {
    double t = 0.0;
    std::uint32_t word = 0;
    std::uint32_t change = 0;
};

std::vector<Event> eventsOf(std::span<const WordSteps> words) {
    std::vector<Event> events;
    for (std::size_t word = 0; word < words.size(); ++word) {
        for (std::size_t i = 0; i < words[word].changes.size(); ++i) {
            events.push_back({words[word].changes[i].t, static_cast<std::uint32_t>(word),
                              static_cast<std::uint32_t>(i)});
        }
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        return a.t != b.t ? a.t < b.t : (a.word != b.word ? a.word < b.word : a.change < b.change);
    });
    return events;
}

RankedValues countsUpTo(int draws) {
    std::vector<float> counts(static_cast<std::size_t>(draws) + 1);
    std::iota(counts.begin(), counts.end(), 0.0F);
    return RankedValues(std::move(counts));
}

/// Statistics over the words while epsilon falls.
class WordsTogether {
public:
    WordsTogether(std::span<const WordSteps> words, int draws)
        : m_words(words), m_logs(draws), m_nw(countsUpTo(draws)), m_sw(countsUpTo(draws)) {
        m_tallies.reserve(words.size());
        for (const WordSteps& word : words) {
            m_tallies.emplace_back(word, m_logs);
            m_nw.add(static_cast<float>(m_tallies.back().kept()));
            m_sw.add(static_cast<float>(m_tallies.back().distinct()));
            m_sums.add(word.outputs.front(), draws);
        }
        summarize(m_nw, 0);
        summarize(m_sw, kFirstOfSw);
    }

    void apply(const Event& event) {
        StepTally& tally = m_tallies[event.word];
        const int kept = tally.kept();
        const int distinct = tally.distinct();
        tally.advance();
        m_sums.move(m_words[event.word], m_words[event.word].changes[event.change]);
        m_nwMoved = replace(m_nw, kept, tally.kept()) || m_nwMoved;
        m_swMoved = replace(m_sw, distinct, tally.distinct()) || m_swMoved;
    }

    [[nodiscard]] std::span<const std::optional<double>> values() {
        if (m_nwMoved) {
            summarize(m_nw, 0);
        }
        if (m_swMoved) {
            summarize(m_sw, kFirstOfSw);
        }
        m_nwMoved = m_swMoved = false;
        m_values[16] = m_sums.share(m_sums.kept);
        m_values[17] = m_sums.share(m_sums.near);
        m_values[18] = m_sums.share(m_sums.all - m_sums.kept - m_sums.near);
        m_values[19] = m_sums.meanDistance();
        m_values[20] = m_sums.meanCosine();
        return m_values;
    }

private:
    static constexpr std::size_t kFirstOfSw = 8;

    static bool replace(RankedValues& values, int before, int after) {
        if (before != after) {
            values.remove(static_cast<float>(before));
            values.add(static_cast<float>(after));
        }
        return before != after;
    }

    void summarize(const RankedValues& values, std::size_t first) {
        m_values[first] = values.mean();
        for (std::size_t i = 0; i < kPercentiles.size(); ++i) {
            m_values[first + 1 + i] = values.quantile(kPercentiles[i]);
        }
    }

    std::span<const WordSteps> m_words;
    CountLogs m_logs;
    std::vector<StepTally> m_tallies{};
    RankedValues m_nw;
    RankedValues m_sw;
    OutputSums m_sums{};
    bool m_nwMoved = false;
    bool m_swMoved = false;
    std::array<std::optional<double>, kOverWords.size()> m_values{};
};

}  // namespace

Result<void> stepsOverWords(std::span<const WordSteps> words, int draws, const TakeStep& take,
                            const JobContext& job) {
    const std::vector<Event> events = eventsOf(words);
    WordsTogether together(words, draws);
    OpenSteps steps(kOverWords);
    RETURN_IF_ERROR(steps.change(std::numeric_limits<double>::infinity(), together.values(), take));
    for (std::size_t next = 0; next < events.size();) {
        const double t = events[next].t;
        for (; next < events.size() && events[next].t == t; ++next) {
            together.apply(events[next]);
            if (next % kChangesAtOnce == 0) {
                if (job.stopRequested()) {
                    return fail(ErrorCode::cancelled, "cancelled");
                }
                job.progress(static_cast<double>(next) / static_cast<double>(events.size()),
                             "Writing steps");
            }
        }
        RETURN_IF_ERROR(steps.change(1.0 / t, together.values(), take));
    }
    return steps.finish(take);
}

Result<void> stepsOfWord(const WordSteps& word, int draws, const TakeStep& take) {
    const CountLogs logs(draws);
    StepTally tally(word, logs);
    OutputSums sums;
    sums.add(word.outputs.front(), draws);
    const auto values = [&] {
        return std::array<std::optional<double>, kOfWord.size()>{
            static_cast<double>(tally.kept()),
            static_cast<double>(tally.distinct()),
            static_cast<double>(sums.near),
            static_cast<double>(sums.all - sums.kept - sums.near),
            sums.meanDistance(),
            sums.meanCosine()};
    };
    OpenSteps steps(kOfWord);
    RETURN_IF_ERROR(steps.change(std::numeric_limits<double>::infinity(), values(), take));
    for (std::size_t next = 0; next < word.changes.size();) {
        const double t = word.changes[next].t;
        for (; next < word.changes.size() && word.changes[next].t == t; ++next) {
            tally.advance();
            sums.move(word, word.changes[next]);
        }
        RETURN_IF_ERROR(steps.change(1.0 / t, values(), take));
    }
    return steps.finish(take);
}

}  // namespace epsilens::calibration
