#include "tests/ui/words/words_fixture.h"

#include <ctime>
#include <string>
#include <utility>

#include "core/engine/search_space.h"
#include "tests/ui/support/toy_embedding.h"

namespace epsilens::test {

calibration::RunHandle madeUpRun(int words) {
    calibration::CalibrationSummary summary;
    summary.grid.mechanism = mechanism::Mahalanobis();
    summary.grid.epsilons = {5.0, 10.0};
    summary.grid.lambdas = {0.0, 1.0};
    summary.words = words;
    summary.wordsAsked = words;
    summary.draws = 100;
    summary.seed = 3;
    for (const double lambda : summary.grid.lambdas) {
        for (const double epsilon : summary.grid.epsilons) {
            calibration::Cell cell;
            cell.epsilon = epsilon;
            cell.lambda = lambda;
            summary.cells.push_back(cell);
        }
    }
    calibration::WordTable& table = summary.perWord;
    table.cells = summary.cells.size();
    for (int word = 0; word < words; ++word) {
        table.words.push_back(word);
        for (int cell = 0; cell < 4; ++cell) {
            table.nw.push_back((7 * word + 10 * cell) % 101);
            table.sw.push_back(1 + word % 9);
            table.near.push_back(static_cast<float>(word % 10) / 100.0F);
        }
        table.criticalEpsilonMedian.push_back(static_cast<float>(1 + word));
        table.criticalEpsilonMedian.push_back(static_cast<float>(10 * (1 + word)));
    }
    calibration::Run run;
    run.summary = std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
    return std::make_shared<const calibration::Run>(std::move(run));
}

embedding::EmbeddingHandle largeVocabulary(int words) {
    auto prepared = std::make_shared<embedding::PreparedEmbedding>();
    embedding::Embedding& large = prepared->embedding;
    large.vectors = RowMatrixF::Zero(words, 1);
    large.vocabulary.reserve(words, std::int64_t{8} * words);
    // A prime that divides no power of ten: every number comes once.
    constexpr std::int64_t kStep = 7919;
    for (int word = 0; word < words; ++word) {
        (void)large.vocabulary.add("w" + std::to_string(word * kStep % words));
    }
    return prepared;
}

double threadMilliseconds() {
    timespec time{};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void loadToyInto(ui::AnalysisState& state) {
    const auto embedding = toyEmbedding();
    state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    state.edit(&ui::AnalysisSettings::suggest, {9.0, 2.0, 20.0});
}

}  // namespace epsilens::test
