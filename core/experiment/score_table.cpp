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
    results.resampled = resampled(condition, classifier);
    for (const Measure measure : kMeasures) {
        RepeatDesign own = design;
        own.sharedVariance += varianceOf(measureOf(results.resampled, measure)).value_or(0.0);
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

std::vector<Scores> ScoreTable::resampled(std::size_t condition, std::size_t classifier) const {
    std::vector<Scores> means(at(m_repeats.front(), condition, classifier).resampled.size());
    for (const Repeat& repeat : m_repeats) {
        const std::vector<Scores>& scores = at(repeat, condition, classifier).resampled;
        for (std::size_t i = 0; i < means.size(); ++i) {
            for (std::size_t k = 0; k < scores[i].size(); ++k) {
                means[i].at(k) += scores[i].at(k) / static_cast<double>(m_repeats.size());
            }
        }
    }
    return means;
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

std::vector<double> measureOf(std::span<const Scores> scores, Measure measure) {
    std::vector<double> values;
    values.reserve(scores.size());
    for (const Scores& all : scores) {
        values.push_back(all.at(static_cast<std::size_t>(measure)));
    }
    return values;
}

double sharedVariance(std::span<const double> first, std::span<const double> second) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < first.size(); ++i) {
        differences.push_back(first[i] - second[i]);
    }
    return varianceOfMean(differences);
}

}  // namespace epsilens::experiment
