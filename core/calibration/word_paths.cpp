#include "core/calibration/word_paths.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/calibration/block_run.h"

namespace epsilens::calibration {
namespace {

constexpr std::int64_t kPathScratchBytes = std::int64_t{192} << 20;
constexpr std::size_t kMostBytes = std::size_t{4} << 30;
// Blocks of one word each that a thread works through between two looks at the clock.
constexpr std::int64_t kWordBlocksPerThread = 4;

class PathGathering {
public:
    PathGathering(const engine::NoiseSeries& series, const CalibrationOptions& options,
                  std::span<const Row> words, const JobContext& job)
        : m_series(series), m_options(options), m_words(words), m_job(job), m_paths(words.size()) {}

    Result<std::vector<WordPaths>> run() {
        const auto size = static_cast<std::size_t>(
            blockSize(static_cast<std::int64_t>(m_words.size()), m_options.independentDraws));
        const std::size_t blocks = (m_words.size() + size - 1) / size;
        // Small blocks keep one thread busy each, large ones all threads.
        const std::int64_t threads =
            m_options.threads > 0 ? m_options.threads : defaultThreadCount();
        const std::size_t atOnce =
            size == 1 ? static_cast<std::size_t>(kWordBlocksPerThread * threads) : 1;
        for (std::size_t first = 0; first < blocks; first += atOnce) {
            const std::size_t count = std::min(atOnce, blocks - first);
            if (count == 1) {
                runBlockOf(first, size, m_options.threads, kPathScratchBytes);
            } else {
                parallelFor(static_cast<std::int64_t>(count), m_options.threads,
                            [&](std::int64_t i) {
                                runBlockOf(first + static_cast<std::size_t>(i), size, 1,
                                           kPathScratchBytes / threads);
                            });
            }
            if (m_job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            if (m_bytes > kMostBytes) {
                return tooLarge();
            }
            m_job.progress(static_cast<double>(first + count) / static_cast<double>(blocks),
                           "Paths");
        }
        return std::move(m_paths);
    }

private:
    void runBlockOf(std::size_t block, std::size_t size, int threads, std::int64_t scratch) {
        const std::size_t begin = block * size;
        const std::size_t end = std::min(begin + size, m_words.size());
        const auto batch = m_series.batch({}, threads, m_job);
        const auto group =
            static_cast<std::size_t>(std::max<std::int64_t>(1, scratch / 2 / m_series.rowBytes()));
        for (std::size_t first = begin; first < end && !m_job.stopRequested(); first += group) {
            const std::size_t count = std::min(group, end - first);
            batch->setWords(m_words.subspan(first, count));
            runGroup(*batch, static_cast<std::uint32_t>(block), first, count, threads, scratch);
        }
    }

    void runGroup(engine::SearchBatch& batch, std::uint32_t block, std::size_t first,
                  std::size_t count, int threads, std::int64_t scratch) {
        const engine::DrawSource source{m_options.seed, StreamPurpose::unitDraws, block};
        const std::int64_t draws = m_options.draws;
        const std::int64_t chunk =
            std::clamp<std::int64_t>(scratch / 2 / m_series.rowBytes(), 1, draws);
        for (std::int64_t draw = 0; draw < draws && !m_job.stopRequested(); draw += chunk) {
            const std::int64_t together = std::min(chunk, draws - draw);
            batch.setDraws(source, draw, together);
            parallelFor(static_cast<std::int64_t>(count), threads, [&](std::int64_t i) {
                const std::unique_ptr<engine::DrawSearch> search = batch.search();
                search->setWord(i);
                const std::size_t place = first + static_cast<std::size_t>(i);
                for (std::int64_t d = 0; d < together && !m_job.stopRequested(); ++d) {
                    search->setDraw(0, d);
                    m_paths[place].add(search->path(), m_words[place], m_series.space());
                }
                if (draw + together == draws) {
                    finishWord(batch, i, m_paths[place]);
                }
            });
        }
    }

    void finishWord(const engine::SearchBatch& batch, std::int64_t index, WordPaths& paths) {
        std::sort(paths.leaving.begin(), paths.leaving.end());
        paths.breaks.shrink_to_fit();
        paths.positions.shrink_to_fit();
        paths.neighbours = batch.neighbours(index, m_options.nearNeighbours).rows;
        m_bytes += paths.bytes();
    }

    [[nodiscard]] tl::unexpected<Error> tooLarge() const {
        return fail(
            ErrorCode::resourceLimit,
            fmt::format("the outputs of {} words × {} draws at every epsilon take more than "
                        "{} GiB; lower the words or the draws",
                        m_words.size(), m_options.draws, kMostBytes >> 30U));
    }

    const engine::NoiseSeries& m_series;
    const CalibrationOptions& m_options;
    std::span<const Row> m_words;
    const JobContext& m_job;
    std::vector<WordPaths> m_paths;
    std::atomic<std::size_t> m_bytes{0};
};

}  // namespace

void WordPaths::add(const engine::DrawPath& path, Row word, const engine::SearchSpace& space) {
    breaks.insert(breaks.end(), path.breaks.begin(), path.breaks.end());
    for (const Row row : path.outputs) {
        positions.push_back(static_cast<std::int32_t>(space.positionOf(row)));
    }
    ends.push_back(static_cast<std::uint32_t>(breaks.size()));
    const bool isKept = path.outputs.front() == word;
    const double always = std::numeric_limits<double>::infinity();
    leaving.push_back(!isKept ? 0.0 : path.breaks.empty() ? always : path.breaks.front());
}

void WordPaths::outputsAt(double epsilon, std::span<std::int32_t> outputs) const {
    const double t = 1.0 / epsilon;
    std::uint32_t begin = 0;
    for (std::size_t draw = 0; draw < ends.size(); ++draw) {
        const auto first = breaks.begin() + begin;
        const auto next = std::upper_bound(first, breaks.begin() + ends[draw], t);
        outputs[draw] = positions[begin + draw + static_cast<std::size_t>(next - first)];
        begin = ends[draw];
    }
}

std::int64_t WordPaths::keptAt(double epsilon) const {
    return leaving.end() - std::upper_bound(leaving.begin(), leaving.end(), 1.0 / epsilon);
}

std::size_t WordPaths::bytes() const {
    return ends.capacity() * sizeof(std::uint32_t) + breaks.capacity() * sizeof(double) +
           positions.capacity() * sizeof(std::int32_t) + leaving.capacity() * sizeof(double) +
           neighbours.capacity() * sizeof(Row);
}

Result<std::vector<WordPaths>> gatherPaths(const engine::NoiseSeries& series,
                                           const CalibrationOptions& options,
                                           std::span<const Row> words, const JobContext& job) {
    return PathGathering(series, options, words, job).run();
}

}  // namespace epsilens::calibration
