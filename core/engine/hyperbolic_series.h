#pragma once

#include "core/base/error.h"
#include "core/engine/noise_series.h"
#include "core/engine/poincare_space.h"
#include "core/mechanism/hyperbolic_noise.h"

namespace epsilens::engine {

/// The hyperbolic mechanism with one law of the radius. It has a single variant.
class HyperbolicSeries final : public NoiseSeries {
public:
    /// Fails as HyperbolicNoise::create if rows lie outside the ball. The space must outlive the
    /// series.
    [[nodiscard]] static Result<NoiseSeriesHandle> create(const SearchSpace& space,
                                                          mechanism::RadialLaw law);
    /// All rows of the space must lie inside the ball.
    HyperbolicSeries(const SearchSpace& space, const mechanism::HyperbolicNoise& noise)
        : m_poincare(space), m_noise(noise) {}

    [[nodiscard]] const mechanism::HyperbolicNoise& noise() const { return m_noise; }
    [[nodiscard]] const PoincareSpace& poincare() const { return m_poincare; }

    [[nodiscard]] const SearchSpace& space() const override { return m_poincare.space(); }
    [[nodiscard]] std::int64_t variants() const override { return 1; }
    [[nodiscard]] double lambda(std::int64_t variant) const override;
    [[nodiscard]] mechanism::Guarantee guarantee(std::int64_t variant,
                                                 double epsilon) const override;
    /// Poincaré distance.
    [[nodiscard]] PairDistances distances(std::int32_t a, std::int32_t b) const override;
    [[nodiscard]] std::int64_t rowBytes() const override;
    /// epsilons  each above noise().epsilonBound()
    [[nodiscard]] std::unique_ptr<SearchBatch> batch(std::span<const double> epsilons, int threads,
                                                     const JobContext& job) const override;

private:
    PoincareSpace m_poincare;
    mechanism::HyperbolicNoise m_noise;
};

}  // namespace epsilens::engine
