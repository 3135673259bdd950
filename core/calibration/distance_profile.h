#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/calibration/exact_statistics.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_rows.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// Bound on the relative error of the probabilities that a DistanceProfile gives.
///
/// Within a group, exponents differ by less than h = 2^-8 x, and the weight exp(-x) is replaced by
/// its Taylor polynomial of degree 2 around the mean: the rest is at most h^3 / 6 relative to the
/// weight, below 7e-4 for x = 40 and 2e-5 for x = 13. Words with x > 40 together weigh less
/// than V e^-40 beside the weight 1 of the word itself. Where the radius lies within a group, the
/// weights of that group alone are wrong by up to h / 2.
inline constexpr double kProfileError = 1e-3;

/// The distances of one word to the vocabulary, condensed: those to its nearest words one by one,
/// those of the others in groups in which they differ by less than 0.4%. It tells the law of the
/// outputs under any truncated exponential mechanism of that metric in microseconds.
class DistanceProfile {
public:
    /// Holds the scratch memory of making profiles.
    class Maker {
    public:
        /// hasVector  per row, whether its vector is not zero
        explicit Maker(std::vector<std::uint8_t> hasVector);
        /// row  with cosines and with the neighbours that count as near
        [[nodiscard]] DistanceProfile make(const engine::MetricRow& row);

    private:
        struct Group {
            double distances = 0.0;  ///< sums of differences from the first distance of the group
            double squares = 0.0;
            double cosines = 0.0;
            double first = 0.0;
            std::int64_t words = 0;
            std::int64_t withVector = 0;
        };

        std::vector<std::uint8_t> m_hasVector;
        std::vector<std::uint8_t> m_isApart;  ///< per row: the word itself and its neighbours
        std::vector<Group> m_groups{};
    };

    /// Scratch memory of at(), for one thread at a time.
    using Scratch = engine::AlignedMatrix;

    /// The statistics of the word; N_w and S_w out of `draws`.
    [[nodiscard]] ExactStatistics at(const mechanism::TruncatedExponential& mechanism, int draws,
                                     Scratch& scratch) const;
    /// Only the shares of outputs that are the word itself and that are near.
    struct Shares {
        double kept = 0.0;
        double near = 0.0;
    };
    [[nodiscard]] Shares sharesAt(const mechanism::TruncatedExponential& mechanism,
                                  Scratch& scratch) const;
    /// p(u|w) of the word and of its nearest words, in the order of their distance.
    [[nodiscard]] std::vector<double> nearestProbabilities(
        const mechanism::TruncatedExponential& mechanism, Scratch& scratch) const;

    [[nodiscard]] const std::vector<engine::Row>& nearest() const { return m_nearest; }
    [[nodiscard]] std::size_t bytes() const;

    /// For other processes; see Packer.
    template <typename Archive>
    friend void transfer(Archive& archive, DistanceProfile& profile) {
        const engine::AlignedMatrix& from = profile.m_values;
        std::vector<float> values;
        if (from.rows() > 0) {
            values.assign(from.row(0), from.row(0) + from.rows() * from.stride());
        }
        archive(profile.m_nearest, profile.m_entries, values);
        const auto size = static_cast<std::int64_t>(values.size());
        profile.m_values = engine::AlignedMatrix(kValues, size / kValues);
        std::copy(values.begin(), values.end(), profile.m_values.row(0));
    }

private:
    enum Values { distance, count, halfVariance, cosine, withVector, kValues };

    /// Fills the scratch memory with the weight of each entry, all of its words together.
    ///
    /// Returns their sum.
    [[nodiscard]] double weigh(const mechanism::TruncatedExponential& mechanism,
                               Scratch& scratch) const;

    std::vector<engine::Row> m_nearest{};
    std::int64_t m_entries = 0;        ///< the word, its nearest words, groups
    engine::AlignedMatrix m_values{};  ///< kValues rows
};

}  // namespace epsilens::calibration
