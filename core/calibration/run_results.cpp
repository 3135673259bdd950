#include "core/calibration/run_results.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"
#include "core/calibration/mean_interval.h"

namespace epsilens::calibration {
namespace {

void addInterval(Summary& summary, double half) {
    summary.ci95 = {summary.mean - half, summary.mean + half};
}

/// H_0 of each word.
std::vector<float> logarithmsOf(const std::vector<float>& distinct) {
    std::vector<float> values(distinct.size());
    std::ranges::transform(distinct, values.begin(), [](float count) {
        return static_cast<float>(std::log2(static_cast<double>(count)));
    });
    return values;
}

}  // namespace

void CellResults::reserve(std::size_t words) {
    for (std::vector<float>* values : {&m_values.nw, &m_values.sw, &m_values.near,
                                       &m_values.minEntropy, &m_values.shannonEntropy}) {
        values->reserve(words);
    }
}

void CellResults::addWords(std::span<const WordStatistics> words) {
    for (const WordStatistics& word : words) {
        m_values.nw.push_back(static_cast<float>(word.kept));
        m_values.sw.push_back(static_cast<float>(word.distinct));
        m_values.near.push_back(static_cast<float>(word.near));
        m_values.minEntropy.push_back(static_cast<float>(word.minEntropy));
        m_values.shannonEntropy.push_back(static_cast<float>(word.shannonEntropy));
        m_kept += word.kept;
        m_near += word.near;
        m_singletons += word.singletons;
        m_distanceSum += word.distanceSum;
        m_cosineSum += word.cosineSum;
        m_cosines += word.cosines;
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
    const double outputs = static_cast<double>(m_values.nw.size()) * m_draws;
    Cell cell;
    cell.epsilon = epsilon;
    cell.lambda = lambda;
    cell.nw = calibration::summarize(m_values.nw);
    cell.sw = calibration::summarize(m_values.sw);
    cell.minEntropy = calibration::summarize(m_values.minEntropy);
    cell.shannonEntropy = calibration::summarize(m_values.shannonEntropy);
    cell.hartleyEntropy = calibration::summarize(logarithmsOf(m_values.sw));
    cell.coverage = 1.0 - static_cast<double>(m_singletons) / outputs;
    cell.kept = static_cast<double>(m_kept) / outputs;
    cell.near = static_cast<double>(m_near) / outputs;
    cell.far = (outputs - static_cast<double>(m_kept) - static_cast<double>(m_near)) / outputs;
    cell.meanDistance = m_distanceSum / outputs;
    if (m_cosines > 0) {
        cell.meanCosine = m_cosineSum / static_cast<double>(m_cosines);
    }
    return cell;
}

Cell CellResults::summarize(double epsilon, double lambda, double sampledShare) const {
    Cell cell = summarizeWithoutIntervals(epsilon, lambda);
    const double n = static_cast<double>(m_values.nw.size());
    if (m_values.nw.size() < 2 || m_draws < 2) {
        return cell;
    }
    const MeanError error =
        shareError(m_values.nw, m_draws, m_variances[kKept] / (n * n), sampledShare);
    addInterval(cell.nw, kNormal95 * m_draws * error.standardError);
    cell.nw.sdTrue = m_draws * error.sdTrue;
    const auto add = [&](Summary& summary, const std::vector<float>& values, DrawStatistic s) {
        addInterval(summary,
                    kNormal95 * jackknifeError(values, m_variances[s] / (n * n), sampledShare));
    };
    add(cell.sw, m_values.sw, kDistinct);
    add(cell.minEntropy, m_values.minEntropy, kMinEntropy);
    add(cell.shannonEntropy, m_values.shannonEntropy, kShannonEntropy);
    add(cell.hartleyEntropy, logarithmsOf(m_values.sw), kHartley);
    return cell;
}

namespace {

template <typename Value>
Summary summaryOf(std::span<const ExactStatistics> words, double sampledShare, Value value) {
    std::vector<double> values;
    values.reserve(words.size());
    for (const ExactStatistics& word : words) {
        values.push_back(value(word));
    }
    Summary summary = calibration::summarize(values);
    addWordInterval(summary, static_cast<double>(words.size()), sampledShare);
    return summary;
}

void addMeans(Cell& cell, std::span<const ExactStatistics> words) {
    double cosineSum = 0.0;
    double cosineShare = 0.0;
    double relativeError = 0.0;
    for (const ExactStatistics& word : words) {
        cell.kept += word.kept;
        cell.near += word.near;
        cell.meanDistance += word.meanDistance;
        cosineSum += word.cosineSum;
        cosineShare += word.cosineShare;
        relativeError = std::max(relativeError, word.relativeError);
    }
    const auto count = static_cast<double>(words.size());
    cell.kept /= count;
    cell.near /= count;
    cell.far = std::max(0.0, 1.0 - cell.kept - cell.near);
    cell.meanDistance /= count;
    if (cosineShare > 0.0) {
        cell.meanCosine = cosineSum / cosineShare;
    }
    cell.relativeError = relativeError;
}

}  // namespace

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
    const auto summary = [&](auto value) { return summaryOf(words, sampledShare, value); };
    Cell cell;
    cell.epsilon = mechanism.epsilon();
    if (const double gamma = mechanism.gamma(); std::isfinite(gamma)) {
        cell.gamma = gamma;
    }
    cell.nw = summary([](const ExactStatistics& word) { return word.nw; });
    cell.sw = summary([](const ExactStatistics& word) { return word.sw; });
    cell.minEntropy = summary([](const ExactStatistics& word) { return word.minEntropy; });
    cell.shannonEntropy = summary([](const ExactStatistics& word) { return word.shannonEntropy; });
    cell.hartleyEntropy = summary([](const ExactStatistics& word) { return std::log2(word.sw); });
    if (words.size() > 1) {
        const auto count = static_cast<double>(words.size());
        cell.nw.sdTrue = cell.nw.sd * std::sqrt(count / (count - 1.0));
    }
    addMeans(cell, words);
    return cell;
}

}  // namespace epsilens::calibration
