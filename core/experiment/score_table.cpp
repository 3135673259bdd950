#include "core/experiment/score_table.h"

namespace epsilens::experiment {

std::vector<double> ScoreTable::values(std::size_t condition, std::size_t classifier,
                                       Measure measure) const {
    std::vector<double> values;
    for (const Repeat& repeat : m_repeats) {
        values.push_back(
            at(repeat, condition, classifier).scores.at(static_cast<std::size_t>(measure)));
    }
    return values;
}

ClassifierResults ScoreTable::summarize(std::size_t condition, std::size_t classifier,
                                        const RepeatDesign& design) const {
    ClassifierResults results;
    for (const Measure measure : kMeasures) {
        RepeatDesign own = design;
        for (const Repeat& repeat : m_repeats) {
            own.sharedVariance +=
                at(repeat, condition, classifier).variances.at(static_cast<std::size_t>(measure)) /
                static_cast<double>(m_repeats.size());
        }
        own.cases = measure == Measure::accuracy ? design.cases : 0.0;
        results.measures.at(static_cast<std::size_t>(measure)) =
            estimateOf(values(condition, classifier, measure), own);
    }
    for (const Repeat& repeat : m_repeats) {
        results.repeats.push_back(at(repeat, condition, classifier).scores);
    }
    results.correct = correct(condition, classifier);
    return results;
}

Difference ScoreTable::compare(std::size_t first, std::size_t second, std::size_t classifier,
                               const RepeatDesign& design, double margin) const {
    RepeatDesign own = design;
    // Wilson's interval is one of a share, which a difference is not.
    own.cases = 0.0;
    own.sharedVariance = sharedVariance(correct(first, classifier), correct(second, classifier));
    return compareRepeats(values(first, classifier, Measure::accuracy),
                          values(second, classifier, Measure::accuracy), own, margin);
}

std::vector<double> ScoreTable::correct(std::size_t condition, std::size_t classifier) const {
    std::vector<double> shares(at(m_repeats.front(), condition, classifier).correct.size());
    for (const Repeat& repeat : m_repeats) {
        for (std::size_t i = 0; i < shares.size(); ++i) {
            shares[i] += at(repeat, condition, classifier).correct[i] ? 1.0 : 0.0;
        }
    }
    for (double& share : shares) {
        share /= static_cast<double>(m_repeats.size());
    }
    return shares;
}

Accuracies ScoreTable::accuracies(std::size_t condition, std::size_t classifier) const {
    return {values(condition, classifier, Measure::accuracy), correct(condition, classifier)};
}

double sharedVariance(std::span<const double> first, std::span<const double> second) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < first.size(); ++i) {
        differences.push_back(first[i] - second[i]);
    }
    return varianceOfMean(differences);
}

}  // namespace epsilens::experiment
