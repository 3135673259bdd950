#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace epsilens {

/// What a stream of random numbers is used for; streams of different purpose never overlap.
enum class StreamPurpose : std::uint32_t {
    wordSelection = 1,
    blockPermutation = 2,
    unitDraws = 3,
    sentence = 4,
    spaceView = 5,
    epsilonRange = 6,
    rerun = 7,
    unknownWords = 8,
    selection = 10,
    trainingStart = 40,
    trainingSchedule = 41,
    trainingNegatives = 42,
};

/// Address of a stream within a seed. Equal keys give equal numbers, whatever thread asks and when.
struct StreamKey {
    std::uint64_t seed = 0;
    StreamPurpose purpose = StreamPurpose::unitDraws;
    std::uint32_t block = 0;
    std::uint32_t draw = 0;
};

/// Reproducible random numbers for study, never for text that is to be released.
///
/// Counter-based (Philox 4x32-10, Salmon et al. 2011): the n-th number of a key is a function of
/// (seed, purpose, block, draw, n) alone. Satisfies UniformRandomBitGenerator with 64-bit results.
class SeededStream {
public:
    using result_type = std::uint64_t;

    explicit SeededStream(const StreamKey& key);

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    result_type operator()();

    /// Uniform on the open interval (0, 1): odd multiples of 2^-53.
    double uniform();
    /// Standard normal (Box and Muller 1958; both numbers of a pair are used).
    double normal();
    /// Uniform integer in [0, bound), without modulo bias. bound >= 1.
    std::uint64_t below(std::uint64_t bound);

private:
    void refill();

    std::array<std::uint32_t, 2> m_key{};
    std::array<std::uint32_t, 4> m_counter{};
    std::array<std::uint64_t, 2> m_buffer{};
    int m_available = 0;
    double m_spareNormal = 0.0;
    bool m_hasSpareNormal = false;
};

/// Puts a random one of the values from there on at each of the first places.
///
/// count  of these places, at most as many as there are values
template <typename Values>
void shuffleFirst(Values& values, std::size_t count, SeededStream& stream) {
    for (std::size_t i = 0; i < count; ++i) {
        std::swap(values[i], values[i + stream.below(values.size() - i)]);
    }
}

/// The indices below count in an order drawn from a stream.
[[nodiscard]] std::vector<std::size_t> shuffledIndices(std::size_t count, const StreamKey& key);

}  // namespace epsilens
