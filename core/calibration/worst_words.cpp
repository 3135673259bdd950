#include <algorithm>

#include "core/base/ordered.h"
#include "core/calibration/run_results.h"
#include "core/engine/draw_sweep.h"

namespace epsilens::calibration {

double WorstWords::largestShare() const {
    std::int64_t most = 0;
    for (const RerunWord& word : words) {
        most = std::max(most, word.kept);
    }
    return draws > 0 ? static_cast<double>(most) / draws : 0.0;
}

void rerunWorstWords(const engine::NoiseSeries& series, const CalibrationOptions& options,
                     CalibrationSummary& summary, const JobContext& job) {
    constexpr std::int64_t kScratchBytes = std::int64_t{224} << 20;
    constexpr std::int64_t kNotChosen = -1;
    const WordTable& table = summary.perWord;
    const std::size_t cells = summary.cells.size();
    const std::size_t epsilons = options.grid.epsilons.size();
    std::vector<std::vector<std::size_t>> worst;  // per cell, places of words
    std::vector<std::int64_t> kept(table.words.size() * cells, kNotChosen);
    std::vector<std::uint8_t> isChosen(table.words.size());
    for (std::size_t cell = 0; cell < cells; ++cell) {
        worst.push_back(ordered(
            table.words.size(),
            [&](std::size_t a, std::size_t b) {
                return table.nw[a * cells + cell] > table.nw[b * cells + cell];
            },
            kRerunWords));
        for (const std::size_t place : worst.back()) {
            isChosen[place] = 1;
            kept[place * cells + cell] = 0;
        }
    }
    std::vector<std::size_t> places;
    std::vector<Row> words;
    for (std::size_t place = 0; place < isChosen.size(); ++place) {
        // Of identical rows a lower one is returned instead.
        const Row row = table.words[place];
        if (isChosen[place] != 0 && series.space().rowAt(series.space().positionOf(row)) == row) {
            places.push_back(place);
            words.push_back(row);
        }
    }
    const auto batch = series.batch(options.grid.epsilons, options.threads, job);
    const auto counted = engine::sweepDraws(
        series, *batch,
        {words,
         {options.seed, StreamPurpose::rerun, 0},
         kRerunDraws,
         kScratchBytes,
         options.threads,
         "Counting the worst words again"},
        job,
        [&](engine::DrawSearch& search, std::int64_t word, std::int64_t variant, std::int64_t) {
            const std::size_t first = places[static_cast<std::size_t>(word)] * cells +
                                      static_cast<std::size_t>(variant) * epsilons;
            for (std::size_t e = 0; e < epsilons; ++e) {
                std::int64_t& count = kept[first + e];
                if (count != kNotChosen) {
                    count += search.nearest(e) == search.wordPosition() ? 1 : 0;
                }
            }
        });
    if (!counted) {
        summary.partial = true;
        return;
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
        WorstWords& again = summary.cells[cell].worst.emplace(WorstWords{kRerunDraws, {}});
        for (const std::size_t place : worst[cell]) {
            const Row row = table.words[place];
            again.words.push_back({row,
                                   std::string(series.space().embedding().vocabulary().word(row)),
                                   table.nw[place * cells + cell], kept[place * cells + cell]});
        }
    }
}

}  // namespace epsilens::calibration
