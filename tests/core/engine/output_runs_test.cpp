#include "core/engine/output_runs.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

/// Outputs that are written down, with guesses that are as good as asked for.
class WrittenOutputs final : public GridSearch {
public:
    enum class Guess { right, first, last };

    WrittenOutputs(std::vector<std::int32_t> outputs, std::size_t atOnce, Guess guess)
        : m_outputs(std::move(outputs)), m_atOnce(atOnce), m_guess(guess) {}

    [[nodiscard]] std::size_t epsilons() const override { return m_outputs.size(); }
    [[nodiscard]] std::size_t atOnce() const override { return m_atOnce; }
    void outputsAt(std::span<const std::uint32_t> epsilons,
                   std::span<std::int32_t> positions) override {
        CHECK(std::is_sorted(epsilons.begin(), epsilons.end()));
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            positions[i] = m_outputs.at(epsilons[i]);
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
    [[nodiscard]] int rounds() const { return m_rounds; }

private:
    std::vector<std::int32_t> m_outputs;
    std::size_t m_atOnce;
    Guess m_guess;
    int m_rounds = 0;
};

std::vector<std::int32_t> expanded(std::span<const OutputRun> runs, std::size_t epsilons) {
    std::vector<std::int32_t> outputs(epsilons, -1);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::size_t end = i + 1 < runs.size() ? runs[i + 1].first : epsilons;
        std::fill(outputs.begin() + runs[i].first,
                  outputs.begin() + static_cast<std::ptrdiff_t>(end), runs[i].position);
    }
    return outputs;
}

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
    SeededStream stream(StreamKey{71, StreamPurpose{1004}, 0, 0});
    RunFinder finder;
    for (int trial = 0; trial < 2000; ++trial) {
        const std::size_t epsilons = 1 + stream.below(60);
        const std::vector<std::int32_t> outputs = someOutputs(epsilons, stream);
        WrittenOutputs search(outputs, 1 + stream.below(9), guess);
        const std::span<const OutputRun> runs = finder.find(search);
        CAPTURE(trial, epsilons);
        REQUIRE(expanded(runs, epsilons) == outputs);
        REQUIRE(static_cast<std::int32_t>(runs.size()) == outputs.back() + 1);
    }
}

TEST_CASE("Two rounds of searches find outputs whose ends are guessed rightly") {
    std::vector<std::int32_t> outputs(200, 0);
    std::fill(outputs.begin() + 77, outputs.end(), 1);
    std::fill(outputs.begin() + 140, outputs.end(), 2);
    WrittenOutputs search(outputs, 8, WrittenOutputs::Guess::right);
    RunFinder finder;
    CHECK(finder.find(search).size() == 3);
    CHECK(search.rounds() == 2);
}
