#include "core/calibration/exact_cell.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace epsilens::calibration {
namespace {

using statistics::ExactStatistics;

template <typename Value>
statistics::Summary summaryOf(std::span<const ExactStatistics> words, double sampledShare,
                              Value value) {
    std::vector<double> values;
    values.reserve(words.size());
    for (const ExactStatistics& word : words) {
        values.push_back(value(word));
    }
    statistics::Summary summary = statistics::summarize(values);
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

void addWordInterval(statistics::Summary& summary, double words, double sampledShare) {
    if (words > 1.0) {
        const double half =
            statistics::kNormal95 * summary.sd * std::sqrt((1.0 - sampledShare) / (words - 1.0));
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
