#include "tests/ui/words/words_fixture.h"

#include <ctime>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/search_space.h"
#include "tests/ui/support/toy_embedding.h"

namespace epsilens::test {

namespace {

calibration::MeasurementBasis madeUpBasis(int words,
                                          const calibration::MeasurementOptions& options) {
    calibration::MeasurementBasis basis;
    basis.options = options;
    basis.words.resize(static_cast<std::size_t>(words));
    std::iota(basis.words.begin(), basis.words.end(), 0);
    basis.weights.assign(basis.words.size(), 1.0);
    return basis;
}

class MadeUpMeasurement final : public calibration::Measurement {
public:
    MadeUpMeasurement(int words, const calibration::MeasurementOptions& options)
        : Measurement(madeUpBasis(words, options)) {
        const double factor = options.mechanism.lambda() > 0.0 ? 10.0 : 1.0;
        std::vector<double> halfKept;
        for (int word = 0; word < words; ++word) {
            halfKept.push_back((1.0 + word) * factor);
        }
        setScale(std::move(halfKept), {});
    }

    [[nodiscard]] calibration::OutputShares sharesAt(double /*epsilon*/) const override {
        return {};
    }
    [[nodiscard]] calibration::MeasuredWord wordAt(std::size_t word,
                                                   double epsilon) const override {
        const auto w = static_cast<int>(word);
        const int shift =
            static_cast<int>(2.0 * epsilon + 20.0 * options().mechanism.lambda()) - 10;
        return {static_cast<double>((7 * w + shift) % 101), 1.0 + w % 9,
                static_cast<double>(w % 10)};
    }
    [[nodiscard]] std::vector<calibration::MeasuredOutput> outputsAt(
        std::size_t /*word*/, double /*epsilon*/, std::size_t /*most*/) const override {
        return {};
    }
    [[nodiscard]] std::vector<calibration::Cell> cellsAt(
        std::span<const double> epsilons) const override {
        std::vector<calibration::Cell> cells(epsilons.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i].epsilon = epsilons[i];
            cells[i].lambda = options().mechanism.lambda();
        }
        return cells;
    }
    [[nodiscard]] Result<calibration::EpsilonFound> findLargest(
        const std::vector<calibration::Limit>& /*limits*/,
        const std::optional<calibration::EpsilonSpan>& /*bounds*/,
        const JobContext& /*job*/) const override {
        return fail(ErrorCode::unsupported, "made up");
    }
};

}  // namespace

calibration::MeasurementHandle madeUpMeasurement(int words,
                                                 const calibration::MeasurementOptions& options) {
    return std::make_shared<const MadeUpMeasurement>(words, options);
}

ui::MeasureFunction madeUpMeasure(int words) {
    return [words](const engine::SearchSpace& /*space*/,
                   const calibration::MeasurementOptions& options, const JobContext& /*job*/) {
        return Result<calibration::MeasurementHandle>(madeUpMeasurement(words, options));
    };
}

ui::WordRows madeUpRows(int words, embedding::EmbeddingHandle embedding, double epsilon,
                        double lambda, const ui::VocabularyDensityHandle& density) {
    calibration::MeasurementOptions options;
    options.mechanism = mechanism::Mahalanobis{lambda};
    return ui::WordRows::at(madeUpMeasurement(words, options), epsilon, std::move(embedding),
                            density)
        .value();
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

void loadToyInto(ui::AnalysisState& state) {
    const auto embedding = toyEmbedding();
    state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    state.edit(&ui::AnalysisSettings::suggest, {9.0, 2.0, 20.0});
    state.edit(&ui::AnalysisSettings::chooseEpsilon, 5.0);
    state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.0});
    state.edit(&ui::AnalysisSettings::seed, 3);
}

}  // namespace epsilens::test
