#include "core/training/reconstruction.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/training/is_a_graph.h"

namespace epsilens::training {
namespace {

/// Children between two looks at the stop token.
constexpr std::size_t kChildrenPerReport = 256;

/// Sums over children.
struct Scores {
    std::int64_t ranks = 0;
    double averagePrecisions = 0.0;
};

/// cosh d(u, x) - 1 of a child u and every node x, but for a factor that is the same for all x.
VectorD orderingOf(const Eigen::Ref<const RowMatrixD>& vectors, const VectorD& gaps, Row child) {
    return (vectors.rowwise() - vectors.row(child)).rowwise().squaredNorm().cwiseQuotient(gaps);
}

Scores scoresOf(const IsAGraph& graph, const VectorD& ordering, Row child) {
    const std::span<const Row> parents = graph.parentsOf(child);
    std::vector<double> positives;
    for (const Row parent : parents) {
        positives.push_back(ordering[parent]);
    }
    std::sort(positives.begin(), positives.end());
    // Negatives whose nearest positive that is not nearer than they are is the i-th.
    std::vector<std::int64_t> before(positives.size() + 1, 0);
    auto nextParent = parents.begin();
    for (Row node = 0; node < graph.nodeCount(); ++node) {
        if (nextParent != parents.end() && *nextParent == node) {
            ++nextParent;
        } else if (node != child) {
            const auto place = std::lower_bound(positives.begin(), positives.end(), ordering[node]);
            ++before[static_cast<std::size_t>(place - positives.begin())];
        }
    }
    Scores scores;
    std::int64_t negatives = 0;
    for (std::size_t i = 0; i < positives.size(); ++i) {
        negatives += before[i];
        const auto found = static_cast<std::int64_t>(i) + 1;
        scores.ranks += negatives + 1;
        scores.averagePrecisions +=
            static_cast<double>(found) / static_cast<double>(found + negatives);
    }
    scores.averagePrecisions /= static_cast<double>(positives.size());
    return scores;
}

std::vector<Row> childrenOf(const IsAGraph& graph) {
    std::vector<Row> children;
    for (Row node = 0; node < graph.nodeCount(); ++node) {
        if (!graph.parentsOf(node).empty()) {
            children.push_back(node);
        }
    }
    return children;
}

}  // namespace

Result<Reconstruction> reconstruct(const IsAList& list, const Eigen::Ref<const RowMatrixD>& vectors,
                                   int threads, const JobContext& job) {
    if (vectors.rows() != list.nodes.size() || list.pairs.empty()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("{} vectors for {} nodes and {} pairs; every node needs one",
                                formatCount(vectors.rows()), formatCount(list.nodes.size()),
                                formatCount(static_cast<std::int64_t>(list.pairs.size()))));
    }
    const VectorD gaps = 1.0 - vectors.rowwise().squaredNorm().array();
    if (!(gaps.minCoeff() > 0.0)) {
        return fail(ErrorCode::invalidArgument, "a vector has no norm below 1");
    }
    const IsAGraph graph(static_cast<Row>(list.nodes.size()), list.pairs);
    const std::vector<Row> children = childrenOf(graph);
    std::vector<Scores> scores(children.size());
    for (std::size_t begin = 0; begin < children.size(); begin += kChildrenPerReport) {
        const std::size_t count = std::min(kChildrenPerReport, children.size() - begin);
        parallelFor(static_cast<std::int64_t>(count), threads, [&](std::int64_t i) {
            const std::size_t index = begin + static_cast<std::size_t>(i);
            scores[index] =
                scoresOf(graph, orderingOf(vectors, gaps, children[index]), children[index]);
        });
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "the reconstruction was cancelled");
        }
        job.progress(static_cast<double>(begin + count) / static_cast<double>(children.size()),
                     "Ranking");
    }
    Scores total;
    for (const Scores& score : scores) {
        total.ranks += score.ranks;
        total.averagePrecisions += score.averagePrecisions;
    }
    return Reconstruction{static_cast<double>(total.ranks) / static_cast<double>(list.pairs.size()),
                          total.averagePrecisions / static_cast<double>(children.size())};
}

}  // namespace epsilens::training
