#include "core/release/word_replacer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/operating_system_stream.h"
#include "core/base/parallel.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/point_search.h"
#include "core/engine/score_kernel.h"
#include "core/engine/tile_bounds.h"
#include "core/release/fresh_noise.h"

namespace epsilens::release {
namespace {

/// Calls body(first, count) for blocks that make up some words, in parallel, unless stopped: as
/// many blocks for each thread, so that none is left with the last one.
///
/// largest  words of a block at most
void forEachBlock(std::size_t words, std::int64_t largest, int threads, const JobContext& job,
                  const std::function<void(std::size_t, std::size_t)>& body) {
    const auto workers = static_cast<std::size_t>(threads > 0 ? threads : defaultThreadCount());
    if (words == 0) {
        return;
    }
    const std::size_t turn = workers * static_cast<std::size_t>(largest);
    const std::size_t wanted = (words + turn - 1) / turn * workers;
    const std::size_t size = (words + wanted - 1) / wanted;
    const std::size_t blocks = (words + size - 1) / size;
    parallelFor(static_cast<std::int64_t>(blocks), threads, [&](std::int64_t block) {
        if (!job.stopRequested()) {
            const std::size_t first = static_cast<std::size_t>(block) * size;
            body(first, std::min(size, words - first));
        }
    });
}

/// The mechanisms that draw a point and return the word nearest to it.
class PointReplacer final : public WordReplacer {
public:
    /// Outputs for at most engine::kPointBlock words; called on several threads.
    using Draw = std::function<void(std::span<const Row> words, std::span<Row> outputs)>;

    PointReplacer(mechanism::Guarantee guarantee, Draw draw)
        : m_guarantee(std::move(guarantee)), m_draw(std::move(draw)) {}

    [[nodiscard]] const mechanism::Guarantee& guarantee() const override { return m_guarantee; }
    void replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                 const JobContext& job) override {
        forEachBlock(words.size(), engine::kPointBlock, threads, job,
                     [&](std::size_t first, std::size_t count) {
                         m_draw(words.subspan(first, count), outputs.subspan(first, count));
                     });
    }

private:
    mechanism::Guarantee m_guarantee;
    Draw m_draw;
};

/// The multivariate Laplace and regularized Mahalanobis mechanisms.
PointReplacer::Draw ellipticalDraw(engine::SearchSpaceHandle space,
                                   mechanism::EllipticalNoise noise, double epsilon) {
    auto search = std::make_shared<const engine::PointSearch>(*space, epsilon);
    return [space = std::move(space), noise = std::move(noise), search = std::move(search)](
               std::span<const Row> words, std::span<Row> outputs) {
        OperatingSystemStream stream;
        search->nearest(words, freshNoise(noise, static_cast<Eigen::Index>(words.size()), stream),
                        outputs);
    };
}

/// The hyperbolic mechanism.
PointReplacer::Draw hyperbolicDraw(engine::SearchSpaceHandle space,
                                   numeric::HyperbolicRadius radius) {
    struct Ball {
        explicit Ball(const engine::SearchSpace& words) : space(words), search(space) {}

        engine::PoincareSpace space;
        engine::PoincarePoints search;
    };
    auto ball = std::make_shared<const Ball>(*space);
    return [space = std::move(space), radius, ball = std::move(ball)](std::span<const Row> words,
                                                                      std::span<Row> outputs) {
        OperatingSystemStream stream;
        const Eigen::Index m = ball->space.dimensions();
        RowMatrixD points = freshDirections(static_cast<Eigen::Index>(words.size()), m, stream);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const Eigen::Index own = space->positionOf(words[i]);
            auto point = points.row(static_cast<Eigen::Index>(i));
            point = mechanism::noisyPoint(ball->space.vectorAt(own), ball->space.gapAt(own),
                                          point.data(), m, radius.quantile(stream.uniform()))
                        .transpose()
                        .eval();
        }
        ball->search.nearest(points, outputs);
    };
}

/// Tables made by one task.
constexpr std::int64_t kTablesPerTask = 64;
/// Words drawn by one task.
constexpr std::size_t kWordsPerTask = 512;

