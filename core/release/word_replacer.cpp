#include "core/release/word_replacer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/operating_system_stream.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/metric_space.h"
#include "core/engine/poincare_points.h"
#include "core/engine/point_search.h"
#include "core/release/fresh_noise.h"
#include "core/release/selection_replacer.h"

namespace epsilens::release {
namespace {

/// The multivariate Laplace and regularized Mahalanobis mechanisms.
class EllipticalReplacer final : public WordReplacer {
public:
    EllipticalReplacer(engine::SearchSpaceHandle space, mechanism::EllipticalNoise noise,
                       double epsilon);

    [[nodiscard]] const mechanism::Guarantee& guarantee() const override { return m_guarantee; }
    void replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                 const JobContext& job) override;

private:
    engine::SearchSpaceHandle m_space;
    mechanism::EllipticalNoise m_noise;
    engine::PointSearch m_search;
    mechanism::Guarantee m_guarantee;
};

/// The hyperbolic mechanism.
class HyperbolicReplacer final : public WordReplacer {
public:
    HyperbolicReplacer(engine::SearchSpaceHandle space, const mechanism::HyperbolicNoise& noise,
                       numeric::HyperbolicRadius radius);

    [[nodiscard]] const mechanism::Guarantee& guarantee() const override { return m_guarantee; }
    void replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                 const JobContext& job) override;

private:
    void replaceBlock(std::span<const Row> words, std::span<Row> outputs) const;

    engine::SearchSpaceHandle m_space;
    engine::PoincareSpace m_poincare;
    engine::PoincarePoints m_search;
    mechanism::HyperbolicNoise m_noise;
    numeric::HyperbolicRadius m_radius;
    mechanism::Guarantee m_guarantee;
};

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

using Replacer = Result<std::unique_ptr<WordReplacer>>;

/// The replacer of each form of a mechanism, at one epsilon.
struct ReplacerOf {
    engine::SearchSpaceHandle space;
    double epsilon;
    int threads;

    Replacer operator()(mechanism::EllipticalNoise& noise) const {
        return std::make_unique<EllipticalReplacer>(space, std::move(noise), epsilon);
    }
    Replacer operator()(mechanism::HyperbolicNoise& noise) const {
        ASSIGN_OR_RETURN(auto radius, noise.radiusAt(epsilon));
        return std::make_unique<HyperbolicReplacer>(space, noise, std::move(radius));
    }
    Replacer operator()(mechanism::SelectionWeights& weights) const {
        ASSIGN_OR_RETURN(const auto law, weights.truncation.at(epsilon));
        ASSIGN_OR_RETURN(auto metricSpace,
                         engine::MetricSpace::create(std::move(weights.metric), threads));
        return std::make_unique<SelectionReplacer>(std::move(metricSpace), law);
    }
};

}  // namespace

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
