#include "core/attack/detection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/calibration/summary.h"
#include "core/corpus/share.h"
#include "core/corpus/streams.h"
#include "core/numeric/quantile.h"

namespace epsilens::attack {
namespace {

// accuracy, precision, recall, advantage, auc, recall at few alarms
constexpr std::size_t kMeasureCount = 6;
using Values = std::array<double, kMeasureCount>;

// Cases by falling score, so that resamples differ in weights only.
class SortedCases {
public:
    explicit SortedCases(const ScoredCases& cases) {
        const auto order = ordered(cases.scores.size(), [&](std::size_t a, std::size_t b) {
            return cases.scores[a] > cases.scores[b];
        });
        for (const std::size_t index : order) {
            m_scores.push_back(cases.scores[index]);
            m_members.push_back(cases.members[index]);
            m_clusters.push_back(cases.clusters[index]);
        }
    }

    // Members and others with a weight each; visit(score, members, others) after each group of
    // equal scores, with the sums so far.
    template <typename Visit>
    void sweep(std::span<const double> clusterWeights, Visit visit) const {
        double members = 0.0;
        double others = 0.0;
        for (std::size_t i = 0; i < m_scores.size(); ++i) {
            const double weight = clusterWeights[static_cast<std::size_t>(m_clusters[i])];
            (m_members[i] != 0 ? members : others) += weight;
            if (i + 1 == m_scores.size() || m_scores[i + 1] < m_scores[i]) {
                visit(m_scores[i], members, others);
            }
        }
    }

    [[nodiscard]] Values measure(std::span<const double> clusterWeights, double threshold) const {
        struct Counts {
            double members = 0.0;
            double others = 0.0;
        };
        Counts total;
        sweep(clusterWeights, [&](double, double members, double others) {
            total = {members, others};
        });
        Counts called;
        Counts previous;
        double area = 0.0;
        double found = 0.0;
        sweep(clusterWeights, [&](double score, double members, double others) {
            area += (others - previous.others) * 0.5 * (members + previous.members);
            previous = {members, others};
            if (score >= threshold) {
                called = previous;
            }
            if (others <= Detection::kFewAlarms * total.others) {
                found = members;
            }
        });
        const double recall = called.members / total.members;
        const double alarms = called.others / total.others;
        return {(called.members + total.others - called.others) / (total.members + total.others),
                called.members / (called.members + called.others),
                recall,
                recall - alarms,
                area / (total.members * total.others),
                found / total.members};
    }

