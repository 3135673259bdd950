#include "core/evaluation/scores.h"

#include <limits>

#include "core/attack/detection.h"

namespace epsilens::evaluation {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

double ratio(double part, double whole) {
    return whole > 0.0 ? part / whole : kNotThere;
}

/// Correct and wrong decisions about one class.
struct ClassCounts {
    double hits = 0.0;
    double predicted = 0.0;
    double actual = 0.0;
};

}  // namespace

std::string_view measureName(Measure measure) {
    constexpr std::array<std::string_view, kMeasures.size()> kNames{"accuracy", "macroF1",
                                                                    "precision", "recall", "auc"};
    return kNames.at(static_cast<std::size_t>(measure));
}

std::vector<std::int32_t> predictedClasses(const RowMatrixD& probabilities) {
    std::vector<std::int32_t> predicted;
    for (Eigen::Index i = 0; i < probabilities.rows(); ++i) {
        Eigen::Index largest = 0;
        probabilities.row(i).maxCoeff(&largest);
        predicted.push_back(static_cast<std::int32_t>(largest));
    }
    return predicted;
}

Scores scoresOf(const RowMatrixD& probabilities, std::span<const std::int32_t> labels,
                std::optional<std::int32_t> positive) {
    const std::vector<std::int32_t> predicted = predictedClasses(probabilities);
    std::vector<ClassCounts> classes(static_cast<std::size_t>(probabilities.cols()));
    double hits = 0.0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool isHit = labels[i] == predicted[i];
        ++classes[static_cast<std::size_t>(labels[i])].actual;
        ++classes[static_cast<std::size_t>(predicted[i])].predicted;
        classes[static_cast<std::size_t>(labels[i])].hits += isHit ? 1.0 : 0.0;
        hits += isHit ? 1.0 : 0.0;
    }
    double f1 = 0.0;
    double seen = 0.0;
    for (const ClassCounts& counts : classes) {
        if (counts.actual + counts.predicted > 0.0) {
            f1 += 2.0 * counts.hits / (counts.actual + counts.predicted);
            seen += 1.0;
        }
    }
    Scores scores{ratio(hits, static_cast<double>(labels.size())), ratio(f1, seen), kNotThere,
                  kNotThere, kNotThere};
    if (positive) {
        const ClassCounts& counts = classes[static_cast<std::size_t>(*positive)];
        attack::ScoredCases cases;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            cases.scores.push_back(probabilities(static_cast<Eigen::Index>(i), *positive));
            cases.members.push_back(labels[i] == *positive ? 1 : 0);
        }
        cases.clusters.resize(labels.size());
        scores[2] = ratio(counts.hits, counts.predicted);
        scores[3] = ratio(counts.hits, counts.actual);
        scores[4] = attack::areaUnderCurve(cases);
    }
    return scores;
}

}  // namespace epsilens::evaluation
