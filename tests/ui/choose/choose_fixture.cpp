#include "tests/ui/choose/choose_fixture.h"

#include <algorithm>
#include <memory>

#include "core/engine/noise_series.h"
#include "core/mechanism/elliptical_noise.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::test {

namespace {

constexpr int kToyWords = 300;
constexpr int kToyDimensions = 6;
constexpr int kNeighbours = 100;

std::vector<embedding::Row> rowsOf(const embedding::PreparedEmbedding& embedding,
                                   const std::vector<std::string>& words) {
    std::vector<embedding::Row> rows;
    rows.reserve(words.size());
    for (const std::string& word : words) {
        rows.push_back(embedding.vocabulary().find(word).value());
    }
    return rows;
}

std::vector<engine::WordPaths> pathsOf(const ui::AnalysisState& state,
                                       const std::vector<embedding::Row>& rows, int draws) {
    const auto noise =
        mechanism::EllipticalNoise::create(state.basis(), state.mechanism().lambda()).value();
    return engine::computePaths(*engine::ellipticalSeries(*state.searchSpace(), {noise}), rows,
                                {draws > 0 ? draws : state.draws(), state.seed()})
        .value();
}

}  // namespace

void loadToy(ui::AnalysisState& state) {
    const embedding::EmbeddingHandle toy = toyEmbedding(kToyWords, kToyDimensions);
    state.setEmbedding(toy, std::make_shared<const engine::SearchSpace>(toy));
    state.edit(&ui::AnalysisSettings::chooseEpsilon, kToyEpsilon);
}

DirectComputation::DirectComputation(const ui::AnalysisState& state,
                                     const std::vector<std::string>& words, int draws)
    : m_embedding(state.embedding()),
      m_rows(rowsOf(*m_embedding, words)),
      m_paths(pathsOf(state, m_rows, draws)),
      m_neighbours(engine::nearestNeighbours(*state.searchSpace(), m_rows, kNeighbours).value()) {}

calibration::OutputDistribution DirectComputation::distribution(std::size_t word,
                                                                double epsilon) const {
    return calibration::outputDistribution(m_rows[word], engine::outputsAt(m_paths[word], epsilon),
                                           m_neighbours[word]);
}

QString DirectComputation::output(std::size_t word, int draw, double epsilon) const {
    return ui::toQString(m_embedding->vocabulary().word(
        m_paths[word][static_cast<std::size_t>(draw)].output(epsilon)));
}

bool isSame(const ui::choose::ShownDistribution& a,
            const calibration::OutputDistribution& sampled) {
    const ui::choose::ShownDistribution b(sampled);
    return a.draws == b.draws && a.kept == b.kept && a.near == b.near && a.far == b.far &&
           std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                      [](const auto& x, const auto& y) {
                          return x.row == y.row && x.count == y.count &&
                                 x.outputClass == y.outputClass;
                      });
}

bool isSettled(const ui::choose::ChooseModel& model) {
    return !model.words().empty() && !model.isBehind() && !model.outputJob().isRunning();
}

}  // namespace epsilens::test
