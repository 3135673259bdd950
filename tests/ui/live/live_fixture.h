#pragma once

#include <vector>

#include <QString>

#include "core/engine/neighbours.h"
#include "core/engine/paths.h"
#include "core/statistics/output_distribution.h"
#include "ui/live/live_model.h"
#include "ui/live/shown_distribution.h"
#include "ui/state/analysis_state.h"

namespace epsilens::test {

/// An epsilon at which draws of the toy embedding keep a word, return a near and a far one.
constexpr double kToyEpsilon = 0.7;

/// Gives a state a toy embedding (300 words, 6 dimensions) and that epsilon.
void loadToy(ui::AnalysisState& state);

/// What a state's settings make of some words, computed by the core alone.
class DirectComputation {
public:
    /// draws  R; 0 takes that of the state
    DirectComputation(const ui::AnalysisState& state, const std::vector<std::string>& words,
                      int draws = 0);

    [[nodiscard]] statistics::OutputDistribution distribution(std::size_t word,
                                                              double epsilon) const;
    /// Spelling of the output of a draw.
    [[nodiscard]] QString output(std::size_t word, int draw, double epsilon) const;
    [[nodiscard]] const engine::PathTable& paths() const { return m_paths; }

private:
    embedding::EmbeddingHandle m_embedding;
    engine::PathTable m_paths;
    std::vector<engine::Neighbourhood> m_neighbours;
};

[[nodiscard]] bool isSame(const ui::live::ShownDistribution& a,
                          const ui::live::ShownDistribution& b);
[[nodiscard]] bool isSame(const ui::live::ShownDistribution& a,
                          const statistics::OutputDistribution& b);

/// Every word has its distribution for the settings of now.
[[nodiscard]] bool isSettled(const ui::live::LiveModel& model);

}  // namespace epsilens::test
