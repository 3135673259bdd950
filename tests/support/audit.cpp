#include "tests/support/audit.h"
#include "core/base/ordered.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/quadrature/gauss.hpp>

namespace epsilens::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFullTurn = 2.0 * std::numbers::pi;

/// Nodes and weights of Gauss and Legendre on [0, 1].
struct Rule {
    static constexpr std::size_t kPoints = 20;
    std::array<double, kPoints> nodes{};
    std::array<double, kPoints> weights{};

    Rule() {
        using Gauss = boost::math::quadrature::gauss<double, kPoints>;
        for (std::size_t i = 0; i < kPoints / 2; ++i) {
            nodes[2 * i] = 0.5 * (1.0 - Gauss::abscissa()[i]);
            nodes[2 * i + 1] = 0.5 * (1.0 + Gauss::abscissa()[i]);
            weights[2 * i] = weights[2 * i + 1] = 0.5 * Gauss::weights()[i];
        }
    }
};

const Rule& rule() {
    static const Rule gauss;
    return gauss;
}

/// Of a ray, at an angle.
struct Direction {
    explicit Direction(double angle) : x(std::cos(angle)), y(std::sin(angle)) {}

    double x;
    double y;
};

/// A piece of a ray that lies in one cell.
struct Piece {
    double begin = 0.0;
    double end = 0.0;
    std::size_t cell = 0;
};

/// Rays from the place of one input.
class Rays {
public:
    Rays(const PlaneMechanism& mechanism, std::size_t word)
        : m_mechanism(mechanism), m_word(word), m_centre(mechanism.sites[word]) {}

    [[nodiscard]] std::vector<Piece> pieces(const Direction& direction) const {
        const double length = lengthOf(direction);
        std::vector<Score> scores;
        for (const Site& site : m_mechanism.sites) {
            scores.push_back(score(site, direction));
        }
        std::vector<Piece> found;
        double begin = 0.0;
        std::size_t cell = m_word;
        while (begin < length) {
            const auto [end, next] = nextCrossing(scores, begin, cell, length);
            found.push_back({begin, end, cell});
            begin = end;
            cell = next;
        }
        return found;
    }

    [[nodiscard]] std::vector<std::size_t> order(double angle) const {
        std::vector<std::size_t> cells;
        for (const Piece& piece : pieces(Direction(angle))) {
            cells.push_back(piece.cell);
        }
        return cells;
    }

    /// Adds the masses of the cells along a ray, per unit of angle, times a factor.
    void addMasses(double angle, double factor, VectorD& masses) const {
        const Direction direction(angle);
        for (const Piece& piece : pieces(direction)) {
            masses[static_cast<Eigen::Index>(piece.cell)] += factor * massOf(direction, piece);
        }
    }

private:
    /// Distance to the end of the ray: infinity, or the rim of the unit disc.
    [[nodiscard]] double lengthOf(const Direction& direction) const {
        if (!m_mechanism.unitDisc) {
            return kInfinity;
        }
        const double along = m_centre.x * direction.x + m_centre.y * direction.y;
        const double inside = 1.0 - m_centre.x * m_centre.x - m_centre.y * m_centre.y;
        return inside / (along + std::sqrt(along * along + inside));
    }

    /// weight ||c + r direction - site||^2 as a polynomial in r, highest power first.
    using Score = std::array<double, 3>;
    [[nodiscard]] Score score(const Site& site, const Direction& direction) const {
        const double x = m_centre.x - site.x;
        const double y = m_centre.y - site.y;
        return {site.weight, 2.0 * site.weight * (x * direction.x + y * direction.y),
                site.weight * (x * x + y * y)};
    }

    struct Crossing {
        double radius = kInfinity;
        std::size_t cell = 0;
    };

    /// Where the ray leaves a cell after `begin`, and for which one.
    [[nodiscard]] static Crossing nextCrossing(const std::vector<Score>& scores, double begin,
                                               std::size_t cell, double length) {
        Crossing first{length, cell};
        const Score& own = scores[cell];
        for (std::size_t other = 0; other < scores.size(); ++other) {
            const Score& rival = scores[other];
            const double radius =
                firstRise(own[0] - rival[0], own[1] - rival[1], own[2] - rival[2], begin);
            if (other != cell && radius < first.radius) {
                first = {radius, other};
            }
        }
        return first;
    }

