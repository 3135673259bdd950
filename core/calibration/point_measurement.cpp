#include "core/calibration/point_measurement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/limit_shortfall.h"
#include "core/calibration/shared_calibration.h"

namespace epsilens::calibration {
namespace {

constexpr double kRangeShare = 0.1;
constexpr double kBeyondAxis = 30.0;

double mixed(double low, double high, double share) {
    return share == 0.0 ? low : low + share * (high - low);
}

statistics::Summary mixed(const statistics::Summary& low, const statistics::Summary& high,
                          double share) {
    using statistics::Summary;
    static constexpr std::array kFields{&Summary::mean, &Summary::sd,  &Summary::min, &Summary::p1,
                                        &Summary::p5,   &Summary::p25, &Summary::p50, &Summary::p75,
                                        &Summary::p95,  &Summary::p99, &Summary::max};
    Summary summary;
    for (const auto field : kFields) {
        summary.*field = mixed(low.*field, high.*field, share);
    }
    return summary;
}

Cell mixed(const Cell& low, const Cell& high, double share) {
    Cell cell = low;
    for (const auto summary :
         {&Cell::nw, &Cell::sw, &Cell::minEntropy, &Cell::shannonEntropy, &Cell::hartleyEntropy}) {
        cell.*summary = mixed(low.*summary, high.*summary, share);
    }
    for (const auto value : {&Cell::kept, &Cell::near, &Cell::far, &Cell::meanDistance}) {
        cell.*value = mixed(low.*value, high.*value, share);
    }
    for (const auto value : {&Cell::meanCosine, &Cell::coverage}) {
        if (cell.*value && high.*value) {
            cell.*value = mixed(*(low.*value), *(high.*value), share);
        }
    }
    return cell;
}

}  // namespace

PointMeasurement::PointMeasurement(MeasurementBasis basis, const CalibrationSummary& run,
                                   const engine::EpsilonRange& range)
    : Measurement(std::move(basis)), m_cells(run.cells), m_table(run.perWord) {
    const double all = [&] {
        double sum = 0.0;
        for (const double weight : weights()) {
            sum += weight;
        }
        return sum;
    }();
    for (std::size_t point = 0; point < m_cells.size(); ++point) {
        OutputShares shares;
        for (std::size_t word = 0; word < words().size(); ++word) {
            const std::size_t entry = word * m_table.cells + point;
            const double weight = weights()[word] / all;
            shares.kept += weight * m_table.nw[entry] / options().draws;
            shares.near += weight * static_cast<double>(m_table.near[entry]);
        }
        shares.far = std::max(0.0, 1.0 - shares.kept - shares.near);
        m_shares.push_back(shares);
    }
    std::vector<double> halfKept;
    for (std::size_t word = 0; word < words().size(); ++word) {
        halfKept.push_back(halfKeptOf(word));
    }
    setScale(std::move(halfKept), range);
}

// The least point from which on the word is kept by half of its draws for good.
double PointMeasurement::halfKeptOf(std::size_t word) const {
    double half = std::numeric_limits<double>::infinity();
    for (std::size_t point = m_cells.size(); point-- > 0;) {
        if (m_table.nw[word * m_table.cells + point] < 0.5 * options().draws) {
            return half;
        }
        half = m_cells[point].epsilon;
    }
    return 0.0;
}

PointMeasurement::Place PointMeasurement::placeOf(double epsilon) const {
    const auto above =
        std::lower_bound(m_cells.begin(), m_cells.end(), epsilon,
                         [](const Cell& cell, double value) { return cell.epsilon < value; });
    if (above == m_cells.begin()) {
        return {0, 0, 0.0};
    }
    const auto last = m_cells.size() - 1;
    if (above == m_cells.end()) {
        return {last, last, 0.0};
    }
    const auto place = static_cast<std::size_t>(above - m_cells.begin());
    const double low = m_cells[place - 1].epsilon - origin();
    const double high = m_cells[place].epsilon - origin();
    if (above->epsilon == epsilon) {
        return {place, place, 0.0};
    }
    return {place - 1, place, std::log((epsilon - origin()) / low) / std::log(high / low)};
}

OutputShares PointMeasurement::sharesAt(double epsilon) const {
    const Place place = placeOf(epsilon);
    const OutputShares& low = m_shares[place.below];
    const OutputShares& high = m_shares[place.above];
    return {mixed(low.kept, high.kept, place.share), mixed(low.near, high.near, place.share),
            mixed(low.far, high.far, place.share)};
}

bool PointMeasurement::sharesMove() const {
    return std::any_of(m_shares.begin(), m_shares.end(), [&](const OutputShares& shares) {
        return shares.kept != m_shares.front().kept || shares.near != m_shares.front().near;
    });
}

MeasuredWord PointMeasurement::wordAt(std::size_t word, double epsilon) const {
    const Place place = placeOf(epsilon);
    const std::size_t low = word * m_table.cells + place.below;
    const std::size_t high = word * m_table.cells + place.above;
    return {mixed(m_table.nw[low], m_table.nw[high], place.share),
            mixed(m_table.sw[low], m_table.sw[high], place.share),
            options().draws * mixed(static_cast<double>(m_table.near[low]),
                                    static_cast<double>(m_table.near[high]), place.share)};
}

std::vector<MeasuredOutput> PointMeasurement::outputsAt(std::size_t /*word*/, double /*epsilon*/,
                                                        std::size_t /*most*/) const {
    return {};
}

std::vector<Cell> PointMeasurement::cellsAt(std::span<const double> epsilons) const {
    std::vector<Cell> cells;
    for (const double epsilon : epsilons) {
        const Place place = placeOf(epsilon);
        cells.push_back(mixed(m_cells[place.below], m_cells[place.above], place.share));
        cells.back().epsilon = epsilon;
    }
    return cells;
}

Result<EpsilonFound> PointMeasurement::findLargest(const std::vector<Limit>& limits,
                                                   const std::optional<EpsilonSpan>& bounds,
                                                   const JobContext& /*job*/) const {
    const auto count = static_cast<std::int64_t>(words().size());
    EpsilonFound none;
    none.searched = bounds.value_or(EpsilonSpan{m_cells.front().epsilon, m_cells.back().epsilon});
    none.looked = static_cast<int>(m_cells.size());
    std::optional<EpsilonFound> above;
    double least = std::numeric_limits<double>::infinity();
    for (auto cell = m_cells.rbegin(); cell != m_cells.rend(); ++cell) {
        if (bounds && (cell->epsilon < bounds->low || cell->epsilon > bounds->high)) {
            continue;
        }
        ASSIGN_OR_RETURN(const auto checks, checkLimits(limits, *cell, options().draws));
        const auto worst = mostMissed(checks, options().draws, count);
        if (!worst) {
            EpsilonFound found = above.value_or(none);
            found.epsilon = cell->epsilon;
            return found;
        }
        above = none;
        above->above = cell->epsilon;
        above->binding = worst;
        if (const double missed = shareMissed(*worst, options().draws, count); missed < least) {
            least = missed;
            none.closest = cell->epsilon;
            none.binding = worst;
        }
    }
    return none;
}

Result<MeasurementHandle> measurePoints(const engine::SearchSpace& space, MeasurementBasis basis,
                                        Crew* crew, const JobContext& job) {
    CalibrationOptions run = basis.options.calibration();
    ASSIGN_OR_RETURN(const auto range, estimateRange(space, run, partOf(job, 0.0, kRangeShare)));
    const double origin = basis.origin;
    const EpsilonSpan span =
        basis.options.span.value_or(widened(shownSpan(range, origin), origin, kBeyondAxis));
    for (int i = 0; i < kMeasuredPoints; ++i) {
        const double share = i / (kMeasuredPoints - 1.0);
        run.grid.epsilons.push_back(
            origin +
            (span.low - origin) * std::pow((span.high - origin) / (span.low - origin), share));
    }
    ASSIGN_OR_RETURN(const auto summary,
                     calibrateShared(space, run, crew, partOf(job, kRangeShare, 1.0)));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return std::make_shared<const PointMeasurement>(std::move(basis), summary, range);
}

}  // namespace epsilens::calibration
