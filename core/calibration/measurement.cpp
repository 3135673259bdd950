#include "core/calibration/measurement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/calibration/epsilon_search.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {
namespace {

constexpr double kShownBeyond = 3.0;

/// Checks the weights and brings them into the order of the words.
Result<std::vector<double>> weightsOf(const MeasurementOptions& options,
                                      const std::vector<Row>& words) {
    if (options.weights.empty()) {
        return std::vector<double>(words.size(), 1.0);
    }
    const std::vector<Row>& rows = options.words.rows;
    if (options.words.kind != WordSelection::Kind::list || rows.size() != options.weights.size()) {
        return refuse(fmt::format("{} weights are given for {} listed words; give one for each",
                                  options.weights.size(), rows.size()));
    }
    std::map<Row, double> weights;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!(options.weights[i] > 0.0 && std::isfinite(options.weights[i]))) {
            return refuse(fmt::format("the weight {} is outside its range, finite and above 0",
                                      options.weights[i]));
        }
        weights[rows[i]] += options.weights[i];
    }
    std::vector<double> inOrder;
    std::ranges::transform(weights, std::back_inserter(inOrder),
                           [](const auto& entry) { return entry.second; });
    return inOrder;
}

std::vector<double> pointsOf(const EpsilonSpan& shown, double origin) {
    const EpsilonSpan all = widened(shown, origin, kLimitsBeside);
    std::vector<double> points;
    const auto add = [&](const EpsilonSpan& span, int steps) {
        const std::vector<double> some = spread(span, origin, steps + 1);
        points.insert(points.end(), some.begin(), some.end() - 1);
    };
    add({all.low, shown.low}, kPointsBeside);
    add(shown, kLimitPoints);
    add({shown.high, all.high}, kPointsBeside);
    points.push_back(all.high);
    return points;
}

/// Where what holds at one point ends before the next one, where it no longer does.
double border(double before, double after, double origin, const std::optional<double>& largest) {
    if (largest && before <= *largest && *largest <= after) {
        return *largest;
    }
    return origin + std::sqrt((before - origin) * (after - origin));
}

}  // namespace

void Measurement::setScale(std::vector<double> halfKept, const engine::EpsilonRange& range) {
    m_halfKept = std::move(halfKept);
    // A range without scale, where every draw keeps its word, may lie below the origin.
    const double low = range.low > origin() ? range.low - origin() : 1.0;
    const double high = range.high > origin() ? range.high - origin() : 1.0;
    m_shown = {origin() + low / kShownBeyond, origin() + high * kShownBeyond};
}

std::vector<OutputShares> Measurement::sharesAlong(std::span<const double> epsilons,
                                                   const std::stop_token& stop) const {
    std::vector<OutputShares> shares(epsilons.size());
    parallelFor(std::ssize(epsilons), options().threads, [&](std::int64_t index) {
        if (const auto i = static_cast<std::size_t>(index); !stop.stop_requested()) {
            shares[i] = sharesAt(epsilons[i]);
        }
    });
    return shares;
}

bool Measurement::sharesMove() const {
    const OutputShares low = sharesAt(m_shown.low);
    const OutputShares high = sharesAt(m_shown.high);
    constexpr double kRoundoff = 1e-12;
    const double least = isInSteps() ? kRoundoff : kProfileError;
    return high.kept - low.kept > least * high.kept || std::fabs(high.near - low.near) > least;
}

std::optional<double> Measurement::epsilonOfKept(double share) const {
    constexpr double kExact = 1e-6;
    double low = m_shown.low;
    double high = m_shown.high;
    if (sharesAt(low).kept >= share || sharesAt(high).kept < share) {
        return std::nullopt;
    }
    while (high - low > kExact * (low - origin())) {
        const double middle = origin() + std::sqrt((low - origin()) * (high - origin()));
        (sharesAt(middle).kept < share ? low : high) = middle;
    }
    return high;
}

Result<std::vector<LimitCheck>> Measurement::check(const std::vector<Limit>& limits,
                                                   double epsilon) const {
    return checkLimits(limits, cellsAt(std::span(&epsilon, 1)).front(), options().draws);
}

