#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/experiment/figure_limit.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::experiment {

/// Figures that searches have measured on one data set and embedding, under options that differ in
/// seed, limits and mechanism only. A search that is given them measures only what they lack.
class KnownFigures {
public:
    /// What a figure was measured of.
    struct Place {
        mechanism::Mechanism mechanism{mechanism::Laplace{}};
        std::uint64_t seed = 0;
        double epsilon = 0.0;
        FigureName figure{};

        [[nodiscard]] bool operator==(const Place&) const = default;
    };

    /// Nothing where it was not measured.
    [[nodiscard]] std::optional<FigureValue> find(const Place& place) const;
    /// A place that is known keeps its value.
    void add(const Place& place, const FigureValue& value);
    /// How many were measured.
    [[nodiscard]] std::size_t size() const { return m_figures.size(); }

private:
    struct Known {
        Place place{};
        FigureValue value{};
    };

    std::vector<Known> m_figures{};  ///< a few hundred at most, each far dearer than to look it up
};

}  // namespace epsilens::experiment