    /// The first r > begin where a r^2 + b r + c turns from negative to positive.
    static double firstRise(double a, double b, double c, double begin) {
        double root = kInfinity;
        if (a == 0.0) {
            root = b > 0.0 ? -c / b : kInfinity;
        } else if (const double discriminant = b * b - 4.0 * a * c; discriminant >= 0.0) {
            // The root with positive slope 2 a r + b, without cancellation.
            const double slope = std::sqrt(discriminant);
            root = b <= 0.0 ? (slope - b) / (2.0 * a) : -2.0 * c / (b + slope);
        }
        if (root > begin) {
            return root;
        }
        return kInfinity;
    }

    /// Integral of density * r over a piece, in panels that double in length.
    [[nodiscard]] double massOf(const Direction& direction, const Piece& piece) const {
        const double length = lengthOf(direction);
        const double begin = toDepth(piece.begin, length);
        const double end = toDepth(piece.end, length);
        const double firstWidth = 0.5 * m_mechanism.scale;
        double total = 0.0;
        // A thousand doublings cover every double.
        for (int i = 0; i < 1000; ++i) {
            // 1 + 2 + 4 + ... first widths from the begin
            const double low = begin + firstWidth * (std::exp2(i) - 1.0);
            if (!(low < end)) {
                break;
            }
            const double added =
                panel(direction, length, low, std::min(low + firstWidth * std::exp2(i), end));
            total += added;
            if (added <= 1e-17 * total && i > 3) {
                break;
            }
        }
        return total;
    }

    /// Along rays to the rim the variable is a depth without end: r = length tanh(depth / 2).
    [[nodiscard]] double toDepth(double radius, double length) const {
        return m_mechanism.unitDisc ? 2.0 * std::atanh(std::min(radius / length, 1.0)) : radius;
    }

    [[nodiscard]] double panel(const Direction& direction, double length, double low,
                               double high) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < Rule::kPoints; ++i) {
            const double depth = low + (high - low) * rule().nodes[i];
            double radius = depth;
            double stretch = 1.0;
            if (m_mechanism.unitDisc) {
                const double tanh = std::tanh(0.5 * depth);
                radius = length * tanh;
                stretch = 0.5 * length * (1.0 - tanh * tanh);
            }
            sum += rule().weights[i] * stretch * radius *
                   m_mechanism.density(m_word, m_centre.x + radius * direction.x,
                                       m_centre.y + radius * direction.y);
        }
        return (high - low) * sum;
    }

    const PlaneMechanism& m_mechanism;
    std::size_t m_word;
    const Site& m_centre;
};

/// Angles at which the order of the cells along the ray changes, rising, the first repeated at the
/// end a full turn later.
std::vector<double> breakAngles(const Rays& rays) {
    constexpr int kScanned = 4096;
    constexpr double kStart = 0.1234567;  // off the axes, on which toy vocabularies like to lie
    std::vector<double> breaks;
    auto previous = rays.order(kStart);
    for (int i = 1; i <= kScanned; ++i) {
        double low = kStart + kFullTurn * (i - 1) / kScanned;
        double high = kStart + kFullTurn * i / kScanned;
        const auto next = rays.order(high);
        while (next != previous) {
            // The first change after `low`; what lies behind it is looked at in the next round.
            double after = high;
            double before = low;
            while (after - before > 1e-14 * kFullTurn) {
                const double middle = 0.5 * (before + after);
                (rays.order(middle) == previous ? before : after) = middle;
            }
            breaks.push_back(after);
            low = after;
            const auto behind = rays.order(after);
            if (behind == previous) {
                break;
            }
            previous = behind;
        }
        previous = next;
    }
    if (breaks.empty()) {
        breaks.push_back(kStart);
    }
    breaks.push_back(breaks.front() + kFullTurn);
    return breaks;
}