    [[nodiscard]] std::size_t clusters() const {
        return static_cast<std::size_t>(*std::max_element(m_clusters.begin(), m_clusters.end())) +
               1;
    }

private:
    std::vector<double> m_scores{};
    std::vector<std::uint8_t> m_members{};
    std::vector<std::int32_t> m_clusters{};
};

// How often each cluster was drawn in a resample.
std::vector<double> resampledWeights(std::size_t clusters, std::uint64_t seed, std::int64_t index) {
    SeededStream stream(StreamKey{seed, corpus::kBootstrap, 0, static_cast<std::uint32_t>(index)});
    std::vector<double> weights(clusters);
    for (std::size_t i = 0; i < clusters; ++i) {
        weights[stream.below(clusters)] += 1.0;
    }
    return weights;
}

using Interval = std::optional<std::array<double, 2>>;

// Quantiles of the resamples; nothing where they show no spread.
Interval percentiles(double value, std::vector<double> resampled) {
    resampled.erase(std::remove_if(resampled.begin(), resampled.end(),
                                   [](double other) { return std::isnan(other); }),
                    resampled.end());
    if (std::isnan(value) || resampled.empty()) {
        return std::nullopt;
    }
    std::sort(resampled.begin(), resampled.end());
    const std::array<double, 2> interval{numeric::quantileOfSorted(resampled, 0.025),
                                         numeric::quantileOfSorted(resampled, 0.975)};
    return interval[0] < interval[1] ? Interval(interval) : std::nullopt;
}

// Clusters with a case that counts.
template <typename Counts>
double clustersWith(const ScoredCases& cases, Counts counts) {
    std::set<std::int32_t> clusters;
    for (std::size_t i = 0; i < cases.scores.size(); ++i) {
        if (counts(i)) {
            clusters.insert(cases.clusters[i]);
        }
    }
    return static_cast<double>(clusters.size());
}

Interval wilsonOf(double share, double clusters) {
    return std::isnan(share) || clusters < 2.0 ? std::nullopt
                                               : Interval(corpus::wilsonInterval(share, clusters));
}

// Newcombe 1998, method 10.
Interval differenceOf(double first, const Interval& ofFirst, double second,
                      const Interval& ofSecond) {
    if (!ofFirst || !ofSecond) {
        return std::nullopt;
    }
    return std::array{first - second - std::hypot(first - (*ofFirst)[0], (*ofSecond)[1] - second),
                      first - second + std::hypot((*ofFirst)[1] - first, second - (*ofSecond)[0])};
}

}  // namespace

std::optional<std::array<double, 2>> areaInterval(double area, double members, double others) {
    if (std::isnan(area) || members < 2.0 || others < 2.0) {
        return std::nullopt;
    }
    const double paired = (members + others) / 2.0 - 1.0;
    const auto isBeyond = [&](double trueArea) {
        const double variance =
            trueArea * (1.0 - trueArea) / (members * others) *
            (1.0 + paired * ((1.0 - trueArea) / (2.0 - trueArea) + trueArea / (1.0 + trueArea)));
        return std::abs(area - trueArea) > calibration::kNormal95 * std::sqrt(variance);
    };
    // The ends lie between the area and 0 or 1, where the variance is 0.
    const auto endTowards = [&](double outside) {
        double inside = area;
        for (int step = 0; step < 60; ++step) {
            const double middle = 0.5 * (inside + outside);
            (isBeyond(middle) ? outside : inside) = middle;
        }
        return inside;
    };
    return std::array{endTowards(0.0), endTowards(1.0)};
}

namespace {

// Intervals of the measures, in their order, from the numbers of clusters alone.
std::array<Interval, kMeasureCount> scoreIntervals(const ScoredCases& cases, double threshold,
                                                   const Values& values) {
    const double all = clustersWith(cases, [](std::size_t) { return true; });
    const double members =
        clustersWith(cases, [&](std::size_t i) { return cases.members[i] != 0; });
    const double others = clustersWith(cases, [&](std::size_t i) { return cases.members[i] == 0; });
    const double called =
        clustersWith(cases, [&](std::size_t i) { return cases.scores[i] >= threshold; });
    const double alarms = values[2] - values[3];
    return {wilsonOf(values[0], all),
            wilsonOf(values[1], called),
            wilsonOf(values[2], members),
            differenceOf(values[2], wilsonOf(values[2], members), alarms, wilsonOf(alarms, others)),
            areaInterval(values[4], members, others),
            wilsonOf(values[5], members)};
}

}  // namespace

Detection detect(const ScoredCases& cases, double threshold, const BootstrapOptions& options) {
    // Resamples of fewer hardly differ.
    constexpr std::size_t kFewestClusters = 10;
    const SortedCases sorted(cases);
    const std::vector<double> once(sorted.clusters(), 1.0);
    const Values values = sorted.measure(once, threshold);
    std::vector<Values> resampled(static_cast<std::size_t>(options.resamples));
    parallelFor(options.resamples, options.threads, [&](std::int64_t index) {
        resampled[static_cast<std::size_t>(index)] =
            sorted.measure(resampledWeights(sorted.clusters(), options.seed, index), threshold);
    });
    const auto alone = scoreIntervals(cases, threshold, values);
    const auto measured = [&](std::size_t measure) {
        std::vector<double> column;
        column.reserve(resampled.size());
        for (const Values& row : resampled) {
            column.push_back(row[measure]);
        }
        const Interval interval = sorted.clusters() < kFewestClusters
                                      ? std::nullopt
                                      : percentiles(values[measure], std::move(column));
        return corpus::Measured{values[measure], interval ? interval : alone[measure]};
    };
    return {measured(0), measured(1), measured(2), measured(3), measured(4), measured(5)};
}

double bestThreshold(const ScoredCases& cases) {
    const SortedCases sorted(cases);
    const std::vector<double> once(sorted.clusters(), 1.0);
    double allMembers = 0.0;
    double allOthers = 0.0;
    sorted.sweep(once, [&](double, double members, double others) {
        allMembers = members;
        allOthers = others;
    });
    double best = std::numeric_limits<double>::infinity();
    double largest = 0.0;  // of a threshold that calls no case a member
    sorted.sweep(once, [&](double score, double members, double others) {
        const double advantage = members / allMembers - others / allOthers;
        if (advantage > largest) {
            largest = advantage;
            best = score;
        }
    });
    return best;
}

}  // namespace epsilens::attack
