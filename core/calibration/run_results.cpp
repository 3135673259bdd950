#include "core/calibration/run_results.h"

#include <cmath>

#include "core/statistics/mean_interval.h"

namespace epsilens::calibration {
namespace {

// Summary of a statistic whose shared-draw variance comes from the jackknife.
statistics::Summary jackknifeSummary(const std::vector<float>& values, double variance, int draws,
                                     double sampledShare) {
    statistics::Summary summary = statistics::summarize(values);
    const double n = static_cast<double>(values.size());
    if (values.size() > 1 && draws > 1) {
        const double error = statistics::jackknifeError(values, variance / (n * n), sampledShare);
        summary.ci95 = {summary.mean - statistics::kNormal95 * error,
                        summary.mean + statistics::kNormal95 * error};
    }
    return summary;
}

statistics::Summary countSummary(const std::vector<float>& counts, double variance, int draws,
                                 double sampledShare) {
    statistics::Summary summary = statistics::summarize(counts);
    const double n = static_cast<double>(counts.size());
    if (counts.size() > 1 && draws > 1) {
        const statistics::MeanError error =
            statistics::shareError(counts, draws, variance / (n * n), sampledShare);
        const double half = statistics::kNormal95 * draws * error.standardError;
        summary.ci95 = {summary.mean - half, summary.mean + half};
        summary.sdTrue = draws * error.sdTrue;
    }
    return summary;
}

}  // namespace

void CellValues::add(const statistics::WordStatistics& word) {
    nw.push_back(static_cast<float>(word.kept));
    sw.push_back(static_cast<float>(word.distinct));
    near.push_back(static_cast<float>(word.near));
    minEntropy.push_back(static_cast<float>(word.minEntropy));
    shannonEntropy.push_back(static_cast<float>(word.shannonEntropy));
    hartleyEntropy.push_back(static_cast<float>(std::log2(word.distinct)));
}

void CellResults::addBlock(const std::vector<statistics::WordStatistics>& words,
                           const statistics::DrawSums& sums) {
    for (const statistics::WordStatistics& word : words) {
        m_values.add(word);
        m_kept += word.kept;
        m_near += word.near;
        m_singletons += word.singletons;
        m_distanceSum += word.distanceSum;
        m_cosineSum += word.cosineSum;
        m_cosines += word.cosines;
    }
    if (m_draws > 1) {
        m_keptVariance += statistics::contributionVariance(sums.kept);
        m_distinctVariance += statistics::jackknifeVariance(sums.distinctWithout);
        m_hartleyVariance += statistics::jackknifeVariance(sums.hartleyWithout);
        m_minVariance += statistics::jackknifeVariance(sums.minWithout);
        m_shannonVariance += statistics::jackknifeVariance(sums.shannonWithout);
    }
}

Cell CellResults::summarize(double epsilon, double lambda, double sampledShare) const {
    const double outputs = static_cast<double>(m_values.nw.size()) * m_draws;
    Cell cell;
    cell.epsilon = epsilon;
    cell.lambda = lambda;
    cell.nw = countSummary(m_values.nw, m_keptVariance, m_draws, sampledShare);
    cell.sw = jackknifeSummary(m_values.sw, m_distinctVariance, m_draws, sampledShare);
    cell.minEntropy = jackknifeSummary(m_values.minEntropy, m_minVariance, m_draws, sampledShare);
    cell.shannonEntropy =
        jackknifeSummary(m_values.shannonEntropy, m_shannonVariance, m_draws, sampledShare);
    cell.hartleyEntropy =
        jackknifeSummary(m_values.hartleyEntropy, m_hartleyVariance, m_draws, sampledShare);
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

}  // namespace epsilens::calibration