/// Adds a stretch of angles whose ends may be singular like a square root: t^2 (3 - 2t) makes the
/// integrand smooth there.
void addStretch(const Rays& rays, double begin, double end, VectorD& masses) {
    constexpr double kWidestPanel = 0.2;
    const auto panels = static_cast<int>(std::ceil((end - begin) / kWidestPanel)) + 1;
    for (int panel = 0; panel < panels; ++panel) {
        for (std::size_t i = 0; i < Rule::kPoints; ++i) {
            const double t = (panel + rule().nodes[i]) / panels;
            const double angle = begin + (end - begin) * t * t * (3.0 - 2.0 * t);
            const double stretch = (end - begin) * 6.0 * t * (1.0 - t) / panels;
            rays.addMasses(angle, stretch * rule().weights[i], masses);
        }
    }
}

}  // namespace

double laplaceMass(double low, double high, double epsilon) {
    if (high <= 0.0) {
        return laplaceMass(-high, -low, epsilon);
    }
    if (low >= 0.0) {
        return 0.5 * std::exp(-epsilon * low) * -std::expm1(-epsilon * (high - low));
    }
    return 1.0 - 0.5 * std::exp(epsilon * low) - 0.5 * std::exp(-epsilon * high);
}

RowMatrixD lineProbabilities(std::span<const double> places,
                             const std::function<double(double, double)>& noiseMass) {
    std::vector<std::size_t> order = indicesBelow<std::size_t>(places.size());
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
    const auto count = static_cast<Eigen::Index>(places.size());
    RowMatrixD probabilities(count, count);
    for (std::size_t word = 0; word < places.size(); ++word) {
        double low = -kInfinity;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const double high =
                i + 1 < order.size() ? 0.5 * (places[order[i]] + places[order[i + 1]]) : kInfinity;
            probabilities(static_cast<Eigen::Index>(word), static_cast<Eigen::Index>(order[i])) =
                noiseMass(low - places[word], high - places[word]);
            low = high;
        }
    }
    return probabilities;
}

RowMatrixD planeProbabilities(const PlaneMechanism& mechanism) {
    const auto count = static_cast<Eigen::Index>(mechanism.sites.size());
    RowMatrixD probabilities(count, count);
    for (Eigen::Index word = 0; word < count; ++word) {
        const Rays rays(mechanism, static_cast<std::size_t>(word));
        const std::vector<double> breaks = breakAngles(rays);
        VectorD masses = VectorD::Zero(count);
        for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
            addStretch(rays, breaks[i], breaks[i + 1], masses);
        }
        probabilities.row(word) = masses.transpose();
    }
    return probabilities;
}

double largestShare(const RowMatrixD& probabilities,
                    const std::function<double(Eigen::Index, Eigen::Index)>& allowed) {
    double largest = -kInfinity;
    for (Eigen::Index first = 0; first < probabilities.rows(); ++first) {
        for (Eigen::Index second = 0; second < probabilities.rows(); ++second) {
            for (Eigen::Index output = 0; first != second && output < probabilities.cols();
                 ++output) {
                const double p = probabilities(first, output);
                const double loss = std::log(p) - std::log(probabilities(second, output));
                largest = p > 0.0 ? std::max(largest, loss / allowed(first, second)) : largest;
            }
        }
    }
    return largest;
}

ChiSquare chiSquare(std::span<const int> counts, const VectorD& probabilities) {
    constexpr double kLeastExpected = 5.0;
    const double draws = std::accumulate(counts.begin(), counts.end(), 0.0);
    ChiSquare result{0.0, -1};
    const auto add = [&](double seen, double expected) {
        result.statistic += (seen - expected) * (seen - expected) / expected;
        ++result.degreesOfFreedom;
    };
    double rareSeen = 0.0;
    double rareExpected = 0.0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = draws * probabilities[static_cast<Eigen::Index>(i)];
        if (expected < kLeastExpected) {
            rareSeen += counts[i];
            rareExpected += expected;
        } else {
            add(counts[i], expected);
        }
    }
    if (rareExpected > 0.0) {
        add(rareSeen, rareExpected);
    }
    return result;
}

double chiSquareCritical(int degreesOfFreedom, double falseAlarmRate) {
    return boost::math::quantile(
        boost::math::complement(boost::math::chi_squared(degreesOfFreedom), falseAlarmRate));
}

double misfit(std::span<const int> counts, const VectorD& probabilities, double falseAlarmRate) {
    const ChiSquare fit = chiSquare(counts, probabilities);
    return fit.statistic / chiSquareCritical(fit.degreesOfFreedom, falseAlarmRate);
}

}  // namespace epsilens::test
