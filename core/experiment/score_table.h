#pragma once

#include <cstddef>
#include <vector>

#include "core/experiment/classification.h"
#include "core/experiment/estimate.h"
#include "core/experiment/evaluation.h"
#include "core/experiment/scores.h"

namespace epsilens::experiment {

/// All scores of a run: repeats x conditions x classifiers.
class ScoreTable {
public:
    ScoreTable(std::size_t conditions, std::size_t classifiers)
        : m_conditions(conditions), m_classifiers(classifiers) {}

    void startRepeat() { m_repeats.emplace_back(m_conditions * m_classifiers); }
    void dropRepeat() { m_repeats.pop_back(); }
    /// Of the present repeat.
    [[nodiscard]] ModelScores& last(std::size_t condition, std::size_t classifier) {
        return m_repeats.back()[condition * m_classifiers + classifier];
    }
    [[nodiscard]] int repeats() const { return static_cast<int>(m_repeats.size()); }

    /// Values of a measure over the repeats.
    [[nodiscard]] std::vector<double> values(std::size_t condition, std::size_t classifier,
                                             Measure measure) const;
    [[nodiscard]] ClassifierResults summarize(std::size_t condition, std::size_t classifier,
                                              const RepeatDesign& design) const;
    /// Difference in accuracy of two conditions, its verdict open. Where all repeats share their
    /// test documents, the choice of these counts too.
    [[nodiscard]] Difference compare(std::size_t first, std::size_t second, std::size_t classifier,
                                     const RepeatDesign& design, double margin) const;

private:
    using Repeat = std::vector<ModelScores>;

    [[nodiscard]] const ModelScores& at(const Repeat& repeat, std::size_t condition,
                                        std::size_t classifier) const {
        return repeat[condition * m_classifiers + classifier];
    }
    [[nodiscard]] double sharedVariance(std::size_t first, std::size_t second,
                                        std::size_t classifier) const;

    std::size_t m_conditions;
    std::size_t m_classifiers;
    std::vector<Repeat> m_repeats{};
};

}  // namespace epsilens::experiment
