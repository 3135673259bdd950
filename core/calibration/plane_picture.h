#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/plane/contour.h"

namespace epsilens::calibration {
struct CalibrationSummary;
}
namespace epsilens::engine {
class SearchSpace;
}

namespace epsilens::calibration {

/// What a mechanism does around one word, seen in the plane of two principal axes or, where the
/// metric is that of Poincaré, of the disk. Coordinates have six significant digits: the picture is
/// drawn from what a file keeps.
struct PlanePicture {
    /// One setting of the grid.
    struct Setting {
        /// What holds stated shares of the noise, or, with share 0, the words within TEM's radius.
        std::vector<plane::Contour> contours{};
        /// The same of spherical noise of equal power; of elliptical noise only.
        std::vector<plane::Contour> spherical{};
        /// Noisy points, or outputs of TEM, from the word.
        std::vector<plane::PlanePoint> draws{};
    };

    static constexpr std::int64_t kMostWords = 400;
    static constexpr std::int64_t kMostDraws = 100;
    static constexpr std::int64_t kMostDrawsInAll = 2'500;

    bool isDisk = false;
    bool isWhole = false;                    ///< nothing is projected away
    std::array<double, 2> shares{};          ///< of the variance, or of the mean ||x||^2
    std::int64_t vocabulary = 0;             ///< V
    std::vector<plane::PlanePoint> words{};  ///< random words of the vocabulary
    std::string word{};                      ///< looked at: a well-known one, else the first
    plane::PlanePoint place{};               ///< of that word
    std::vector<Setting> settings{};         ///< one per cell
};

/// Nothing for an embedding of one dimension. Fails as the mechanisms do.
[[nodiscard]] Result<std::optional<PlanePicture>> planePicture(
    const engine::SearchSpace& space, const calibration::CalibrationSummary& summary);

}  // namespace epsilens::calibration