Result<MeasurementHandle> measure(const engine::SearchSpace& space, MeasurementOptions options,
                                  const JobContext& job, Crew* crew) {
    CalibrationOptions run = options.calibration();
    MeasurementBasis basis;
    basis.origin = options.mechanism.epsilonBound(space.embedding().dimensions());
    run.grid.epsilons = {basis.origin + 1.0};
    ASSIGN_OR_RETURN(basis.words, validate(run, space.embedding()));
    ASSIGN_OR_RETURN(basis.weights, weightsOf(options, basis.words));
    basis.options = std::move(options);
    return basis.options.mechanism.isExact() ? measureSelection(space, std::move(basis), crew, job)
                                             : measureSteps(space, std::move(basis), crew, job);
}

Result<LimitSpans> limitSpans(const Measurement& measurement, const std::vector<Limit>& limits,
                              const EpsilonSpan& shown, const JobContext& job) {
    LimitSpans spans;
    ASSIGN_OR_RETURN(spans.largest, measurement.findLargest(limits, std::nullopt, job));
    const std::vector<double> points = pointsOf(shown, measurement.origin());
    bool wasMet = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
        RETURN_IF_ERROR(job.checkStop());
        ASSIGN_OR_RETURN(const auto checks, measurement.check(limits, points[i]));
        const bool isMet = allMet(checks);
        const double edge =
            i > 0 && isMet != wasMet
                ? border(points[i - 1], points[i], measurement.origin(), spans.largest.epsilon)
                : points[i];
        if (!isMet && wasMet) {
            spans.outside.push_back({edge, points.back()});
        } else if (isMet && !wasMet) {
            spans.outside.back().high = edge;
        }
        wasMet = isMet;
    }
    return spans;
}

std::vector<mechanism::Mechanism> comparableMechanisms(
    const embedding::EmbeddingHandle& embedding) {
    std::vector<mechanism::Mechanism> mechanisms;
    for (const mechanism::Mechanism& mechanism : mechanism::Mechanism::all()) {
        mechanisms.push_back(mechanism);
        if (mechanism.as<mechanism::Mahalanobis>() != nullptr) {
            mechanisms.emplace_back(mechanism::Mahalanobis{1.0});
        }
        if (mechanism.as<mechanism::Tem>() != nullptr &&
            metric::WordMetric::create(embedding, metric::Metric::poincare)) {
            mechanisms.emplace_back(mechanism::Tem{metric::Metric::poincare});
        }
    }
    return mechanisms;
}

Result<std::vector<ComparedMechanism>> compareMechanisms(
    const engine::SearchSpace& space, const std::vector<mechanism::Mechanism>& mechanisms,
    MeasurementOptions how, const JobContext& job) {
    std::vector<ComparedMechanism> all;
    for (const mechanism::Mechanism& mechanism : mechanisms) {
        ComparedMechanism& compared = all.emplace_back(ComparedMechanism{mechanism});
        auto prepared = mechanism::PreparedMechanism::create(space.handle(), mechanism);
        if (!prepared) {
            compared.problem = prepared.error().message;
            continue;
        }
        compared.prepared = std::move(*prepared);
        how.mechanism = mechanism;
        auto response =
            measure(space, how, partOf(job, all.size() - 1, all.size(), mechanisms.size()));
        if (!response && response.error().code != ErrorCode::resourceLimit) {
            return tl::unexpected(response.error());
        }
        if (response) {
            compared.response = std::move(*response);
        } else {
            compared.problem = response.error().message;
        }
    }
    return all;
}

std::optional<ComparedSetting> settingAt(const ComparedMechanism& compared, double kept) {
    const auto epsilon =
        compared.response ? compared.response->epsilonOfKept(kept) : std::optional<double>();
    if (!epsilon) {
        return std::nullopt;
    }
    auto guarantee = compared.prepared->guarantee(*epsilon);
    if (!guarantee) {
        return std::nullopt;
    }
    ComparedSetting setting;
    setting.epsilon = *epsilon;
    setting.shares = compared.response->sharesAt(*epsilon);
    setting.differentOutputs = compared.response->cellsAt(std::span(&*epsilon, 1)).front().sw.mean;
    setting.guarantee = std::move(*guarantee);
    constexpr double kFewOdds = 10.0;
    // Both odds are in the range of protectionRadius.
    setting.reach10 = *mechanism::protectionRadius(setting.guarantee, kFewOdds);
    setting.reachUseful =
        *mechanism::protectionRadius(setting.guarantee, mechanism::kLargestUsefulFactor);
    return setting;
}

}  // namespace epsilens::calibration
