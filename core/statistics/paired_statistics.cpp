#include "core/statistics/paired_statistics.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/parallel.h"
#include "core/engine/distance_error.h"
#include "core/engine/score_kernel.h"

namespace epsilens::statistics {
namespace {

using engine::PowerSums;
using engine::Row;
using mechanism::TruncatedExponential;

// The sums of far words take as much memory as the results.
constexpr std::size_t kMostMechanisms = 16;
// With fewer blocks little is saved; with more the first one says too little of the near words.
constexpr std::int64_t kFewestBlocks = 8;
constexpr std::int64_t kMostBlocks = 128;
constexpr int kMostNeighbours = 100;
// Pairs whose sums are kept until those before them are added.
constexpr std::int64_t kPairsAtOnce = 64;
constexpr std::int64_t kColumnsAtOnce = 16;
constexpr std::int64_t kWordsPerTask = 64;

std::int64_t sizeOf(std::span<const Row> words) {
    return static_cast<std::int64_t>(words.size());
}

}  // namespace

/// Memory of one thread.
struct PairedStatistics::Scratch {
    explicit Scratch(const engine::WordBlocks& blocks)
        : products(blocks.noProducts()),
          columns(kColumnsAtOnce, products.stride()),
          cosines(1, blocks.wordsPerBlock()),
          tileLeast(1, engine::boundCount(engine::tileCount(blocks.wordsPerBlock()))),
          places(static_cast<std::size_t>(blocks.wordsPerBlock())) {}

