#include "ui/setup/range_estimator.h"

#include <algorithm>

#include "core/mechanism/elliptical_noise.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"

namespace epsilens::ui {

namespace {

constexpr int kRestMs = 200;

}  // namespace

RangeEstimator::RangeEstimator(AnalysisState& state, JobBoard& jobs, const LoadFunctions& functions,
                               QObject* parent)
    : QObject(parent),
      m_state(state),
      m_range({.title = tr("Finding a good range for ε"),
               .key = [this] { return key(); },
               .make =
                   [estimate = functions.epsilonRange](const Key& key, const JobContext& job) {
                       calibration::CalibrationOptions options;
                       options.grid = mechanism::Grid::of(key.mechanism);
                       options.seed = key.seed;
                       return estimate(*key.space, options, job);
                   },
               .restMs = kRestMs}) {
    jobs.watch(&m_range.job());
    m_range.setWanted(functions.epsilonRange != nullptr);
    connect(&m_range, &QueryBase::changed, this, [this] {
        if (const engine::EpsilonRange* range = m_range.current()) {
            m_state.edit(&AnalysisSettings::suggest,
                         {range->suggested, range->low, range->high, range->alwaysKept});
        }
    });
    connect(&m_state, &AnalysisState::embeddingChanged, &m_range, &QueryBase::update);
    m_state.onChange(&AnalysisSettings::chosen, &m_range, &QueryBase::update);
}

std::optional<RangeEstimator::Key> RangeEstimator::key() const {
    const auto basis = m_state.basis();
    const auto space = m_state.searchSpace();
    if (!space) {
        return std::nullopt;
    }
    const mechanism::Mechanism mechanism = m_state.mechanism();
    return Key{space,
               mechanism.with({.lambda = std::min(mechanism.lambda(),
                                                  mechanism::largestUsableLambda(*basis))}),
               m_state.seed()};
}

}  // namespace epsilens::ui
