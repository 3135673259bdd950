#include "core/engine/noise_series.h"

#include <algorithm>

#include "core/base/parallel.h"

namespace epsilens::engine {

std::int32_t DrawSearch::nearest(std::size_t epsilon) {
    const auto number = static_cast<std::uint32_t>(
        std::find(m_falling.begin(), m_falling.end(), epsilon) - m_falling.begin());
    std::int32_t position = 0;
    outputsAt({&number, 1}, {&position, 1});
    return position;
}

void DrawSearch::nearestAtAll(std::span<std::int32_t> positions) {
    runsAtAll(m_runs);
    std::size_t end = m_falling.size();
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run) {
        for (; end > run->first; --end) {
            positions[m_falling[end - 1]] = run->position;
        }
    }
}

void DrawSearch::runsAtAll(std::vector<OutputRun>& runs) {
    m_known.clear();
    for (askSpread(); !m_asked.empty(); askGaps()) {
        answer();
    }
    runs.clear();
    for (const OutputRun& known : m_known) {
        if (runs.empty() || runs.back().position != known.position) {
            runs.push_back(known);
        }
    }
}

std::uint32_t DrawSearch::lastOf(const OutputRun& output, const OutputRun& next) {
    return (output.first + next.first) / 2;
}

void DrawSearch::askSpread() {
    const std::size_t all = m_falling.size();
    const std::size_t count = std::min(all, std::max<std::size_t>(2, lines().ratesAtOnce()));
    m_asked.clear();
    for (std::size_t i = 0; i < count; ++i) {
        m_asked.push_back(static_cast<std::uint32_t>(count < 2 ? 0 : i * (all - 1) / (count - 1)));
    }
}

void DrawSearch::askGaps() {
    m_asked.clear();
    for (std::size_t i = 1; i < m_known.size(); ++i) {
        const OutputRun& before = m_known[i - 1];
        const OutputRun& after = m_known[i];
        if (before.position == after.position || after.first == before.first + 1) {
            continue;
        }
        const std::uint32_t last = std::clamp(lastOf(before, after), before.first, after.first - 1);
        if (last > before.first) {
            m_asked.push_back(last);
        }
        if (last + 1 < after.first) {
            m_asked.push_back(last + 1);
        }
    }
}

void DrawSearch::answer() {
    m_positions.resize(m_asked.size());
    outputsAt(m_asked, m_positions);
    m_merged.clear();
    auto known = m_known.begin();
    for (std::size_t i = 0; i < m_asked.size(); ++i) {
        while (known != m_known.end() && known->first < m_asked[i]) {
            m_merged.push_back(*known++);
        }
        m_merged.push_back({m_asked[i], m_positions[i]});
    }
    m_merged.insert(m_merged.end(), known, m_known.end());
    m_known.swap(m_merged);
}

Result<void> sweepDraws(
    const NoiseSeries& series, const DrawSweep& sweep, const JobContext& job,
    const std::function<void(DrawSearch&, std::size_t, std::int64_t)>& visit,
    const std::function<void(const SearchBatch&, std::int64_t, std::size_t)>& meet) {
    // Half for the rows of words, half for those of draws.
    constexpr std::int64_t kScratchBytes = std::int64_t{192} << 20;
    constexpr std::int64_t kDrawsPerTask = 5;
    const auto words = static_cast<std::int64_t>(sweep.words.size());
    const std::int64_t rows = kScratchBytes / 2 / series.rowBytes();
    const std::int64_t wordsAtOnce =
        std::clamp<std::int64_t>(words, 1, std::max<std::int64_t>(1, rows));
    const std::int64_t drawsAtOnce =
        std::clamp<std::int64_t>(rows / series.variants(), 1, sweep.draws);
    const std::unique_ptr<SearchBatch> batch = series.batch(sweep.epsilons, sweep.threads, job);
    for (std::int64_t firstDraw = 0; firstDraw < sweep.draws; firstDraw += drawsAtOnce) {
        const std::int64_t draws = std::min(drawsAtOnce, sweep.draws - firstDraw);
        batch->setDraws(sweep.source, firstDraw, draws);
        for (std::int64_t first = 0; first < words; first += wordsAtOnce) {
            const std::int64_t group = std::min(wordsAtOnce, words - first);
            batch->setWords(sweep.words.subspan(static_cast<std::size_t>(first),
                                                static_cast<std::size_t>(group)));
            const std::int64_t parts = (draws + kDrawsPerTask - 1) / kDrawsPerTask;
            parallelFor(group * parts, sweep.threads, [&](std::int64_t task) {
                const std::int64_t place = task / parts;
                const std::int64_t begin = task % parts * kDrawsPerTask;
                const std::int64_t end = std::min(begin + kDrawsPerTask, draws);
                const auto word = static_cast<std::size_t>(first + place);
                const std::unique_ptr<DrawSearch> search = batch->search();
                search->setWord(place);
                for (std::int64_t draw = begin; draw < end && !job.stopRequested(); ++draw) {
                    search->setDraw(0, draw);
                    visit(*search, word, firstDraw + draw);
                }
                if (meet && firstDraw + begin == 0 && !job.stopRequested()) {
                    meet(*batch, place, word);
                }
            });
            if (job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            job.progress(static_cast<double>(firstDraw * words + draws * (first + group)) /
                             static_cast<double>(words * sweep.draws),
                         sweep.stage);
        }
    }
    return {};
}

}  // namespace epsilens::engine