    engine::AlignedMatrix products;
    engine::AlignedMatrix columns;  ///< columns of the products as rows
    engine::AlignedMatrix cosines;
    engine::AlignedMatrix tileLeast;
    std::vector<std::int32_t> places;
};

bool PairedStatistics::suits(const engine::MetricSpace& space, std::size_t mechanisms,
                             int neighbours) {
    const std::int64_t block = Layout{}.wordsPerBlock;
    return space.metric().metric() == metric::Metric::euclidean && space.outlyingRows().empty() &&
           mechanisms <= kMostMechanisms && neighbours <= kMostNeighbours &&
           space.wordCount() >= kFewestBlocks * block && space.wordCount() <= kMostBlocks * block;
}

PairedStatistics::PairedStatistics(const engine::MetricSpace& space, std::vector<Row> order,
                                   std::vector<TruncatedExponential> mechanisms, int draws,
                                   int neighbours, const Layout& layout)
    : m_blocks(space, std::move(order), layout.wordsPerBlock),
      m_mechanisms(std::move(mechanisms)),
      m_laws(m_mechanisms.begin(), m_mechanisms.end()),
      m_draws(draws),
      m_neighbours(neighbours),
      m_layout(layout),
      m_limits(static_cast<std::size_t>(space.wordCount())) {}

PairedStatistics::Sums PairedStatistics::noSums(std::int64_t block) const {
    const std::size_t words = m_blocks.words(block).size();
    Sums sums;
    sums.near.resize(words);
    sums.far.resize(words * m_mechanisms.size());
    return sums;
}

void PairedStatistics::addPair(const PairSums& pair, Sums& sums) {
    auto near = pair.near.begin();
    for (std::size_t i = 0; i < sums.near.size(); ++i) {
        const auto end = near + static_cast<std::ptrdiff_t>(pair.nearCounts[i]);
        sums.near[i].insert(sums.near[i].end(), near, end);
        near = end;
    }
    for (std::size_t i = 0; i < sums.far.size(); ++i) {
        sums.far[i] += pair.far[i];
    }
}

void PairedStatistics::measureAll(int threads, const JobContext& job, const Finished& finished) {
    const std::int64_t count = blocks();
    const std::int64_t pairs = count * (count + 1) / 2;
    std::vector<std::unique_ptr<Scratch>> scratch(static_cast<std::size_t>(
        std::min<std::int64_t>(threads > 0 ? threads : defaultThreadCount(), count)));
    std::vector<Sums> sums;
    for (std::int64_t block = 0; block < count; ++block) {
        sums.push_back(noSums(block));
    }
    std::mutex reporting;
    std::int64_t met = 0;
    // Sums of a block are added in the order of the blocks that it meets, for any schedule.
    const auto meet = [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
        std::vector<PairSums> ofBlock(static_cast<std::size_t>(end - begin));
        std::atomic<std::int64_t> next = begin;
        parallelFor(std::ssize(scratch), threads, [&](std::int64_t worker) {
            auto& own = scratch[static_cast<std::size_t>(worker)];
            for (std::int64_t other = next++; other < end && !job.stopRequested(); other = next++) {
                if (!own) {
                    own = std::make_unique<Scratch>(m_blocks);
                }
                m_blocks.multiply(block, other, own->products);
                if (other != block) {
                    addColumns(other, block, *own, sums[static_cast<std::size_t>(other)]);
                }
                ofBlock[static_cast<std::size_t>(other - begin)] = ofRows(block, other, *own);
                const std::scoped_lock lock(reporting);
                job.progress(static_cast<double>(++met) / static_cast<double>(pairs),
                             "Calibrating");
            }
        });
        if (!job.stopRequested()) {
            for (const PairSums& pair : ofBlock) {
                addPair(pair, sums[static_cast<std::size_t>(block)]);
            }
        }
    };
    meet(0, 0, 1);  // sets the limits of its words
    for (std::int64_t block = 0; block < count; ++block) {
        for (std::int64_t first = std::max<std::int64_t>(block, 1); first < count;
             first += kPairsAtOnce) {
            meet(block, first, std::min(first + kPairsAtOnce, count));
        }
        auto results = finish(block, sums[static_cast<std::size_t>(block)], threads, job);
        if (!results) {
            return;
        }
        sums[static_cast<std::size_t>(block)] = {};
        finished(block, std::move(*results));
    }
}

std::optional<std::vector<ExactStatistics>> PairedStatistics::measure(std::int64_t block,
                                                                      const JobContext& job) {
    Scratch scratch(m_blocks);
    Sums sums = noSums(block);
    // Products are formed as for all blocks: the other way round they may be rounded otherwise.
    for (std::int64_t other = 0; other < blocks(); ++other) {
        if (job.stopRequested()) {
            return std::nullopt;
        }
        if (other < block) {
            m_blocks.multiply(other, block, scratch.products);
            addColumns(block, other, scratch, sums);
        } else {
            m_blocks.multiply(block, other, scratch.products);
            addPair(ofRows(block, other, scratch), sums);
        }
    }
    return finish(block, sums, 1, job);
}

PairedStatistics::PairSums PairedStatistics::ofRows(std::int64_t block, std::int64_t other,
                                                    Scratch& scratch) {
    const std::size_t words = m_blocks.words(block).size();
    PairSums sums;
    sums.far.resize(words * m_mechanisms.size());
    for (std::size_t i = 0; i < words; ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const std::size_t before = sums.near.size();
        add(block * wordsPerBlock() + index, other, scratch.products.row(index), scratch, sums.near,
            std::span(sums.far).subspan(i * m_mechanisms.size(), m_mechanisms.size()));
        sums.nearCounts.push_back(sums.near.size() - before);
    }
    return sums;
}

void PairedStatistics::addColumns(std::int64_t block, std::int64_t other, Scratch& scratch,
                                  Sums& sums) {
    const std::size_t words = m_blocks.words(block).size();
    for (std::size_t i = 0; i < words; ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const std::int64_t column = index % kColumnsAtOnce;
        if (column == 0) {
            engine::transposeColumns(scratch.products, sizeOf(m_blocks.words(other)), index,
                                     scratch.columns);
        }
        add(block * wordsPerBlock() + index, other, scratch.columns.row(column), scratch,
            sums.near[i],
            std::span(sums.far).subspan(i * m_mechanisms.size(), m_mechanisms.size()));
    }
}

// Adds what a word has from another block, of which it has the products.
void PairedStatistics::add(std::int64_t position, std::int64_t other, float* products,
                           Scratch& scratch, std::vector<NearWord>& near,
                           std::span<PowerSums> far) {
    const std::int64_t count = sizeOf(m_blocks.words(other));
    const std::int64_t padded = m_blocks.paddedWords(other);
    const std::int64_t firstOther = other * wordsPerBlock();
    Limits& limits = m_limits[static_cast<std::size_t>(position)];
    float* const distances = products;
    float* const cosines = scratch.cosines.row(0);
    engine::productsToEuclidean(m_blocks.productRow(position, other), distances, cosines);
    if (position >= firstOther && position < firstOther + count) {
        distances[position - firstOther] = 0.0F;
    }
    const auto pad = [&](float distance) {
        std::fill(distances + count, distances + padded, distance);
    };
    pad(other == 0 ? distances[0] : limits.standIn);
    std::fill(cosines + count, cosines + padded, 0.0F);
    if (other == 0) {
        limits.reach = reachOf(m_blocks.wordAt(position), distances, count, scratch);
    }
    std::int64_t listed = 0;
    const float largest =
        engine::listUpTo(distances, padded, limits.reach, scratch.places.data(), listed);
    while (listed > 0 && scratch.places[static_cast<std::size_t>(listed - 1)] >= count) {
        --listed;
    }
    if (other == 0) {
        limits.standIn = largest;
        limits.far = count - listed;
        pad(largest);
    }
    for (std::int64_t i = 0; i < listed; ++i) {
        const std::int32_t place = scratch.places[static_cast<std::size_t>(i)];
        near.push_back({static_cast<std::int32_t>(firstOther) + place, cosines[place],
                        static_cast<double>(distances[place])});
        distances[place] = limits.standIn;
        cosines[place] = 0.0F;
    }
    const engine::RowTotals totals = engine::rowTotals(distances, cosines, padded);
    for (std::size_t m = 0; m < far.size(); ++m) {
        far[m] += engine::powerSums(distances, cosines, padded, m_laws[m].rate, m_laws[m].cap,
                                    std::max(largest, limits.standIn), totals);
    }
}

// So far that about as many words as wanted are nearer, judged by one block.
float PairedStatistics::reachOf(Row word, const float* distances, std::int64_t count,
                                Scratch& scratch) const {
    const std::int64_t tiles = engine::tileCount(count);
    const std::int64_t words = m_blocks.space().wordCount();
    const std::int64_t rank = (m_layout.nearWords * count + words - 1) / words;
    if (rank > tiles) {
        return std::numeric_limits<float>::infinity();
    }
    engine::leastBounds(distances, tiles, scratch.tileLeast.row(0));
    std::nth_element(scratch.tileLeast.row(0), scratch.tileLeast.row(0) + rank - 1,
                     scratch.tileLeast.row(0) + tiles);
    return engine::DistanceError(m_blocks.space(), word)
        .refineUpTo(scratch.tileLeast.row(0)[rank - 1]);
}

std::optional<std::vector<ExactStatistics>> PairedStatistics::finish(std::int64_t block, Sums& sums,
                                                                     int threads,
                                                                     const JobContext& job) const {
    const std::int64_t count = sizeOf(m_blocks.words(block));
    const std::int64_t first = block * wordsPerBlock();
    const std::size_t mechanisms = m_mechanisms.size();
    std::vector<std::optional<float>> upTo(static_cast<std::size_t>(count));
    parallelFor((count + kWordsPerTask - 1) / kWordsPerTask, threads, [&](std::int64_t task) {
        const std::int64_t end = std::min((task + 1) * kWordsPerTask, count);
        for (std::int64_t index = task * kWordsPerTask; index < end; ++index) {
            const auto i = static_cast<std::size_t>(index);
            upTo[i] = formAgainUpTo(first + index, sums.near[i]);
        }
    });
    parallelFor(blocks(), threads,
                [&](std::int64_t other) { formAgain(block, other, upTo, sums); });
    std::vector<ExactStatistics> results(static_cast<std::size_t>(count) * mechanisms);
    std::vector<std::uint8_t> isDone(static_cast<std::size_t>(count), 0);
    parallelFor((count + kWordsPerTask - 1) / kWordsPerTask, threads, [&](std::int64_t task) {
        NearWords nearWords;
        ExactStatisticsOfWords statistics(m_blocks.space(), m_draws);
        const std::int64_t end = std::min((task + 1) * kWordsPerTask, count);
        for (std::int64_t index = task * kWordsPerTask; index < end; ++index) {
            const auto i = static_cast<std::size_t>(index);
            if (upTo[i] &&
                finishWord(first + index, *upTo[i], sums.near[i],
                           std::span(sums.far).subspan(i * mechanisms, mechanisms), nearWords,
                           statistics, std::span(results).subspan(i * mechanisms, mechanisms))) {
                isDone[i] = 1;
            }
        }
    });
    std::vector<std::int64_t> left;
    for (std::int64_t i = 0; i < count; ++i) {
        if (isDone[static_cast<std::size_t>(i)] == 0) {
            left.push_back(i);
        }
    }
    if (!measureRows(block, left, threads, job, results)) {
        return std::nullopt;
    }
    return results;
}

// Nothing where the list is too short or too long.
std::optional<float> PairedStatistics::formAgainUpTo(std::int64_t position,
                                                     std::span<const NearWord> near) const {
    const engine::MetricSpace& space = m_blocks.space();
    const Limits& limits = m_limits[static_cast<std::size_t>(position)];
    const auto wanted =
        static_cast<std::size_t>(engine::MetricRows::wordsFormedAgain(space, m_neighbours));
    if (near.size() < wanted || std::ssize(near) > NearWords::kMost ||
        standInsFor(near) > limits.far) {
        return std::nullopt;
    }
    std::vector<float> distances;
    distances.reserve(near.size());
    for (const NearWord& word : near) {
        distances.push_back(static_cast<float>(word.distance));
    }
    const auto last = distances.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(distances.begin(), last, distances.end());
    const float upTo = engine::DistanceError(space, m_blocks.wordAt(position)).refineUpTo(*last);
    return upTo <= limits.reach ? std::optional(upTo) : std::nullopt;
}

// Block by block, so that vectors of near words are found in the cache.
void PairedStatistics::formAgain(std::int64_t block, std::int64_t other,
                                 std::span<const std::optional<float>> upTo, Sums& sums) const {
    const std::int64_t begin = other * wordsPerBlock();
    const std::int64_t end = begin + wordsPerBlock();
    for (std::size_t i = 0; i < upTo.size(); ++i) {
        if (!upTo[i]) {
            continue;
        }
        const std::int64_t position = block * wordsPerBlock() + static_cast<std::int64_t>(i);
        const auto from =
            std::partition_point(sums.near[i].begin(), sums.near[i].end(),
                                 [&](const NearWord& near) { return near.position < begin; });
        for (auto near = from; near != sums.near[i].end() && near->position < end; ++near) {
            if (near->distance <= static_cast<double>(*upTo[i])) {
                near->distance = m_blocks.distance(position, near->position);
            }
        }
    }
}

// False where the sums do not do.
bool PairedStatistics::finishWord(std::int64_t position, float formedAgainTo,
                                  std::span<const NearWord> near, std::span<const PowerSums> far,
                                  NearWords& nearWords, ExactStatisticsOfWords& statistics,
                                  std::span<ExactStatistics> results) const {
    const Row word = m_blocks.wordAt(position);
    const Limits& limits = m_limits[static_cast<std::size_t>(position)];
    std::vector<engine::RankedRow> ranked;
    nearWords.clear();
    for (const NearWord& other : near) {
        nearWords.add(static_cast<float>(other.distance), other.cosine);
        // Those not formed again are farther, and as many as are asked for are not.
        if (other.distance <= static_cast<double>(formedAgainTo) && other.position != position) {
            ranked.push_back({other.distance, m_blocks.wordAt(other.position)});
        }
    }
    engine::MetricRow row;
    row.word = word;
    row.neighbours = engine::nearestOf(std::move(ranked), m_neighbours,
                                       [](double distance) { return distance; });
    row.leastUncertain = static_cast<double>(formedAgainTo);
    row.distanceError =
        engine::DistanceError(m_blocks.space(), word)
            .ofProducts(row.leastUncertain, std::numeric_limits<double>::infinity());
    const StandIns standIns{limits.standIn, standInsFor(near), 0.0};
    for (std::size_t m = 0; m < m_mechanisms.size(); ++m) {
        const auto sums =
            joinedSums(nearWords, far[m], standIns, limits.reach, m_mechanisms[m], m_draws);
        if (!sums) {
            return false;
        }
        results[m] = statistics.compute(row, m_mechanisms[m], *sums);
    }
    return true;
}

// Listed words and the padding of all blocks.
std::int64_t PairedStatistics::standInsFor(std::span<const NearWord> near) const {
    const engine::MetricSpace& space = m_blocks.space();
    return std::ssize(near) + space.paddedWords() - space.wordCount();
}

bool PairedStatistics::measureRows(std::int64_t block, std::span<const std::int64_t> indices,
                                   int threads, const JobContext& job,
                                   std::vector<ExactStatistics>& results) const {
    const engine::MetricSpace& space = m_blocks.space();
    const std::int64_t atOnce = std::min(kWordsPerTask, engine::MetricRows::wordsAtOnce(space));
    const std::int64_t count = std::ssize(indices);
    m_byRows += count;
    parallelFor((count + atOnce - 1) / atOnce, threads, [&](std::int64_t task) {
        const auto own =
            indices.subspan(static_cast<std::size_t>(task * atOnce),
                            static_cast<std::size_t>(std::min(atOnce, count - task * atOnce)));
        std::vector<Row> words;
        for (const std::int64_t index : own) {
            words.push_back(m_blocks.words(block)[static_cast<std::size_t>(index)]);
        }
        engine::MetricRows rows(true);
        ExactStatisticsOfWords statistics(space, m_draws);
        rows.load(space, words);
        for (std::size_t i = 0; i < own.size() && !job.stopRequested(); ++i) {
            statistics.compute(
                rows.finish(static_cast<std::int64_t>(i), m_neighbours), m_mechanisms,
                std::span(results).subspan(static_cast<std::size_t>(own[i]) * m_mechanisms.size(),
                                           m_mechanisms.size()));
        }
    });
    return !job.stopRequested();
}

}  // namespace epsilens::statistics
