#include "core/calibration/worst_words.h"

#include <algorithm>
#include <memory>
#include <span>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/calibration/calibrate.h"

namespace epsilens::calibration {
namespace {

constexpr std::int64_t kRerunScratchBytes = std::int64_t{224} << 20;

class WorstRerun {
public:
    WorstRerun(const engine::NoiseSeries& series, const CalibrationOptions& options,
               CalibrationSummary& summary, const JobContext& job)
        : m_series(series), m_options(options), m_summary(summary), m_job(job) {}

    void run() {
        choose();
        countAgain();
        if (m_job.stopRequested()) {
            m_summary.partial = true;
            return;
        }
        for (std::size_t cell = 0; cell < cells(); ++cell) {
            m_summary.cells[cell].worst = worstOf(cell);
        }
    }

private:
    [[nodiscard]] std::size_t cells() const { return m_summary.cells.size(); }
    [[nodiscard]] std::size_t epsilons() const { return m_options.grid.epsilons.size(); }
    [[nodiscard]] double nwOf(std::size_t place, std::size_t cell) const {
        return m_summary.perWord.nw[place * cells() + cell];
    }

    // The places of the worst words of every cell among the words of the run, and of all cells.
    void choose() {
        const std::size_t words = m_summary.perWord.words.size();
        m_isChosen.assign(words, 0);
        for (std::size_t cell = 0; cell < cells(); ++cell) {
            m_worst.push_back(ordered(
                words, [&](std::size_t a, std::size_t b) { return nwOf(a, cell) > nwOf(b, cell); },
                kRerunWords));
            for (const std::size_t place : m_worst.back()) {
                m_isChosen[place] = 1;
            }
        }
        m_kept.assign(words * cells(), 0);
    }

    void countAgain() {
        std::vector<std::size_t> chosen;
        for (std::size_t place = 0; place < m_isChosen.size(); ++place) {
            if (m_isChosen[place] != 0) {
                chosen.push_back(place);
            }
        }
        const auto batch = m_series.batch(m_options.grid.epsilons, m_options.threads, m_job);
        const auto atOnce = static_cast<std::size_t>(
            std::max<std::int64_t>(1, kRerunScratchBytes / m_series.rowBytes()));
        for (std::size_t first = 0; first < chosen.size() && !m_job.stopRequested();
             first += atOnce) {
            const auto group =
                std::span(chosen).subspan(first, std::min(atOnce, chosen.size() - first));
            const auto begin = static_cast<double>(first);
            const auto size = static_cast<double>(group.size());
            countGroup(*batch, group, [&](double share) {
                m_job.progress((begin + share * size) / static_cast<double>(chosen.size()),
                               "Counting the worst words again");
            });
        }
    }

    template <typename Advanced>
    void countGroup(engine::SearchBatch& batch, std::span<const std::size_t> group,
                    const Advanced& advanced) {
        std::vector<Row> words;
        for (const std::size_t place : group) {
            words.push_back(m_summary.perWord.words[place]);
        }
        batch.setWords(words);
        const std::int64_t chunk = std::clamp<std::int64_t>(
            kRerunScratchBytes / (m_series.rowBytes() * m_series.variants()), 1, kRerunDraws);
        const engine::DrawSource source{m_options.seed, StreamPurpose::rerun, 0};
        for (std::int64_t draw = 0; draw < kRerunDraws && !m_job.stopRequested(); draw += chunk) {
            const std::int64_t count = std::min<std::int64_t>(chunk, kRerunDraws - draw);
            batch.setDraws(source, draw, count);
            parallelFor(static_cast<std::int64_t>(group.size()), m_options.threads,
                        [&](std::int64_t i) {
                            const std::unique_ptr<engine::DrawSearch> search = batch.search();
                            search->setWord(i);
                            countWord(*search, group[static_cast<std::size_t>(i)], count);
                        });
            advanced(static_cast<double>(draw + count) / kRerunDraws);
        }
    }

    void countWord(engine::DrawSearch& search, std::size_t place, std::int64_t draws) {
        const std::int32_t own = search.wordPosition();
        if (m_series.space().rowAt(own) != m_summary.perWord.words[place]) {
            return;  // a lower identical row is returned instead
        }
        for (std::size_t cell = 0; cell < cells(); ++cell) {
            const std::vector<std::size_t>& worst = m_worst[cell];
            if (std::find(worst.begin(), worst.end(), place) == worst.end()) {
                continue;
            }
            const auto variant = static_cast<std::int64_t>(cell / epsilons());
            for (std::int64_t draw = 0; draw < draws && !m_job.stopRequested(); ++draw) {
                search.setDraw(variant, draw);
                m_kept[place * cells() + cell] += search.nearest(cell % epsilons()) == own ? 1 : 0;
            }
        }
    }

    [[nodiscard]] WorstWords worstOf(std::size_t cell) const {
        WorstWords result{kRerunDraws, {}};
        for (const std::size_t place : m_worst[cell]) {
            const Row row = m_summary.perWord.words[place];
            const auto word = m_series.space().embedding().vocabulary().word(row);
            result.words.push_back(
                {row, std::string(word), nwOf(place, cell), m_kept[place * cells() + cell]});
        }
        return result;
    }

    const engine::NoiseSeries& m_series;
    const CalibrationOptions& m_options;
    CalibrationSummary& m_summary;
    const JobContext& m_job;
    std::vector<std::vector<std::size_t>> m_worst{};  ///< per cell, places of words
    std::vector<std::uint8_t> m_isChosen{};
    std::vector<std::int64_t> m_kept{};  ///< words x cells
};

}  // namespace

double WorstWords::largestShare() const {
    std::int64_t most = 0;
    for (const RerunWord& word : words) {
        most = std::max(most, word.kept);
    }
    return draws > 0 ? static_cast<double>(most) / draws : 0.0;
}

void rerunWorstWords(const engine::NoiseSeries& series, const CalibrationOptions& options,
                     CalibrationSummary& summary, const JobContext& job) {
    WorstRerun(series, options, summary, job).run();
}

}  // namespace epsilens::calibration
