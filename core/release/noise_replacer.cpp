#include "core/release/noise_replacer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/operating_system_stream.h"
#include "core/base/parallel.h"
#include "core/release/fresh_noise.h"

namespace epsilens::release {
namespace {

/// Calls body(first, count) for blocks that make up the words, in parallel, unless stopped.
void forEachBlock(std::size_t words, int threads, const JobContext& job,
                  const std::function<void(std::size_t, std::size_t)>& body) {
    const auto workers = static_cast<std::size_t>(threads > 0 ? threads : defaultThreadCount());
    if (words == 0) {
        return;
    }
    // As many blocks for each worker: none is left with the last one.
    const std::size_t turn = workers * static_cast<std::size_t>(engine::kPointBlock);
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

}  // namespace

EllipticalReplacer::EllipticalReplacer(engine::SearchSpaceHandle space,
                                       mechanism::EllipticalNoise noise, double epsilon)
    : m_space(std::move(space)),
      m_noise(std::move(noise)),
      m_search(*m_space, epsilon),
      m_guarantee(m_noise.guarantee(epsilon)) {}

void EllipticalReplacer::replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                                 const JobContext& job) {
    forEachBlock(words.size(), threads, job, [&](std::size_t first, std::size_t count) {
        OperatingSystemStream stream;
        m_search.nearest(words.subspan(first, count),
                         freshNoise(m_noise, static_cast<Eigen::Index>(count), stream),
                         outputs.subspan(first, count));
    });
}

HyperbolicReplacer::HyperbolicReplacer(engine::SearchSpaceHandle space,
                                       const mechanism::HyperbolicNoise& noise,
                                       numeric::HyperbolicRadius radius)
    : m_space(std::move(space)),
      m_poincare(*m_space),
      m_search(m_poincare),
      m_noise(noise),
      m_radius(std::move(radius)),
      m_guarantee(m_noise.guarantee(m_radius.epsilon())) {}

void HyperbolicReplacer::replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                                 const JobContext& job) {
    forEachBlock(words.size(), threads, job, [&](std::size_t first, std::size_t count) {
        replaceBlock(words.subspan(first, count), outputs.subspan(first, count));
    });
}

void HyperbolicReplacer::replaceBlock(std::span<const Row> words, std::span<Row> outputs) const {
    OperatingSystemStream stream;
    const Eigen::Index m = m_poincare.dimensions();
    RowMatrixD points = freshDirections(static_cast<Eigen::Index>(words.size()), m, stream);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Eigen::Index own = m_space->positionOf(words[i]);
        const double radius = m_radius.quantile(stream.uniform());
        auto point = points.row(static_cast<Eigen::Index>(i));
        point = mechanism::noisyPoint(m_noise.placement(), m_poincare.vectorAt(own),
                                      m_poincare.gapAt(own), point.data(), m, radius)
                    .transpose()
                    .eval();
    }
    m_search.nearest(points, outputs);
}

}  // namespace epsilens::release
