#include "core/calibration/run_results.h"

#include <algorithm>
#include <cmath>

#include "core/calibration/mean_interval.h"

namespace epsilens::calibration {
namespace {

// The shared-draw variance comes from the jackknife.
void addJackknifeInterval(Summary& summary, const std::vector<float>& values, double variance,
                          int draws, double sampledShare) {
    const double n = static_cast<double>(values.size());
    if (values.size() > 1 && draws > 1) {
        const double error = jackknifeError(values, variance / (n * n), sampledShare);
        summary.ci95 = {summary.mean - kNormal95 * error, summary.mean + kNormal95 * error};
    }
}

void addCountInterval(Summary& summary, const std::vector<float>& counts, double variance,
                      int draws, double sampledShare) {
    const double n = static_cast<double>(counts.size());
    if (counts.size() > 1 && draws > 1) {
        const MeanError error = shareError(counts, draws, variance / (n * n), sampledShare);
        const double half = kNormal95 * draws * error.standardError;
        summary.ci95 = {summary.mean - half, summary.mean + half};
        summary.sdTrue = draws * error.sdTrue;
    }
}

std::vector<float> valuesOf(const CountList& counts) {
    std::vector<float> values(counts.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(counts[i]);
    }
    return values;
}

/// H_0 of each word.
std::vector<float> logarithmsOf(const CountList& distinct) {
    std::vector<float> values(distinct.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(std::log2(distinct[i]));
    }
    return values;
}

}  // namespace

void CellValues::reserve(std::size_t words) {
    nw.reserve(words);
    sw.reserve(words);
    near.reserve(words);
    minEntropy.reserve(words);
    shannonEntropy.reserve(words);
}

void CellValues::add(const WordStatistics& word) {
    nw.add(word.kept);
    sw.add(word.distinct);
    near.add(word.near);
    minEntropy.push_back(static_cast<float>(word.minEntropy));
    shannonEntropy.push_back(static_cast<float>(word.shannonEntropy));
}

void CellResults::addWords(std::span<const WordStatistics> words) {
    for (const WordStatistics& word : words) {
        m_values.add(word);
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
    if (m_draws > 1) {
        m_keptVariance += contributionVariance(sums.kept);
        m_distinctVariance += jackknifeVariance(sums.distinctWithout);
        m_hartleyVariance += jackknifeVariance(sums.hartleyWithout);
        m_minVariance += jackknifeVariance(sums.minWithout);
        m_shannonVariance += jackknifeVariance(sums.shannonWithout);
    }
}

Cell CellResults::summarizeWithoutIntervals(double epsilon, double lambda) const {
    const double outputs = static_cast<double>(m_values.nw.size()) * m_draws;
    Cell cell;
    cell.epsilon = epsilon;
    cell.lambda = lambda;
    cell.nw = calibration::summarize(valuesOf(m_values.nw));
    cell.sw = calibration::summarize(valuesOf(m_values.sw));
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
    addCountInterval(cell.nw, valuesOf(m_values.nw), m_keptVariance, m_draws, sampledShare);
    addJackknifeInterval(cell.sw, valuesOf(m_values.sw), m_distinctVariance, m_draws, sampledShare);
    addJackknifeInterval(cell.minEntropy, m_values.minEntropy, m_minVariance, m_draws,
                         sampledShare);
    addJackknifeInterval(cell.shannonEntropy, m_values.shannonEntropy, m_shannonVariance, m_draws,
                         sampledShare);
    addJackknifeInterval(cell.hartleyEntropy, logarithmsOf(m_values.sw), m_hartleyVariance, m_draws,
                         sampledShare);
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

void addWordInterval(Summary& summary, double words, double sampledShare) {
    if (words > 1.0) {
        const double half =
            kNormal95 * summary.sd * std::sqrt((1.0 - sampledShare) / (words - 1.0));
        summary.ci95 = {summary.mean - half, summary.mean + half};
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
