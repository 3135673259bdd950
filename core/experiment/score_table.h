#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/experiment/classification.h"
#include "core/experiment/estimate.h"
#include "core/experiment/evaluation.h"
#include "core/experiment/scores.h"

namespace epsilens::experiment {

/// Variance of the mean difference of two conditions over test documents that all repeats share; 0
/// for fewer than two.
///
/// first, second  as ClassifierResults::correct, equally many
[[nodiscard]] double sharedVariance(std::span<const double> first, std::span<const double> second);

/// The values of one measure.
[[nodiscard]] std::vector<double> measureOf(std::span<const Scores> scores, Measure measure);

/// All scores of a run: repeats x conditions x classifiers.
class ScoreTable {
public:
    ScoreTable(int repeats, std::size_t conditions, std::size_t classifiers)
        : m_classifiers(classifiers),
          m_repeats(static_cast<std::size_t>(repeats), Repeat(conditions * classifiers)) {}

    [[nodiscard]] ModelScores& at(int repeat, std::size_t condition, std::size_t classifier) {
        return m_repeats[static_cast<std::size_t>(repeat)][condition * m_classifiers + classifier];
    }
    /// Keeps the first repeats, so many.
    void keep(int repeats) { m_repeats.resize(static_cast<std::size_t>(repeats)); }
    [[nodiscard]] int repeats() const { return static_cast<int>(m_repeats.size()); }

    /// Values of a measure over the repeats.
    [[nodiscard]] std::vector<double> values(std::size_t condition, std::size_t classifier,
                                             Measure measure) const;
    /// Of all repeats, for retainedShare.
    [[nodiscard]] Accuracies accuracies(std::size_t condition, std::size_t classifier) const;
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
    /// As ClassifierResults::resampled.
    [[nodiscard]] std::vector<Scores> resampled(std::size_t condition,
                                                std::size_t classifier) const;
    /// As ClassifierResults::correct.
    [[nodiscard]] std::vector<double> correct(std::size_t condition, std::size_t classifier) const;

    std::size_t m_classifiers;
    std::vector<Repeat> m_repeats;
};

}  // namespace epsilens::experiment
