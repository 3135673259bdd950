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

constexpr std::array kNames{"auc", "accuracy", "precision", "recall", "advantage", "tprAt1"};
// In the order of the names.
using Values = std::array<double, kNames.size()>;

// By falling score, so that resamples differ in weights only.
ScoredCases sortedCases(const ScoredCases& cases) {
    ScoredCases sorted;
    for (const std::size_t index : ordered(cases.scores.size(), [&](std::size_t a, std::size_t b) {
             return cases.scores[a] > cases.scores[b];
         })) {
        sorted.scores.push_back(cases.scores[index]);
        sorted.members.push_back(cases.members[index]);
        sorted.clusters.push_back(cases.clusters[index]);
    }
    return sorted;
}

// A weight of 1 for each cluster.
std::vector<double> onceEach(const ScoredCases& cases) {
    return std::vector<double>(
        static_cast<std::size_t>(*std::ranges::max_element(cases.clusters)) + 1, 1.0);
}

// Members and others with a weight each; visit(score, members, others) after each group of equal
// scores, with the sums so far.
template <typename Visit>
void sweep(const ScoredCases& sorted, std::span<const double> clusterWeights, Visit visit) {
    double members = 0.0;
    double others = 0.0;
    for (std::size_t i = 0; i < sorted.scores.size(); ++i) {
        const double weight = clusterWeights[static_cast<std::size_t>(sorted.clusters[i])];
        (sorted.members[i] != 0 ? members : others) += weight;
        if (i + 1 == sorted.scores.size() || sorted.scores[i + 1] < sorted.scores[i]) {
            visit(sorted.scores[i], members, others);
        }
    }
}

// Sums of the weights of members and of others.
std::array<double, 2> totals(const ScoredCases& sorted, std::span<const double> clusterWeights) {
    std::array<double, 2> sums{};
    sweep(sorted, clusterWeights, [&](double, double members, double others) {
        sums = {members, others};
    });
    return sums;
}

Values measure(const ScoredCases& sorted, std::span<const double> clusterWeights,
               double threshold) {
    const auto [allMembers, allOthers] = totals(sorted, clusterWeights);
    double calledMembers = 0.0;
    double calledOthers = 0.0;
    double lastMembers = 0.0;
    double lastOthers = 0.0;
    double area = 0.0;
    double found = 0.0;
    const double fewAlarms = kFewAlarms * allOthers;
    sweep(sorted, clusterWeights, [&](double score, double members, double others) {
        area += (others - lastOthers) * 0.5 * (members + lastMembers);
        lastMembers = members;
        lastOthers = others;
        if (score >= threshold) {
            calledMembers = members;
            calledOthers = others;
        }
        found = others <= fewAlarms ? members : found;
    });
    const double recall = calledMembers / allMembers;
    return {area / (allMembers * allOthers),
            (calledMembers + allOthers - calledOthers) / (allMembers + allOthers),
            calledMembers / (calledMembers + calledOthers),
            recall,
            recall - calledOthers / allOthers,
            found / allMembers};
}

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
    std::ranges::sort(resampled);
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
std::array<Interval, kNames.size()> scoreIntervals(const ScoredCases& cases, double threshold,
                                                   const Values& values) {
    const double all = clustersWith(cases, [](std::size_t) { return true; });
    const double members =
        clustersWith(cases, [&](std::size_t i) { return cases.members[i] != 0; });
    const double others = clustersWith(cases, [&](std::size_t i) { return cases.members[i] == 0; });
    const double called =
        clustersWith(cases, [&](std::size_t i) { return cases.scores[i] >= threshold; });
    const double alarms = values[3] - values[4];
    return {areaInterval(values[0], members, others),
            wilsonOf(values[1], all),
            wilsonOf(values[2], called),
            wilsonOf(values[3], members),
            differenceOf(values[3], wilsonOf(values[3], members), alarms, wilsonOf(alarms, others)),
            wilsonOf(values[5], members)};
}

}  // namespace

void detect(const ScoredCases& cases, double threshold, const BootstrapOptions& options,
            const std::string& path, Findings& findings) {
    // Resamples of fewer hardly differ.
    constexpr std::size_t kFewestClusters = 10;
    const ScoredCases sorted = sortedCases(cases);
    const std::vector<double> once = onceEach(cases);
    const Values values = measure(sorted, once, threshold);
    std::vector<Values> resampled(static_cast<std::size_t>(options.resamples));
    parallelFor(options.resamples, options.threads, [&](std::int64_t index) {
        resampled[static_cast<std::size_t>(index)] =
            measure(sorted, resampledWeights(once.size(), options.seed, index), threshold);
    });
    const auto alone = scoreIntervals(cases, threshold, values);
    for (std::size_t k = 0; k < kNames.size(); ++k) {
        std::vector<double> column;
        for (const Values& row : resampled) {
            column.push_back(row.at(k));
        }
        const Interval interval = once.size() < kFewestClusters
                                      ? std::nullopt
                                      : percentiles(values.at(k), std::move(column));
        findings.add(path + kNames.at(k),
                     corpus::Measured{values.at(k), interval ? interval : alone.at(k)});
    }
}

double areaUnderCurve(const ScoredCases& cases) {
    return measure(sortedCases(cases), onceEach(cases), 0.0).front();
}

double bestThreshold(const ScoredCases& cases) {
    const ScoredCases sorted = sortedCases(cases);
    const std::vector<double> once = onceEach(cases);
    const auto [allMembers, allOthers] = totals(sorted, once);
    double best = std::numeric_limits<double>::infinity();
    double largest = 0.0;  // of a threshold that calls no case a member
    sweep(sorted, once,
          [&, all = allMembers, rest = allOthers](double score, double members, double others) {
              const double advantage = members / all - others / rest;
              if (advantage > largest) {
                  largest = advantage;
                  best = score;
              }
          });
    return best;
}

}  // namespace epsilens::attack
