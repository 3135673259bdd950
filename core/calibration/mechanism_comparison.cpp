#include "core/calibration/mechanism_comparison.h"

#include <algorithm>
#include <utility>

#include "core/base/job_context.h"
#include "core/base/pass_on.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {
namespace {

constexpr double kFewOdds = 10.0;

Result<ComparedMechanism> compare(const engine::SearchSpace& space,
                                  const mechanism::Mechanism& mechanism, MeasurementOptions how,
                                  const JobContext& job) {
    ComparedMechanism compared{mechanism, {}, {}, {}};
    auto prepared = mechanism::PreparedMechanism::create(space.handle(), mechanism);
    if (!prepared) {
        compared.problem = prepared.error().message;
        return compared;
    }
    compared.prepared = std::move(*prepared);
    how.mechanism = mechanism;
    ASSIGN_OR_RETURN(compared.response, measure(space, std::move(how), job));
    return compared;
}

}  // namespace

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
    const MeasurementOptions& how, const JobContext& job) {
    std::vector<ComparedMechanism> all;
    const auto count = static_cast<double>(mechanisms.size());
    for (const mechanism::Mechanism& mechanism : mechanisms) {
        const auto done = static_cast<double>(all.size());
        ASSIGN_OR_RETURN(auto compared, compare(space, mechanism, how,
                                                partOf(job, done / count, (done + 1.0) / count)));
        all.push_back(std::move(compared));
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
    // Both odds are in the range of protectionRadius.
    setting.reach10 = *mechanism::protectionRadius(setting.guarantee, kFewOdds);
    setting.reachUseful =
        *mechanism::protectionRadius(setting.guarantee, mechanism::kLargestUsefulFactor);
    return setting;
}

}  // namespace epsilens::calibration
