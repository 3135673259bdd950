#include "tests/ui/support/toy_embedding.h"

#include <string>

#include "core/base/random_stream.h"
#include "ui/state/analysis_state.h"

namespace epsilens::test {

embedding::EmbeddingHandle toyEmbedding() {
    return toyEmbedding(40, 3);
}

embedding::EmbeddingHandle toyEmbedding(int words, int dimensions) {
    embedding::Embedding toy;
    toy.name = "toy.txt";
    toy.path = "/somewhere/toy.txt";
    toy.report.sha256 = std::string(64, 'a');
    toy.vectors.resize(words, dimensions);
    SeededStream random(StreamKey{7, StreamPurpose::unitDraws, 0, 0});
    for (int row = 0; row < words; ++row) {
        const std::string word = row == 0   ? "paris"
                                 : row == 1 ? "london"
                                            : "word" + std::to_string(row);
        (void)toy.vocabulary.add(word);
        for (int column = 0; column < dimensions; ++column) {
            toy.vectors(row, column) = static_cast<float>(random.normal() * (1.0 + column));
        }
    }
    return embedding::prepareEmbedding(std::move(toy)).value();
}

embedding::EmbeddingHandle toyBall(int words, int dimensions) {
    embedding::Embedding ball = toyEmbedding(words, dimensions)->embedding;
    ball.name = "ball.txt";
    ball.path = "/somewhere/ball.txt";
    for (int row = 0; row < words; ++row) {
        const float norm = 0.3F + 0.65F * static_cast<float>(row) / static_cast<float>(words);
        ball.vectors.row(row) *= norm / ball.vectors.row(row).norm();
    }
    return embedding::prepareEmbedding(std::move(ball)).value();
}

void open(ui::AnalysisState& state, const embedding::EmbeddingHandle& embedding) {
    state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
}

}  // namespace epsilens::test
