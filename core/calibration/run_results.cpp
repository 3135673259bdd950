#include "core/calibration/run_results.h"

#include <algorithm>
#include <cmath>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/calibration/summary.h"
#include "core/engine/draw_sweep.h"

namespace epsilens::calibration {
namespace {

void addInterval(Summary& summary, double half) {
    summary.ci95 = {summary.mean - half, summary.mean + half};
}

/// What words have of each DrawStatistic.
constexpr std::array kSummaries{&Cell::nw, &Cell::sw, &Cell::hartleyEntropy, &Cell::minEntropy,
                                &Cell::shannonEntropy};

void addMeans(Cell& cell, const OutputSums& sums) {
    cell.kept = sums.kept / sums.outputs;
    cell.near = sums.near / sums.outputs;
    cell.far = std::max(0.0, sums.outputs - sums.kept - sums.near) / sums.outputs;
    cell.meanDistance = sums.distances / sums.outputs;
    if (sums.withCosine > 0.0) {
        cell.meanCosine = sums.cosines / sums.withCosine;
    }
}

}  // namespace

void CellResults::reserve(std::size_t words) {
    for (std::vector<float>& values : m_values) {
        values.reserve(words);
    }
    m_near.reserve(words);
}

void CellResults::addWords(std::span<const WordStatistics> words) {
    for (const WordStatistics& word : words) {
        const std::array<double, kDrawStatistics> values{
            static_cast<double>(word.kept), static_cast<double>(word.distinct),
            std::log2(word.distinct), word.minEntropy, word.shannonEntropy};
        for (std::size_t s = 0; s < kDrawStatistics; ++s) {
            m_values[s].push_back(static_cast<float>(values[s]));
        }
        m_near.push_back(static_cast<float>(word.near));
        m_singletons += word.singletons;
        m_sums.outputs += m_draws;
        m_sums.kept += word.kept;
        m_sums.near += word.near;
        m_sums.distances += word.distanceSum;
        m_sums.cosines += word.cosineSum;
        m_sums.withCosine += word.cosines;
    }
}

void CellResults::addBlock(const std::vector<WordStatistics>& words, const DrawSums& sums) {
    addWords(words);
    for (std::size_t s = 0; s < kDrawStatistics && m_draws > 1; ++s) {
        m_variances[s] +=
            s == kKept ? contributionVariance(sums.of[s]) : jackknifeVariance(sums.of[s]);
    }
}

Cell CellResults::summarizeWithoutIntervals(double epsilon, double lambda) const {
    Cell cell;
    cell.epsilon = epsilon;
    cell.lambda = lambda;
    for (std::size_t s = 0; s < kDrawStatistics; ++s) {
        cell.*kSummaries[s] = calibration::summarize(m_values[s]);
    }
    cell.coverage = 1.0 - static_cast<double>(m_singletons) / m_sums.outputs;
    addMeans(cell, m_sums);
    return cell;
}

Cell CellResults::summarize(double epsilon, double lambda, double sampledShare) const {
    Cell cell = summarizeWithoutIntervals(epsilon, lambda);
    const auto n = static_cast<double>(m_near.size());
    if (m_near.size() < 2 || m_draws < 2) {
        return cell;
    }
    const MeanError error =
        shareError(m_values[kKept], m_draws, m_variances[kKept] / (n * n), sampledShare);
    addInterval(cell.nw, kNormal95 * m_draws * error.standardError);
    cell.nw.sdTrue = m_draws * error.sdTrue;
    for (std::size_t s = kDistinct; s < kDrawStatistics; ++s) {
        addInterval(
            cell.*kSummaries[s],
            kNormal95 * jackknifeError(m_values[s], m_variances[s] / (n * n), sampledShare));
    }
    return cell;
}

CalibrationSummary summaryFor(const CalibrationOptions& options, std::size_t asked,
                              std::int64_t finished, std::int64_t vocabularySize) {
    CalibrationSummary summary;
    summary.grid = options.grid.used();
    summary.words = finished;
    summary.wordsAsked = static_cast<std::int64_t>(asked);
    summary.partial = finished < summary.wordsAsked;
    summary.draws = options.draws;
    summary.seed = options.seed;
    summary.threads = workersOf(options.threads);
    summary.nearNeighbours =
        static_cast<int>(std::min<std::int64_t>(options.nearNeighbours, vocabularySize - 1));
    return summary;
}

void addWordInterval(Summary& summary, double words, double sampledShare) {
    if (words > 1.0) {
        addInterval(summary,
                    kNormal95 * summary.sd * std::sqrt((1.0 - sampledShare) / (words - 1.0)));
    }
}

Cell exactCell(std::span<const ExactStatistics> words,
               const mechanism::TruncatedExponential& mechanism, double sampledShare) {
    Cell cell;
    cell.epsilon = mechanism.epsilon();
    if (const double gamma = mechanism.gamma(); std::isfinite(gamma)) {
        cell.gamma = gamma;
    }
    const auto count = static_cast<double>(words.size());
    std::array<std::vector<double>, kDrawStatistics> values;
    OutputSums sums{count};
    double relativeError = 0.0;
    for (const ExactStatistics& word : words) {
        const std::array own{word.nw, word.sw, std::log2(word.sw), word.minEntropy,
                             word.shannonEntropy};
        for (std::size_t s = 0; s < kDrawStatistics; ++s) {
            values[s].push_back(own[s]);
        }
        sums.kept += word.kept;
        sums.near += word.near;
        sums.distances += word.meanDistance;
        sums.cosines += word.cosineSum;
        sums.withCosine += word.cosineShare;
        relativeError = std::max(relativeError, word.relativeError);
    }
    for (std::size_t s = 0; s < kDrawStatistics; ++s) {
        cell.*kSummaries[s] = calibration::summarize(values[s]);
        addWordInterval(cell.*kSummaries[s], count, sampledShare);
    }
    if (words.size() > 1) {
        cell.nw.sdTrue = cell.nw.sd * std::sqrt(count / (count - 1.0));
    }
    addMeans(cell, sums);
    cell.relativeError = relativeError;
    return cell;
}

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
            table.words.size(), [&](std::size_t word) { return -table.nw[word * cells + cell]; },
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
        WorstWords& again = summary.cells[cell].worst.emplace(WorstWords{kRerunDraws});
        for (const std::size_t place : worst[cell]) {
            const Row row = table.words[place];
            again.words.push_back({row,
                                   std::string(series.space().embedding().vocabulary().word(row)),
                                   table.nw[place * cells + cell], kept[place * cells + cell]});
        }
    }
}

}  // namespace epsilens::calibration
