#include "core/calibration/run_results.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"
#include "core/calibration/summary.h"

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

}  // namespace epsilens::calibration