/// Weights are at most 1 and rows fewer than 2^31, so sums stay within 64 bits.
constexpr double kUnit = 0x1p32;
/// Covers the rounding of exponents and exponentials in float32: (6 x + 4) 2^-24 for exponents
/// x up to engine::kLargestExponent.
constexpr double kRoundedUp = 1.0 + 0x1p-14;
/// Exponents are formed in float32: a rate within its range only makes them smaller.
constexpr double kLargestRate = 0x1p64;

/// At least the weights of all words of each tile: exp(-x) of its bound, in float32.
engine::AlignedMatrix tileWeights(const mechanism::TruncatedExponential& mechanism,
                                  const float* tileBounds, std::int64_t tiles) {
    engine::AlignedMatrix weights(1, engine::paddedRowLength(tiles));
    const double rate = std::min(0.5 * mechanism.epsilon(), kLargestRate);
    const double cap = std::min(mechanism.cap(), static_cast<double>(engine::kLargestExponent));
    static_cast<void>(engine::exponentialWeights(tileBounds, nullptr, tiles,
                                                 static_cast<float>(rate), static_cast<float>(cap),
                                                 weights.row(0)));
    return weights;
}

using Replacer = Result<std::unique_ptr<WordReplacer>>;

/// The replacer of each form of a mechanism, at one epsilon.
struct ReplacerOf {
    engine::SearchSpaceHandle space;
    double epsilon;
    int threads;

    Replacer operator()(mechanism::EllipticalNoise& noise) const {
        auto guarantee = noise.guarantee(epsilon);
        return std::make_unique<PointReplacer>(std::move(guarantee),
                                               ellipticalDraw(space, std::move(noise), epsilon));
    }
    Replacer operator()(mechanism::HyperbolicNoise& noise) const {
        ASSIGN_OR_RETURN(auto radius, noise.radiusAt(epsilon));
        auto guarantee = noise.guarantee(radius.epsilon());
        return std::make_unique<PointReplacer>(std::move(guarantee), hyperbolicDraw(space, radius));
    }
    Replacer operator()(mechanism::SelectionWeights& weights) const {
        ASSIGN_OR_RETURN(const auto law, weights.truncation.at(epsilon));
        ASSIGN_OR_RETURN(auto metricSpace,
                         engine::MetricSpace::create(std::move(weights.metric), threads));
        return std::make_unique<SelectionReplacer>(std::move(metricSpace), law);
    }
};

}  // namespace

/// What it takes to draw outputs of TEM for one word, exactly: in a table much smaller than the
/// vocabulary, each tile of words has an upper bound of its weights, as a whole number.
///
/// tileBounds  of the word, as engine::TileBounds makes them
SelectionReplacer::EnvelopeTable SelectionReplacer::tableOf(const float* tileBounds) const {
    const std::int64_t tiles = engine::tileCount(m_space.wordCount());
    const engine::AlignedMatrix weights = tileWeights(m_mechanism, tileBounds, tiles);
    EnvelopeTable table;
    table.reserve(static_cast<std::size_t>(tiles) + 1);
    auto sum = static_cast<std::uint64_t>(kUnit);
    table.push_back(sum);
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const double bound = static_cast<double>(weights.row(0)[tile]) * kRoundedUp;
        sum += static_cast<std::uint64_t>(engine::kTileWidth) *
               (static_cast<std::uint64_t>(bound * kUnit) + 1);
        table.push_back(sum);
    }
    return table;
}

/// A tile is drawn by the bounds, a word of it at random, and taken with the ratio of its weight,
/// formed in float64, to the bound; else all is drawn anew. Derivation: release.md
Row SelectionReplacer::draw(Row word, const EnvelopeTable& table,
                            OperatingSystemStream& stream) const {
    while (true) {
        const std::uint64_t place = stream.below(table.back());
        const auto found = std::ranges::upper_bound(table, place);
        if (found == table.begin()) {
            return word;
        }
        // What is left within the tile is uniform: it names the word and, behind it, the chance.
        const std::uint64_t within = place - *(found - 1);
        const std::uint64_t bound =
            (*found - *(found - 1)) / static_cast<std::uint64_t>(engine::kTileWidth);
        const std::int64_t tile = found - table.begin() - 1;
        const std::int64_t other =
            tile * engine::kTileWidth + static_cast<std::int64_t>(within / bound);
        if (other >= m_space.wordCount() || other == word) {
            continue;
        }
        const double weight =
            std::exp(-m_mechanism.exponent(m_space.distance(word, static_cast<Row>(other))));
        if (stream.uniform() * static_cast<double>(bound) < weight * kUnit) {
            return static_cast<Row>(other);
        }
    }
}

