#include "core/release/noise_replacer.h"

#include <utility>

#include "core/base/operating_system_stream.h"
#include "core/release/fresh_noise.h"
#include "core/release/word_blocks.h"

namespace epsilens::release {

EllipticalReplacer::EllipticalReplacer(engine::SearchSpaceHandle space,
                                       mechanism::EllipticalNoise noise, double epsilon)
    : m_space(std::move(space)),
      m_noise(std::move(noise)),
      m_search(*m_space, epsilon),
      m_guarantee(m_noise.guarantee(epsilon)) {}

void EllipticalReplacer::replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                                 const JobContext& job) {
    forEachBlock(words.size(), engine::kPointBlock, threads, job,
                 [&](std::size_t first, std::size_t count) {
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
    forEachBlock(words.size(), engine::kPointBlock, threads, job,
                 [&](std::size_t first, std::size_t count) {
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
        point = mechanism::noisyPoint(m_poincare.vectorAt(own), m_poincare.gapAt(own), point.data(),
                                      m, radius)
                    .transpose()
                    .eval();
    }
    m_search.nearest(points, outputs);
}

}  // namespace epsilens::release
