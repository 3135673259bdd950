#include "core/attack/detection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <Eigen/Cholesky>

#include "core/base/parallel.h"
#include "core/calibration/summary.h"
#include "core/corpus/streams.h"
#include "core/numeric/quantile.h"

namespace epsilens::attack {
namespace {

constexpr std::array kNames{"auc", "accuracy", "precision", "recall", "advantage", "tprAt1"};
// In the order of the names.
using Values = std::array<double, kNames.size()>;

// By falling score, so that resamples differ in weights only.
ScoredCases sortedCases(ScoredCases cases) {
    std::ranges::stable_sort(cases, std::greater<>{}, &ScoredCase::score);
    return cases;
}

// A weight of 1 for each cluster.
std::vector<double> onceEach(const ScoredCases& cases) {
    const std::int32_t last = std::ranges::max(cases, {}, &ScoredCase::cluster).cluster;
    return std::vector<double>(static_cast<std::size_t>(last) + 1, 1.0);
}

// Members and others with a weight each; visit(score, members, others) after each group of equal
// scores, with the sums so far. Returns the sums of all.
template <typename Visit>
std::array<double, 2> sweep(const ScoredCases& sorted, std::span<const double> clusterWeights,
                            Visit visit) {
    double members = 0.0;
    double others = 0.0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        (sorted[i].isMember ? members : others) +=
            clusterWeights[static_cast<std::size_t>(sorted[i].cluster)];
        if (i + 1 == sorted.size() || sorted[i + 1].score < sorted[i].score) {
            visit(sorted[i].score, members, others);
        }
    }
    return {members, others};
}

std::array<double, 2> totals(const ScoredCases& sorted, std::span<const double> clusterWeights) {
    return sweep(sorted, clusterWeights, [](double, double, double) {});
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

using corpus::Interval;

// Clusters with a case that counts.
template <typename Counts>
double clustersWith(const ScoredCases& cases, Counts counts) {
    std::set<std::int32_t> clusters;
    for (const ScoredCase& one : cases) {
        if (counts(one)) {
            clusters.insert(one.cluster);
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

Interval areaInterval(double area, double members, double others) {
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

ScoredCases scoredCases(const VectorD& scores, std::span<const std::uint8_t> members,
                        std::span<const std::int32_t> clusters) {
    ScoredCases cases;
    for (std::size_t i = 0; i < members.size(); ++i) {
        cases.push_back({scores[static_cast<Eigen::Index>(i)], members[i] != 0,
                         clusters.empty() ? static_cast<std::int32_t>(i) : clusters[i]});
    }
    return cases;
}

void detect(const ScoredCases& cases, double threshold, const BootstrapOptions& options,
            const std::string& path, Findings& findings) {
    // Resamples of fewer hardly differ.
    constexpr std::size_t kFewestClusters = 10;
    const ScoredCases sorted = sortedCases(cases);
    const std::vector<double> once = onceEach(cases);
    const Values values = measure(sorted, once, threshold);
    std::vector<Values> resampled(static_cast<std::size_t>(options.resamples));
    parallelFor(options.resamples, options.threads, [&](std::int64_t index) {
        SeededStream stream(
            StreamKey{options.seed, corpus::kBootstrap, 0, static_cast<std::uint32_t>(index)});
        std::vector<double> drawn(once.size());
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            drawn[stream.below(drawn.size())] += 1.0;
        }
        resampled[static_cast<std::size_t>(index)] = measure(sorted, drawn, threshold);
    });
    // From the numbers of clusters alone.
    const double all = clustersWith(cases, [](const ScoredCase&) { return true; });
    const double members = clustersWith(cases, [](const ScoredCase& one) { return one.isMember; });
    const double others = clustersWith(cases, [](const ScoredCase& one) { return !one.isMember; });
    const double called =
        clustersWith(cases, [&](const ScoredCase& one) { return one.score >= threshold; });
    const double alarms = values[3] - values[4];
    std::array<Interval, kNames.size()> intervals{
        areaInterval(values[0], members, others),
        wilsonOf(values[1], all),
        wilsonOf(values[2], called),
        wilsonOf(values[3], members),
        differenceOf(values[3], wilsonOf(values[3], members), alarms, wilsonOf(alarms, others)),
        wilsonOf(values[5], members)};
    for (std::size_t k = 0; k < kNames.size(); ++k) {
        std::vector<double> column;
        for (const Values& row : resampled) {
            if (!std::isnan(row.at(k))) {
                column.push_back(row.at(k));
            }
        }
        if (once.size() >= kFewestClusters && !std::isnan(values.at(k)) && !column.empty()) {
            std::ranges::sort(column);
            const std::array<double, 2> percentiles{numeric::quantileOfSorted(column, 0.025),
                                                    numeric::quantileOfSorted(column, 0.975)};
            if (percentiles[0] < percentiles[1]) {
                intervals.at(k) = percentiles;
            }
        }
        findings.add(path + kNames.at(k), corpus::Measured{values.at(k), intervals.at(k)});
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

namespace {

/// (feature - mean) / spread, by those of each feature on some cases, at least one; features that
/// do not vary there become 0.
auto standardisationBy(const RowMatrixD& features) {
    const VectorD means = features.colwise().mean().transpose();
    VectorD inverseSpreads(features.cols());
    for (Eigen::Index k = 0; k < features.cols(); ++k) {
        const double spread = std::sqrt((features.col(k).array() - means[k]).square().mean());
        const double least = 1e-12 * std::max(1.0, std::abs(means[k]));
        inverseSpreads[k] = spread > least ? 1.0 / spread : 0.0;
    }
    return [means, inverseSpreads](const RowMatrixD& cases) -> RowMatrixD {
        return (cases.rowwise() - means.transpose()) * inverseSpreads.asDiagonal();
    };
}

/// Parameters with Adam's estimates of the moments of their gradients.
struct Parameters {
    /// step  from 1
    void descend(int step, const RowMatrixD& gradient) {
        constexpr double kRate = 1e-3;
        constexpr double kFirstDecay = 0.9;
        constexpr double kSecondDecay = 0.999;
        constexpr double kLeast = 1e-8;
        const double firstBias = 1.0 - std::pow(kFirstDecay, step);
        const double secondBias = 1.0 - std::pow(kSecondDecay, step);
        first.array() += (1.0 - kFirstDecay) * (gradient - first).array();
        second.array() += (1.0 - kSecondDecay) * (gradient.array().square() - second.array());
        values.array() -=
            kRate * (first.array() / firstBias) / ((second.array() / secondBias).sqrt() + kLeast);
    }

    RowMatrixD values;
    RowMatrixD first = RowMatrixD::Zero(values.rows(), values.cols());
    RowMatrixD second = first;
};

struct Layer {
    Parameters weights;  ///< outputs x inputs
    Parameters biases;   ///< a row
};

using Layers = std::vector<Layer>;

/// What comes out of each layer; rectified but for the last one.
std::vector<RowMatrixD> activationsOf(const Layers& layers, const RowMatrixD& inputs) {
    std::vector<RowMatrixD> activations;
    for (const Layer& layer : layers) {
        const RowMatrixD& below = activations.empty() ? inputs : activations.back();
        RowMatrixD values =
            (below * layer.weights.values.transpose()).rowwise() + layer.biases.values.row(0);
        if (activations.size() + 1 < layers.size()) {
            values = values.cwiseMax(0.0);
        }
        activations.push_back(std::move(values));
    }
    return activations;
}

/// One step on the mean loss of a batch.
void descend(Layers& layers, int step, const RowMatrixD& inputs, const VectorD& labels) {
    const std::vector<RowMatrixD> activations = activationsOf(layers, inputs);
    const VectorD logits = activations.back().col(0);
    const VectorD probabilities = (1.0 + (-logits.array()).exp()).inverse();
    RowMatrixD error = (probabilities - labels) / static_cast<double>(labels.size());
    for (std::size_t k = layers.size(); k-- > 0;) {
        const RowMatrixD& below = k > 0 ? activations[k - 1] : inputs;
        RowMatrixD errorBelow;
        if (k > 0) {
            errorBelow = (error * layers[k].weights.values)
                             .cwiseProduct((below.array() > 0.0).cast<double>().matrix());
        }
        layers[k].weights.descend(step, error.transpose() * below);
        layers[k].biases.descend(step, error.colwise().sum());
        error = std::move(errorBelow);
    }
}

// Smaller probabilities have no finite loss.
constexpr double kLeastProbability = 1e-12;

VectorD negativeLosses(const ClassifierOutputs& outputs) {
    VectorD scores(outputs.probabilities.rows());
    for (Eigen::Index document = 0; document < scores.size(); ++document) {
        const std::int32_t label = outputs.labels[static_cast<std::size_t>(document)];
        scores[document] =
            std::log(std::max(outputs.probabilities(document, label), kLeastProbability));
    }
    return scores;
}

}  // namespace

Scorer fitLogistic(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                   double penalty) {
    constexpr int kMostSteps = 100;
    constexpr int kMostHalvings = 30;
    constexpr double kTolerance = 1e-10;
    const auto standardised = standardisationBy(features);
    // The last weight is the intercept.
    const Eigen::Index last = features.cols();
    RowMatrixD inputs(features.rows(), last + 1);
    inputs << standardised(features), VectorD::Ones(features.rows());
    VectorD wanted(features.rows());
    std::ranges::copy(labels, wanted.begin());
    const auto lossAt = [&](const VectorD& weights) {
        const VectorD margins = inputs * weights;
        double sum = 0.5 * penalty * weights.head(last).squaredNorm();
        for (Eigen::Index i = 0; i < margins.size(); ++i) {
            const double wrong = wanted[i] > 0.5 ? -margins[i] : margins[i];
            sum += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
        }
        return sum;
    };
    // Solves Hessian step = gradient.
    const auto newtonStep = [&](const VectorD& weights) -> VectorD {
        const VectorD margins = inputs * weights;
        const VectorD probabilities = (1.0 + (-margins.array()).exp()).inverse();
        VectorD gradient = inputs.transpose() * (probabilities - wanted);
        const VectorD curvatures = probabilities.array() * (1.0 - probabilities.array());
        Eigen::MatrixXd hessian = inputs.transpose() * curvatures.asDiagonal() * inputs;
        gradient.head(last) += penalty * weights.head(last);
        hessian.diagonal().head(last).array() += penalty;
        // Keeps the intercept solvable where all probabilities are 0 or 1.
        hessian(last, last) += 1e-9;
        return hessian.ldlt().solve(gradient);
    };
    VectorD weights = VectorD::Zero(last + 1);
    double value = lossAt(weights);
    for (int step = 0; step < kMostSteps; ++step) {
        VectorD change = newtonStep(weights);
        double next = lossAt(weights - change);
        for (int halving = 0; halving < kMostHalvings && !(next <= value); ++halving) {
            change *= 0.5;
            next = lossAt(weights - change);
        }
        if (!(next < value)) {
            break;
        }
        weights -= change;
        const bool isDone = value - next <= kTolerance * value;
        value = next;
        if (isDone) {
            break;
        }
    }
    return [standardised, slopes = VectorD(weights.head(last)),
            intercept = weights[last]](const RowMatrixD& cases) {
        return VectorD((standardised(cases) * slopes).array() + intercept);
    };
}

Result<Scorer> fitPerceptron(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                             std::uint64_t seed, const JobContext& job) {
    constexpr Eigen::Index kWidth = 64;
    constexpr int kEpochs = 20;
    constexpr std::size_t kBatch = 64;
    const auto standardised = standardisationBy(features);
    const RowMatrixD inputs = standardised(features);
    Layers layers;
    SeededStream stream(StreamKey{seed, corpus::kPerceptron, 0, 0});
    Eigen::Index width = inputs.cols();
    for (const Eigen::Index outputs : {kWidth, kWidth, Eigen::Index{1}}) {
        const double spread =
            std::sqrt(2.0 / static_cast<double>(std::max<Eigen::Index>(width, 1)));
        layers.push_back(
            {{RowMatrixD::NullaryExpr(outputs, width, [&] { return spread * stream.normal(); })},
             {RowMatrixD::Zero(1, outputs)}});
        width = outputs;
    }
    int step = 0;
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        const std::vector<std::size_t> order = shuffledIndices(
            labels.size(), {seed, corpus::kPerceptron, 0, static_cast<std::uint32_t>(epoch) + 1});
        for (std::size_t first = 0; first < order.size(); first += kBatch) {
            RETURN_IF_ERROR(job.checkStop());
            const auto batch = partFrom(order, first, kBatch);
            VectorD wanted(static_cast<Eigen::Index>(batch.size()));
            std::ranges::transform(batch, wanted.begin(),
                                   [&](std::size_t index) { return labels[index]; });
            descend(layers, ++step, inputs(batch, Eigen::all), wanted);
        }
        job.progress(epoch + 1, kEpochs, "Attack model");
    }
    return [standardised, layers = std::move(layers)](const RowMatrixD& cases) {
        return VectorD(activationsOf(layers, standardised(cases)).back().col(0));
    };
}

Result<Findings> inferMembership(const ClassifierOutputs& shadow, const ClassifierOutputs& target,
                                 const BootstrapOptions& options, const JobContext& job) {
    Findings findings;
    const auto tell = [&](const char* path, const VectorD& onShadow, const VectorD& onTarget) {
        detect(scoredCases(onTarget, target.members),
               bestThreshold(scoredCases(onShadow, shadow.members)), options, path, findings);
    };
    tell("threshold.", negativeLosses(shadow), negativeLosses(target));
    ASSIGN_OR_RETURN(const auto perceptron,
                     fitPerceptron(shadow.probabilities, shadow.members, options.seed, job));
    tell("perceptron.", perceptron(shadow.probabilities), perceptron(target.probabilities));
    return findings;
}

}  // namespace epsilens::attack
