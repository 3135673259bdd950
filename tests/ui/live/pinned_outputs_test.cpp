#include "ui/live/pinned_outputs.h"

#include <vector>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using test::kPatienceMs;
using ui::live::PinnedOutputs;

namespace {

constexpr int kManyDraws = 10'000;  ///< enough that a job is still running when it is stopped

struct Fixture {
    Fixture() {
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 4.0);
    }
    [[nodiscard]] bool isKnown(embedding::Row row) const {
        return outputs.distribution(ui::Word(state.embedding(), row)).has_value();
    }

    ui::AnalysisState state;
    PinnedOutputs outputs{state};
};

}  // namespace

class PinnedOutputsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pinnedAgainWhileItsJobIsBeingStopped() {
        Fixture f;
        std::vector<ui::Word> words;
        for (embedding::Row row = 0; row < 40; ++row) {
            words.emplace_back(f.state.embedding(), row);
        }
        f.state.edit(&ui::AnalysisSettings::pinPresent);
        f.outputs.request(words, kManyDraws);
        const auto pin = f.state.pin();
        f.state.edit(&ui::AnalysisSettings::pin, std::nullopt);
        f.state.edit(&ui::AnalysisSettings::pin, pin);
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(39), kPatienceMs);
    }

    void aFailureIsNotBlamedOnThePinThatFollows() {
        Fixture f;
        // Rows of the toy lie outside the unit ball, where hyperbolic noise does not exist.
        f.state.edit(&ui::AnalysisSettings::pin, mechanism::Setting{mechanism::Hyperbolic(), 20.0});
        f.outputs.request({ui::Word(f.state.embedding(), 1), ui::Word(f.state.embedding(), 2)}, 50);
        f.state.edit(&ui::AnalysisSettings::pinPresent);
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(2), kPatienceMs);
    }
};

EPSILENS_UI_TEST(PinnedOutputsTest)
#include "pinned_outputs_test.moc"
