#pragma once

#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/engine/noise_series.h"
#include "core/mechanism/elliptical_noise.h"

namespace epsilens::engine {

/// The multivariate Laplace and regularized Mahalanobis mechanisms, one variant per lambda.
class EllipticalSeries final : public NoiseSeries {
public:
    /// Fails as EllipticalNoise::create for the first invalid lambda. The space must outlive the
    /// series.
    [[nodiscard]] static Result<NoiseSeriesHandle> create(const SearchSpace& space,
                                                          std::span<const double> lambdas);
    /// A single variant with lambda 0, for any vectors.
    [[nodiscard]] static NoiseSeriesHandle spherical(const SearchSpace& space);
    EllipticalSeries(const SearchSpace& space, std::vector<mechanism::EllipticalNoise> noises)
        : m_space(space), m_noises(std::move(noises)) {}

    [[nodiscard]] const mechanism::EllipticalNoise& noise(std::int64_t variant) const {
        return m_noises[static_cast<std::size_t>(variant)];
    }

    [[nodiscard]] const SearchSpace& space() const override { return m_space; }
    [[nodiscard]] std::int64_t variants() const override {
        return static_cast<std::int64_t>(m_noises.size());
    }
    [[nodiscard]] double lambda(std::int64_t variant) const override {
        return noise(variant).lambda();
    }
    [[nodiscard]] mechanism::Guarantee guarantee(std::int64_t variant,
                                                 double epsilon) const override {
        return noise(variant).guarantee(epsilon);
    }
    /// Euclidean.
    [[nodiscard]] PairDistances distances(std::int32_t a, std::int32_t b) const override;
    [[nodiscard]] std::int64_t rowBytes() const override;
    [[nodiscard]] std::unique_ptr<SearchBatch> batch(std::span<const double> epsilons, int threads,
                                                     const JobContext& job) const override;

private:
    const SearchSpace& m_space;
    std::vector<mechanism::EllipticalNoise> m_noises;
};

}  // namespace epsilens::engine
