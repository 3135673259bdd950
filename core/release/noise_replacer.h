#pragma once

#include <cstdint>

#include "core/engine/poincare_points.h"
#include "core/engine/point_search.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/release/word_replacer.h"

namespace epsilens::release {

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

}  // namespace epsilens::release
