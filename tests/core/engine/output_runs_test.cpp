#include <algorithm>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/noise_series.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

/// Answers so many epsilons at once, and nothing else.
class NoLines final : public LineSearch {
public:
    NoLines(const SearchSpace& space, std::size_t atOnce) : LineSearch(space), m_atOnce(atOnce) {}

    void nearestAtRates(std::span<const double>, std::span<std::int32_t>) override {}
    [[nodiscard]] std::size_t ratesAtOnce() const override { return m_atOnce; }
    [[nodiscard]] ScoreLine lineOf(std::int32_t) const override { return {}; }

private:
    std::size_t m_atOnce;
};

/// Outputs that are written down, from the largest epsilon down, with guesses that are as good as
/// asked for.
class WrittenOutputs final : public DrawSearch {
public:
    enum class Guess { right, first, last };

    WrittenOutputs(LineSearch& lines, const std::vector<std::int32_t>& outputs,
                   std::span<const std::size_t> falling, Guess guess)
        : DrawSearch(falling), m_lines(lines), m_outputs(outputs), m_guess(guess) {}

    void setWord(std::int64_t) override {}
    void setDraw(std::int64_t, std::int64_t) override {}
    [[nodiscard]] int rounds() const { return m_rounds; }

private:
    [[nodiscard]] LineSearch& lines() override { return m_lines; }
    void outputsAt(std::span<const std::uint32_t> numbers,
                   std::span<std::int32_t> positions) override {
        CHECK(std::is_sorted(numbers.begin(), numbers.end()));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            positions[i] = m_outputs.at(numbers[i]);
        }
        ++m_rounds;
    }
    [[nodiscard]] std::uint32_t lastOf(const OutputRun& output, const OutputRun& next) override {
        switch (m_guess) {
            case Guess::first:
                return 0;
            case Guess::last:
                return static_cast<std::uint32_t>(m_outputs.size());
            case Guess::right:
                break;
        }
        std::uint32_t last = output.first;
        while (last + 1 < next.first && m_outputs[last + 1] == output.position) {
            ++last;
        }
        return last;
    }

    LineSearch& m_lines;
    const std::vector<std::int32_t>& m_outputs;
    Guess m_guess;
    int m_rounds = 0;
};

/// Outputs in runs, none of which comes back; long and short ones.
std::vector<std::int32_t> someOutputs(std::size_t epsilons, SeededStream& stream) {
    std::vector<std::int32_t> outputs;
    std::int32_t output = 0;
    const std::uint64_t longest = 1 + stream.below(epsilons);
    while (outputs.size() < epsilons) {
        const std::size_t length =
            std::min<std::size_t>(1 + stream.below(longest), epsilons - outputs.size());
        outputs.insert(outputs.end(), length, output++);
    }
    return outputs;
}

}  // namespace

TEST_CASE("Outputs at every epsilon are found whatever is guessed and however much is asked") {
    const auto guess = GENERATE(WrittenOutputs::Guess::right, WrittenOutputs::Guess::first,
                                WrittenOutputs::Guess::last);
    const SearchSpace space(test::toyEmbedding(RowMatrixF::Constant(1, 1, 1.0F)));
    SeededStream stream(StreamKey{71, StreamPurpose{1004}, 0, 0});
    for (std::uint32_t trial = 0; trial < 2000; ++trial) {
        const std::size_t epsilons = 1 + stream.below(60);
        const std::vector<std::int32_t> outputs = someOutputs(epsilons, stream);
        const auto falling = shuffledIndices(epsilons, {72, StreamPurpose{1004}, 0, trial});
        NoLines lines(space, 1 + stream.below(9));
        WrittenOutputs search(lines, outputs, falling, guess);
        CAPTURE(trial, epsilons);
        std::vector<std::int32_t> found(epsilons, -1);
        search.nearestAtAll(found);
        for (std::size_t number = 0; number < epsilons; ++number) {
            REQUIRE(found[falling[number]] == outputs[number]);
            REQUIRE(search.nearest(falling[number]) == outputs[number]);
        }
        const auto runs = search.runsAtAll();
        REQUIRE(static_cast<std::int32_t>(runs.size()) == outputs.back() + 1);
    }
}

TEST_CASE("Two rounds of searches find outputs whose ends are guessed rightly") {
    std::vector<std::int32_t> outputs(200, 0);
    std::fill(outputs.begin() + 77, outputs.end(), 1);
    std::fill(outputs.begin() + 140, outputs.end(), 2);
    const SearchSpace space(test::toyEmbedding(RowMatrixF::Constant(1, 1, 1.0F)));
    NoLines lines(space, 8);
    const std::vector<std::size_t> falling(200);
    WrittenOutputs search(lines, outputs, falling, WrittenOutputs::Guess::right);
    CHECK(search.runsAtAll().size() == 3);
    CHECK(search.rounds() == 2);
}