std::size_t SelectionReplacer::bytesPerTable(const engine::MetricSpace& space) {
    return sizeof(Cached) +
           sizeof(std::uint64_t) *
               (static_cast<std::size_t>(engine::tileCount(space.wordCount())) + 1);
}

SelectionReplacer::SelectionReplacer(engine::MetricSpace space,
                                     const mechanism::TruncatedExponential& mechanism,
                                     std::size_t cacheBytes)
    : m_space(std::move(space)),
      m_mechanism(mechanism),
      m_guarantee(mechanism.guarantee(m_space.metric())),
      m_mostTables(std::max<std::size_t>(1, cacheBytes / bytesPerTable(m_space))) {}

void SelectionReplacer::replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                                const JobContext& job) {
    while (!words.empty() && !job.stopRequested()) {
        const std::size_t ready = prepare(words, threads, job);
        const std::size_t tasks = (ready + kWordsPerTask - 1) / kWordsPerTask;
        parallelFor(static_cast<std::int64_t>(tasks), threads, [&](std::int64_t task) {
            OperatingSystemStream stream;
            const std::size_t first = static_cast<std::size_t>(task) * kWordsPerTask;
            const std::size_t end = std::min(first + kWordsPerTask, ready);
            for (std::size_t i = first; i < end && !job.stopRequested(); ++i) {
                outputs[i] = draw(words[i], m_tables.at(words[i]).table, stream);
            }
        });
        words = words.subspan(ready);
        outputs = outputs.subspan(ready);
    }
}

/// Makes the tables of the first words, as many as fit at once, and returns their number; none of
/// them when stopped.
std::size_t SelectionReplacer::prepare(std::span<const Row> words, int threads,
                                       const JobContext& job) {
    ++m_round;
    std::vector<Row> missing;
    std::size_t distinct = 0;
    std::size_t ready = 0;
    for (; ready < words.size(); ++ready) {
        const auto [found, isNew] = m_tables.try_emplace(words[ready]);
        if (!isNew && found->second.lastUse == m_round) {
            continue;
        }
        if (distinct == m_mostTables) {
            if (isNew) {
                m_tables.erase(found);
            }
            break;
        }
        ++distinct;
        found->second.lastUse = m_round;
        if (isNew) {
            missing.push_back(words[ready]);
        }
    }
    if (m_tables.size() > m_mostTables) {
        std::erase_if(m_tables, [&](const auto& one) { return one.second.lastUse != m_round; });
    }
    build(missing, threads, job);
    if (job.stopRequested()) {
        for (const Row word : missing) {
            m_tables.erase(word);
        }
        return 0;
    }
    return ready;
}

void SelectionReplacer::build(std::span<const Row> missing, int threads, const JobContext& job) {
    std::vector<EnvelopeTable> tables(missing.size());
    const auto atOnce = static_cast<std::size_t>(engine::TileBounds::wordsAtOnce(m_space));
    for (std::size_t begin = 0; begin < missing.size() && !job.stopRequested(); begin += atOnce) {
        const auto words = missing.subspan(begin, std::min(atOnce, missing.size() - begin));
        const engine::TileBounds bounds(m_space, words, threads);
        forEachBlock(words.size(), kTablesPerTask, threads, job,
                     [&](std::size_t first, std::size_t count) {
                         for (std::size_t i = first; i < first + count; ++i) {
                             tables[begin + i] = tableOf(bounds.of(static_cast<std::int64_t>(i)));
                         }
                     });
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
        m_tables[missing[i]].table = std::move(tables[i]);
    }
}

Replacer createReplacer(engine::SearchSpaceHandle space, const mechanism::Setting& setting,
                        int threads) {
    if (!(setting.epsilon > 0.0 && std::isfinite(setting.epsilon))) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("epsilon {} is outside its range, finite and above 0", setting.epsilon));
    }
    ASSIGN_OR_RETURN(auto form, setting.mechanism.on(space->handle()));
    return std::visit(ReplacerOf{std::move(space), setting.epsilon, threads}, form);
}

}  // namespace epsilens::release
