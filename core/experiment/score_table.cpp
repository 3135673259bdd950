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
        results.measures.at(static_cast<std::size_t>(measure)) =
            estimateOf(values(condition, classifier, measure), own);
    }
    for (const Repeat& repeat : m_repeats) {
        results.repeats.push_back(at(repeat, condition, classifier).scores);
    }
    return results;
}

Difference ScoreTable::compare(std::size_t first, std::size_t second, std::size_t classifier,
                               const RepeatDesign& design, double margin) const {
    RepeatDesign own = design;
    own.sharedVariance = sharedVariance(first, second, classifier);
    return compareRepeats(values(first, classifier, Measure::accuracy),
                          values(second, classifier, Measure::accuracy), own, margin);
}

// Variance of the mean difference over the test documents; 0 where decisions were not kept.
double ScoreTable::sharedVariance(std::size_t first, std::size_t second,
                                  std::size_t classifier) const {
    const std::size_t documents = at(m_repeats.front(), first, classifier).correct.size();
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < documents; ++i) {
        double difference = 0.0;
        for (const Repeat& repeat : m_repeats) {
            difference += (at(repeat, first, classifier).correct[i] ? 1.0 : 0.0) -
                          (at(repeat, second, classifier).correct[i] ? 1.0 : 0.0);
        }
        difference /= static_cast<double>(m_repeats.size());
        sum += difference;
        squares += difference * difference;
    }
    const auto n = static_cast<double>(documents);
    return documents < 2 ? 0.0 : (squares - sum * sum / n) / (n - 1.0) / n;
}

}  // namespace epsilens::experiment
