#include "core/calibration/run_pairs.h"

#include <algorithm>

#include "core/base/pass_on.h"
#include "core/embedding/examples.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {
namespace {

bool has(const std::vector<NamedPair>& pairs, const NamedPair& wanted) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const NamedPair& pair) {
        return pair == wanted || pair == NamedPair(wanted.second, wanted.first);
    });
}

}  // namespace

std::vector<NamedPair> wellKnownPairs() {
    std::vector<NamedPair> pairs;
    for (const embedding::ExamplePair& pair : embedding::examplePairs()) {
        pairs.emplace_back(pair.first, pair.second);
    }
    return pairs;
}

bool isWellKnown(const NamedPair& pair) {
    return has(wellKnownPairs(), pair);
}

std::vector<NamedPair> pairsOf(const Run& run) {
    std::vector<NamedPair> pairs;
    for (const PairDistance& distance : run.pairs) {
        NamedPair pair(distance.first, distance.second);
        if (!isWellKnown(pair) && !has(pairs, pair)) {
            pairs.push_back(std::move(pair));
        }
    }
    const std::vector<NamedPair> wellKnown = wellKnownPairs();
    pairs.insert(pairs.end(), wellKnown.begin(), wellKnown.end());
    return pairs;
}

std::vector<NamedPair> pairsWith(const Run& run, NamedPair pair) {
    std::vector<NamedPair> pairs = pairsOf(run);
    if (!has(pairs, pair)) {
        pairs.insert(pairs.begin(), std::move(pair));
    }
    return pairs;
}

Result<std::vector<PairDistance>> pairDistances(const engine::SearchSpace& space,
                                                const mechanism::Grid& grid,
                                                std::span<const NamedPair> pairs) {
    std::vector<PairDistance> distances;
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    for (const double lambda : grid.lambdas) {
        ASSIGN_OR_RETURN(const auto metric, metric::WordMetric::create(
                                                space.handle(), grid.mechanism.metric(), lambda));
        for (const NamedPair& pair : pairs) {
            const auto first = vocabulary.find(pair.first);
            const auto second = vocabulary.find(pair.second);
            if (first && second) {
                distances.push_back(
                    {pair.first, pair.second, lambda, metric.distance(*first, *second)});
            }
        }
    }
    return distances;
}

}  // namespace epsilens::calibration
